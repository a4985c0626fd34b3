/**
 * Runs queries within their bounds: so many at a time, each until its deadline or until its client
 * goes away.
 *
 * A query waits for its turn within its own deadline. One that is over its deadline is answered at
 * once, and keeps its turn until it has really ended: so a scan that does not stop when told cannot
 * be multiplied by asking again.
 */

import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'

export interface QueryBounds {
  readonly timeoutMs: number
  /** Aborts when nobody waits for the answer any more. */
  readonly clientSignal: AbortSignal
}

export class QueryRunner {
  readonly #runningMax: number
  readonly #waitingMax: number
  /** What gives each waiting query its turn, in the order of arrival. */
  readonly #waiting = new Set<() => void>()
  #runningCount = 0

  constructor(runningMax: number, waitingMax = runningMax * limits.queriesWaitingPerTurnMax) {
    this.#runningMax = runningMax
    this.#waitingMax = waitingMax
  }

  /**
   * Runs `work` when its turn comes. Rejects with `queries_overloaded` when the line is full or the
   * turn did not come in time, with `query_timeout` when the work took too long, and with the
   * signal's reason when the client went away. `work` is told to stop in the last two cases.
   */
  async run<T>(
    work: (stop: AbortSignal) => Promise<T>,
    { timeoutMs, clientSignal }: QueryBounds,
  ): Promise<T> {
    const deadline = new AbortController()
    const timer = setTimeout(() => {
      const detail = `the query was given up after ${timeoutMs} ms`
      deadline.abort(new ProblemError('query_timeout', detail))
    }, timeoutMs)
    const stop = AbortSignal.any([deadline.signal, clientSignal])
    try {
      await this.#takeTurn(stop)
      const ended = rejectionOf(stop)
      const done = (async () => work(stop))().finally(() => this.#passTurn())
      return await Promise.race([ended, done])
    } finally {
      clearTimeout(timer)
    }
  }

  async #takeTurn(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted()
    if (this.#runningCount < this.#runningMax) {
      this.#runningCount += 1
      return
    }
    if (this.#waiting.size >= this.#waitingMax) {
      const detail = `${this.#runningCount} queries are under way and ${this.#waiting.size} wait`
      throw overloaded(detail)
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        stop.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(start)
        const isLate = stop.reason instanceof ProblemError
        reject(isLate ? overloaded('the turn of the query did not come in time') : stop.reason)
      }
      this.#waiting.add(start)
      stop.addEventListener('abort', giveUp, { once: true })
    })
  }

  #passTurn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#runningCount -= 1
    } else {
      this.#waiting.delete(next)
      next()
    }
  }
}

function overloaded(detail: string): ProblemError {
  return new ProblemError('queries_overloaded', detail, { retryAfterSeconds: 1 })
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
