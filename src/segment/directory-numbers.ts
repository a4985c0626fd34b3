/**
 * Where the chunks of a block lie, as plain numbers. A question over a thousand blocks opens their
 * directories, and looks at few of their chunks: an object for each would be most of what a directory takes
 * in memory, to be copied and marked by the collector.
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
const fieldCount = 5

/** Those of all columns of a block. */
export class ChunkTable {
  #taken: number[] = []
  #numbers = new Float64Array(0)

  /** Chunks that were taken, until it is closed. */
  get length(): number {
    return this.#taken.length / fieldCount
  }

  /** Takes one as a directory has it. `end`: where the block's chunks end at the latest. Throws what `fields`
   *  throws, and RangeError. */
  take(fields: Fields, end: number): void {
    const offset = fields.natural()
    const storedBytes = fields.natural()
    const rawBytes = fields.natural()
    const crc = fields.natural()
    const compression = compressions.indexOf(fields.oneOf(compressions))
    if (offset + storedBytes > end) throw new RangeError('a chunk lies behind its block')
    this.#taken.push(offset, storedBytes, rawBytes, crc, compression)
  }

  /** To be called when all are taken, and before any is asked for. */
  close(): void {
    this.#numbers = Float64Array.from(this.#taken)
    this.#taken = []
  }

  get(index: number): ChunkReference {
    const numbers = this.#numbers
    const at = index * fieldCount
    return {
      offset: numbers[at]!,
      storedBytes: numbers[at + 1]!,
      rawBytes: numbers[at + 2]!,
      crc: numbers[at + 3]!,
      compression: compressions[numbers[at + 4]!]!,
    }
  }
}

/** Those of a table from `first` on. */
export class SomeChunks implements ChunkReferences {
  readonly length: number
  readonly #table: ChunkTable
  readonly #first: number

  constructor(table: ChunkTable, first: number, length: number) {
    this.#table = table
    this.#first = first
    this.length = length
  }

  at(index: number): ChunkReference | undefined {
    return index >= 0 && index < this.length ? this.#table.get(this.#first + index) : undefined
  }

  *[Symbol.iterator](): Generator<ChunkReference> {
    for (let i = 0; i < this.length; i++) yield this.#table.get(this.#first + i)
  }
}
