/** What is counted of queries. */
import { Counter, Histogram, Registry } from 'prom-client'
import type { SelectStats } from '../store/store.ts'
import { newCounter, totalOf } from './counters.ts'

/** Queries answered within this many seconds, the shorter included; the last has no limit. */
export interface QueryBucket {
  readonly secondsMax: number
  readonly count: number
}

export class QueryCounts {
  readonly #seconds: Histogram
  readonly #failed: Counter
  readonly #damagedFrames: Counter
  readonly #damagedBlocks: Counter
  /** By name; the counter would look each up by its labels, ten times for every query. */
  readonly #work = new Map<string, number>()

  /** Counts in `registry`, whose metrics these become; by default in one that nobody reads. */
  constructor(registry = new Registry()) {
    this.#seconds = new Histogram({
      name: 'logstrata_query_duration_seconds',
      help: 'Time from a query to its answer.',
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers: [registry],
    })
    this.#failed = newCounter(registry, 'queries_failed_total', 'Queries that gave no answer.')
    this.#damagedFrames = newCounter(
      registry,
      'damaged_frames_total',
      'Frames that a query could not read because their checksum failed.',
    )
    this.#damagedBlocks = newCounter(
      registry,
      'damaged_blocks_total',
      'Blocks of segments that a query could not read.',
    )
    const work = this.#work
    new Counter({
      name: 'logstrata_query_work_total',
      help: 'What queries looked at and left aside, as in the stats of their answers.',
      labelNames: ['what'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [what, count] of work) this.inc({ what }, count)
      },
    })
  }

  noteQuery(stats: SelectStats): void {
    this.#seconds.observe(stats.elapsedMs / 1000)
    this.#damagedFrames.inc(stats.damagedFrames)
    const work = this.#work
    for (const what in stats) {
      const count = stats[what as keyof SelectStats]
      if (what === 'elapsedMs' || what === 'asOf' || !count) continue
      work.set(what, (work.get(what) ?? 0) + count)
    }
  }

  noteFailedQuery(): void {
    this.#failed.inc()
  }

  noteDamagedBlocks(count: number): void {
    this.#damagedBlocks.inc(count)
  }

  failed(): Promise<number> {
    return totalOf(this.#failed)
  }

  async buckets(): Promise<QueryBucket[]> {
    return (await this.#seconds.get()).values
      .filter(({ metricName }) => metricName?.endsWith('_bucket'))
      .map(({ labels, value }) => ({
        secondsMax: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
        count: value,
      }))
  }
}
