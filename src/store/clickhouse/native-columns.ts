/**
 * Columns of a block in ClickHouse's Native format, as they grow. Each is emptied by `take`, and grows again
 * in the memory that it has: what was taken is valid until then.
 */

/** Bytes up to which a loop copies faster than a call. */
const shortBytes = 40

/** Whole numbers of 8 bytes, each as its low and its high half. */
export class LongColumn {
  #halves = new Uint32Array(2 * 4_096)
  #length = 0

  /** Each half taken modulo 2^32. */
  add(low: number, high: number): void {
    if (this.#length === this.#halves.length) this.#halves = doubled(this.#halves)
    this.#halves[this.#length++] = low
    this.#halves[this.#length++] = high
  }

  /** A safe integer. */
  addNumber(value: number): void {
    this.add(value, Math.floor(value / 2 ** 32))
  }

  /** A safe integer times a million. */
  addMillions(value: number): void {
    const low = (value % 2 ** 32) * 1e6
    const high = Math.floor(value / 2 ** 32) * 1e6
    this.add(low, high + Math.floor(low / 2 ** 32))
  }

  addBigint(value: bigint): void {
    this.add(Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn))
  }

  take(): Buffer {
    const taken = bytesOf(this.#halves.subarray(0, this.#length))
    this.#length = 0
    return taken
  }
}

/** Whole numbers of 4 bytes, not negative. */
export class IntegerColumn {
  #values = new Uint32Array(4_096)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(value: number): void {
    if (this.#length === this.#values.length) this.#values = doubled(this.#values)
    this.#values[this.#length++] = value
  }

  /** The same number so many times. */
  addSame(value: number, count: number): void {
    while (this.#length + count > this.#values.length) this.#values = doubled(this.#values)
    this.#values.fill(value, this.#length, this.#length + count)
    this.#length += count
  }

  /** As many of them as there are, in the narrowest width that has all numbers below `end`. */
  takeBelow(end: number): Buffer {
    const values = this.#values.subarray(0, this.#length)
    if (end > 0x1_0000) return this.take()
    this.#length = 0
    return bytesOf(end > 0x100 ? Uint16Array.from(values) : Uint8Array.from(values))
  }

  take(): Buffer {
    const taken = bytesOf(this.#values.subarray(0, this.#length))
    this.#length = 0
    return taken
  }
}

/** Texts: each its length and its bytes. */
export class StringColumn {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024)
  #at = 0

  get byteLength(): number {
    return this.#at
  }

  /** In UTF-8. */
  add(source: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.#room(length + 5)
    const target = this.#bytes
    let at = writeLength(target, this.#at, length)
    if (length > shortBytes) target.set(source.subarray(start, end), at)
    else for (let i = start; i < end; i++) target[at++] = source[i]!
    this.#at = length > shortBytes ? at + length : at
  }

  addEmpty(): void {
    this.#room(1)
    this.#bytes[this.#at++] = 0
  }

  /** So many empty texts. */
  addEmpties(count: number): void {
    this.#room(count)
    this.#bytes.fill(0, this.#at, this.#at + count)
    this.#at += count
  }

  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at)
    this.#at = 0
    return taken
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + more))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

/** LowCardinality: the different texts, and for each row the number of its own. */
export class CodedColumn {
  readonly #codes = new Map<string, number>()
  readonly #texts = new StringColumn()
  readonly #rows = new IntegerColumn()

  /** The number of a text until the next `take`. */
  codeOf(text: string): number {
    let code = this.#codes.get(text)
    if (code === undefined) {
      code = this.#codes.size
      this.#codes.set(text, code)
      const bytes = Buffer.from(text)
      this.#texts.add(bytes, 0, bytes.length)
    }
    return code
  }

  add(code: number): void {
    this.#rows.add(code)
  }

  /** The same for so many rows. */
  addSame(code: number, count: number): void {
    this.#rows.addSame(code, count)
  }

  get byteLength(): number {
    return this.#texts.byteLength + this.#rows.length
  }

  /** Nothing when there are no rows. */
  take(): Buffer[] {
    const [count, rowCount] = [this.#codes.size, this.#rows.length]
    this.#codes.clear()
    const texts = this.#texts.take()
    if (rowCount === 0) return []
    const width = count > 0x1_0000 ? 2 : count > 0x100 ? 1 : 0
    const head = longs(hasOwnTexts | width, count)
    return [head, texts, longs(rowCount), this.#rows.takeBelow(count)]
  }
}

/** The texts of a LowCardinality stand in the block itself, and are new to the reader. */
const hasOwnTexts = 0x600

/** What stands before the rows of a LowCardinality: the version of its form. */
export const codedPrefix: Buffer = longs(1)

export function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(8 * values.length)
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * i)
  return bytes
}

/** Texts and lengths as the format has them between columns. */
export function packed(...parts: readonly (string | number)[]): Buffer {
  return Buffer.concat(
    parts.flatMap(part => {
      if (typeof part === 'number') return [packedLength(part)]
      const bytes = Buffer.from(part)
      return [packedLength(bytes.length), bytes]
    }),
  )
}

function packedLength(length: number): Buffer {
  const bytes = Buffer.alloc(5)
  return bytes.subarray(0, writeLength(bytes, 0, length))
}

/** LEB128. Returns where it ends. */
function writeLength(target: Uint8Array, start: number, length: number): number {
  let at = start
  let rest = length
  while (rest >= 0x80) {
    target[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  target[at++] = rest
  return at
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length)
  larger.set(values)
  return larger
}

function bytesOf({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array | Uint16Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
