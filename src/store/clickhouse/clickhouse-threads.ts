/** The threads that speak with ClickHouse: one sends, a few fetch. They end when there is nothing to do. */
import type { Piscina } from 'piscina'
import { passingPool } from '../../threads/passing-pool.ts'
import { threadProgram } from '../../threads/program.ts'
import type { Failure } from './clickhouse-worker.ts'
import type { Fetched, FetchTask } from './fetch.ts'
import type { Shipped, ShipTask } from './ship.ts'

const idleMs = 15_000

/** Like sealing, and like scans (see `query/scan-pool.ts`). */
const niceness = { ship: 5, fetch: 3 } as const

export class ClickHouseThreads {
  readonly #ship: Piscina
  readonly #fetch: Piscina

  /** @param fetches How many queries fetch at once. */
  constructor(fetches: number) {
    const program = (one: keyof typeof niceness) =>
      threadProgram('./clickhouse-worker.ts', import.meta.url, { niceness: niceness[one] })
    this.#ship = passingPool(program('ship'), idleMs)
    this.#fetch = passingPool(program('fetch'), idleMs, { threadsMax: fetches })
  }

  ship(task: ShipTask): Promise<Shipped | Failure> {
    return this.#ship.run(task, { name: 'ship' })
  }

  /** When the signal is aborted the task ends soon, with `cancelled`. */
  async fetch(task: Omit<FetchTask, 'cancelled'>, signal: AbortSignal): Promise<Fetched | Failure> {
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const cancel = () => Atomics.store(cancelled, 0, 1)
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await this.#fetch.run({ ...task, cancelled }, { name: 'fetchFor' })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#ship.destroy(), this.#fetch.destroy()])
  }
}
