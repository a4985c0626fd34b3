/** What stands in a whole answer in RowBinary, one after the other: numbers by the million, of which JSON
 *  would make a text each. */
import { varintAt, varintBytes } from '../varint.ts'

const numberBytes = 8

export class BinaryAnswer {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length
  }

  /** Of an Array(String). */
  texts(): string[] {
    return this.array(() => {
      const length = this.#length()
      return this.#bytes.toString('utf8', this.#at, this.#skip(length))
    })
  }

  /** Of an Array(Float64), or of an Array(Tuple(Float64, …)) with `width` numbers in each. */
  numbers(width = 1): Float64Array<ArrayBuffer> {
    const length = this.#length() * width * numberBytes
    const { buffer, byteOffset } = this.#bytes
    const start = byteOffset + this.#at
    this.#skip(length)
    // A copy, which begins where numbers may.
    return new Float64Array(buffer.slice(start, start + length) as ArrayBuffer)
  }

  /** Of an Array: `one` reads an element. */
  array<T>(one: () => T): T[] {
    return Array.from({ length: this.#length() }, one)
  }

  #length(): number {
    const length = varintAt(this.#bytes, this.#at)
    this.#skip(varintBytes(length))
    return length
  }

  /** Returns where it is then. */
  #skip(count: number): number {
    this.#at += count
    if (this.#at > this.#bytes.length) throw new Error('the answer of ClickHouse ended too early')
    return this.#at
  }
}
