/**
 * Packed integers that are unpacked as far as they are asked for. The record of an answer takes one number of
 * each column: to unpack all of them takes several times as long, and memory that nobody looks at.
 */
import type { ChunkSource } from './column.ts'
import type { Kept } from './kept.ts'
import { type Numbers, numberAt, unpackNumbers } from './numbers.ts'

/** Numbers that are asked for by themselves before all are unpacked. */
const singlesMax = 8

export class LazyNumbers implements Kept {
  readonly isSeldomNeeded = false
  makingMs = 0
  readonly #meta: unknown
  readonly #valueCount: number
  readonly #readChunk: ChunkSource
  readonly #unpack: typeof unpackNumbers
  /** Those that single numbers were read from; none once all are unpacked. */
  #chunks: (Buffer | undefined)[] | undefined
  #singles = 0
  #all: Numbers | undefined

  /** `meta` as `packNumbers` made it; `unpack`: how to make all of them. */
  constructor(meta: unknown, valueCount: number, chunk: ChunkSource, unpack = unpackNumbers) {
    this.#meta = meta
    this.#valueCount = valueCount
    this.#readChunk = chunk
    this.#unpack = unpack
  }

  get heldBytes(): number {
    let bytes = this.#all?.distances.byteLength ?? 0
    if (this.#chunks !== undefined) for (const chunk of this.#chunks) bytes += chunk?.length ?? 0
    return bytes
  }

  /** One of them. Throws an Error naming what does not fit. */
  at(index: number): number {
    if (this.#all === undefined && this.#singles < singlesMax) {
      this.#singles++
      const single = this.#timed(() =>
        numberAt(this.#meta, this.#valueCount, index, chunk => this.#chunk(chunk)),
      )
      if (single !== undefined) return single
    }
    const { base, distances } = this.all()
    return base + distances[index]!
  }

  /** All of them. Throws an Error naming what does not fit. */
  all(): Numbers {
    if (this.#all === undefined) {
      const chunk: ChunkSource = (index, isLent) =>
        this.#chunks?.[index] ?? this.#readChunk(index, isLent)
      this.#all = this.#timed(() => this.#unpack(this.#meta, this.#valueCount, chunk))
      this.#chunks = undefined
    }
    return this.#all
  }

  release(): void {
    this.#all = undefined
    this.#chunks = undefined
    this.#singles = 0
    this.makingMs = 0
  }

  #chunk(index: number): Buffer {
    this.#chunks ??= []
    this.#chunks[index] ??= this.#readChunk(index)
    return this.#chunks[index]
  }

  #timed<T>(make: () => T): T {
    const startedAt = performance.now()
    const made = make()
    this.makingMs += performance.now() - startedAt
    return made
  }
}
