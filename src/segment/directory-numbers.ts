/**
 * The numbers of a block's directory, in one array: where its chunks lie, and what describes its columns. A
 * question over a thousand blocks opens their directories, and looks at few of their columns: an object for
 * each chunk and a list for each column would be most of what a directory takes in memory, to be copied and
 * marked by the collector.
 */
import { type ChunkReference, compressions } from './chunk.ts'
import type { Fields } from './packed-fields.ts'

/** Chunks by their number. */
export interface ChunkReferences extends Iterable<ChunkReference> {
  readonly length: number
  /** Undefined: there is no such chunk. */
  at(index: number): ChunkReference | undefined
}

/** Numbers that one chunk takes. */
export const chunkNumbers = 5

export class DirectoryNumbers {
  #taken: number[] = []
  #numbers = new Float64Array(0)

  /** Numbers that were taken, until it is closed: where the next will stand. */
  get length(): number {
    return this.#taken.length
  }

  /** Takes a chunk as a directory has it. `end`: where the block's chunks end at the latest. Throws what
   *  `fields` throws, and RangeError. */
  takeChunk(fields: Fields, end: number): void {
    const offset = fields.natural()
    const storedBytes = fields.natural()
    const rawBytes = fields.natural()
    const crc = fields.natural()
    const compression = compressions.indexOf(fields.oneOf(compressions))
    if (offset + storedBytes > end) throw new RangeError('a chunk lies behind its block')
    this.#taken.push(offset, storedBytes, rawBytes, crc, compression)
  }

  takeList(numbers: readonly number[]): void {
    for (const number of numbers) this.#taken.push(number)
  }

  /** To be called when all are taken, and before any is asked for. */
  close(): void {
    this.#numbers = Float64Array.from(this.#taken)
    this.#taken = []
  }

  /** The chunk whose numbers stand from `start` on. */
  chunk(start: number): ChunkReference {
    const numbers = this.#numbers
    return {
      offset: numbers[start]!,
      storedBytes: numbers[start + 1]!,
      rawBytes: numbers[start + 2]!,
      crc: numbers[start + 3]!,
      compression: compressions[numbers[start + 4]!]!,
    }
  }

  /** The list of so many numbers that stands from `start` on. */
  list(start: number, length: number): number[] {
    return Array.from(this.#numbers.subarray(start, start + length))
  }
}

/** Chunks that follow one another among the numbers, from `start` on. */
export class SomeChunks implements ChunkReferences {
  readonly length: number
  readonly #numbers: DirectoryNumbers
  readonly #start: number

  constructor(numbers: DirectoryNumbers, start: number, length: number) {
    this.#numbers = numbers
    this.#start = start
    this.length = length
  }

  at(index: number): ChunkReference | undefined {
    const isThere = index >= 0 && index < this.length
    return isThere ? this.#numbers.chunk(this.#start + index * chunkNumbers) : undefined
  }

  *[Symbol.iterator](): Generator<ChunkReference> {
    for (let i = 0; i < this.length; i++) yield this.at(i)!
  }
}
