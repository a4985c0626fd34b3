/** A growing buffer of bytes and varints, and its reader, for the directory of a template column. */

const moreBit = 0x80

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4_096)
  #length = 0

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** An integer from 0 to 2^53 - 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest >= moreBit) {
      this.#bytes[this.#length++] = (rest % moreBit) | moreBit
      rest = Math.floor(rest / moreBit)
    }
    this.#bytes[this.#length++] = rest
  }

  latin1(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** What was written. Valid until more is. */
  done(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + count)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads what a ByteWriter wrote. Every method throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes[this.#advance(1)]!
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= moreBit) {
      const byte = this.byte()
      value += (byte % moreBit) * factor
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('an integer passes 2^53')
      if (byte < moreBit) return value
    }
  }

  /** Passes over bytes; returns the offset of the first. */
  skip(count: number): number {
    return this.#advance(count)
  }

  /** Offset of the next byte. */
  get at(): number {
    return this.#at
  }

  #advance(count: number): number {
    const start = this.#at
    this.#at += count
    if (this.#at > this.#bytes.length) throw new RangeError('the bytes end too early')
    return start
  }
}
