/**
 * Has the scan threads read the filters that the main thread lacked for a question, run by run, while
 * questions go on: half a millisecond of a thread each.
 */
import type { BlockRef } from '../../index/source.ts'
import type { KeptFilters } from '../../query/kept-filters.ts'
import type { ScanPool } from '../../query/scan-pool.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'
import type { Segments } from '../view/segments.ts'

export interface FilterLearnerParts {
  readonly segments: Pick<Segments, 'has' | 'pathOf'>
  readonly queries: QueriesUnderWay
  readonly pool: Pick<ScanPool, 'laneOf' | 'run'>
  readonly keptFilters: KeptFilters
  /** Ends it. */
  readonly signal: AbortSignal
}

export class FilterLearner {
  readonly #parts: FilterLearnerParts
  #work: Promise<void> | undefined

  constructor(parts: FilterLearnerParts) {
    this.#parts = parts
  }

  /** Begins with what is wanted, if there is something, unless it is at it. */
  start(): void {
    const { keptFilters, signal } = this.#parts
    if (keptFilters.wanted === undefined || this.#work !== undefined || signal.aborted) return
    this.#work = this.#learn().finally(() => {
      this.#work = undefined
    })
  }

  /** Resolves when nothing is read any more. */
  async ended(): Promise<void> {
    await this.#work
  }

  async #learn(): Promise<void> {
    const { segments, queries, keptFilters, signal } = this.#parts
    while (!signal.aborted) {
      keptFilters.keepOnly(number => segments.has(number))
      const source = keptFilters.wanted
      if (source === undefined) return
      const leave = queries.enter()
      try {
        keptFilters.note(source, await this.#read(source))
      } catch {
        keptFilters.note(source, undefined) // A question about the block will tell what is wrong with it.
      } finally {
        leave()
      }
    }
  }

  #read(source: BlockRef) {
    const { segments, pool, signal } = this.#parts
    const path = segments.pathOf(source.segment)
    return pool.run(signal, job =>
      job.runFilters(pool.laneOf(source), { number: 0, path, source, isCounted: false }),
    )
  }
}
