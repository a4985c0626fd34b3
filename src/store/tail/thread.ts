/**
 * The thread that tries the queries of tails. It has none of the queries' lanes: what is tailed must
 * not wait for a query, nor the other way round. It ends when nobody has tailed for a while.
 *
 * An expression that takes seconds for one batch would hold up all clients. So the thread tells in
 * shared memory which query it is trying; if that does not change from one look to the next, the
 * thread is ended, and it is known whose query it was.
 */
import type { Piscina } from 'piscina'
import { passingPool } from '../../threads/passing-pool.ts'
import { threadProgram } from '../../threads/program.ts'
import { progress, type TailResult, type TailTask } from './task.ts'

export interface TailThreadOptions {
  /** Between two looks, ms: a query on one frame is ended after one to two of these. */
  readonly lookMs: number
}

/** The query, by its number, that took too long. */
export interface StuckQuery {
  readonly stuckQuery: number
}

export class TailThread {
  readonly #pool: Piscina
  readonly #lookMs: number

  constructor({ lookMs }: TailThreadOptions) {
    this.#lookMs = lookMs
    this.#pool = passingPool(threadProgram('./tail-worker.ts', import.meta.url), 30_000)
  }

  /** Carries out a task, or says which of its queries was in the way. */
  async run(task: Omit<TailTask, 'progress'>): Promise<TailResult | StuckQuery> {
    const shared = new Int32Array(new SharedArrayBuffer(4 * progress.length))
    const kill = new AbortController()
    shared[progress.query] = -1
    let lastStep = 0
    const timer = setInterval(() => {
      const step = Atomics.load(shared, progress.step)
      const isTrying = Atomics.load(shared, progress.query) !== -1
      if (isTrying && step === lastStep) kill.abort()
      lastStep = step
    }, this.#lookMs)
    try {
      const options = { name: 'match', signal: kill.signal }
      return await this.#pool.run({ ...task, progress: shared }, options)
    } catch (error) {
      if (!kill.signal.aborted) throw error
      return { stuckQuery: Atomics.load(shared, progress.query) }
    } finally {
      clearInterval(timer)
    }
  }

  /** Starts the thread, so that the first task does not wait for it. */
  start(): void {
    this.run({ queries: [], ranges: [], turnMs: 0 }).catch(() => {}) // The first task will tell.
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
