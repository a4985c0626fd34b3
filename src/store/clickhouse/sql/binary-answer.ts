/**
 * What stands in a whole answer in RowBinary, one after the other: numbers by the million, of which JSON
 * would make a text each. It is read once, and memory of what was read is given back: of tens of megabytes
 * there is never more than one copy.
 */
import { freeMemory } from '../../../columns/growing-array.ts'

export class BinaryAnswer {
  readonly #pieces: readonly Buffer<ArrayBuffer>[]
  /** The piece that is being read, and where in it. */
  #piece = 0
  #at = 0
  #leftBytes: number

  /** `pieces` have all of their memory, and are of no use to others any more. */
  constructor(pieces: readonly Buffer<ArrayBuffer>[]) {
    this.#pieces = pieces
    this.#leftBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  }

  get hasMore(): boolean {
    return this.#leftBytes > 0
  }

  /** Of an Array(String). */
  texts(): string[] {
    return this.array(() => Buffer.from(this.#read(this.#length())).toString('utf8'))
  }

  /** Of an Array(Float64), or of an Array(Tuple(Float64, …)) with `width` numbers in each. */
  numbers(width = 1): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#read(this.#length() * width * Float64Array.BYTES_PER_ELEMENT))
  }

  /** Of an Array: `one` reads an element. */
  array<T>(one: () => T): T[] {
    return Array.from({ length: this.#length() }, one)
  }

  /** LEB128. */
  #length(): number {
    let length = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#byte()
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
    }
  }

  #byte(): number {
    this.#take(1)
    const piece = this.#pieces[this.#piece]!
    const byte = piece[this.#at++]!
    if (this.#at === piece.length) this.#turnOver(piece)
    return byte
  }

  /** A copy of the next bytes. */
  #read(count: number): ArrayBuffer {
    this.#take(count)
    const bytes = new Uint8Array(count)
    for (let filled = 0; filled < count; ) {
      const piece = this.#pieces[this.#piece]!
      const part = piece.subarray(this.#at, this.#at + count - filled)
      bytes.set(part, filled)
      filled += part.length
      this.#at += part.length
      if (this.#at === piece.length) this.#turnOver(piece)
    }
    return bytes.buffer
  }

  #take(count: number): void {
    if (count > this.#leftBytes) throw new Error('the answer of ClickHouse ended too early')
    this.#leftBytes -= count
  }

  #turnOver(piece: Buffer<ArrayBuffer>): void {
    this.#piece++
    this.#at = 0
    freeMemory(piece)
  }
}
