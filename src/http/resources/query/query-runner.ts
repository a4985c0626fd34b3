/**
 * Runs queries within their bounds: this many at a time, each until its deadline or until its client
 * goes away.
 *
 * All others wait, however many: what is bounded is for how long. Who waits holds a connection and a
 * request, whose body counts towards the memory of bodies. Turns go round among those who ask, by API
 * key, and in order of arrival within each: a dashboard that asks for a thousand values at once keeps
 * nobody from the next turn.
 *
 * One that is over its deadline is answered at once, and keeps its turn until it has really ended: so a
 * scan that does not stop when told cannot be multiplied by asking again.
 */

import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'

export interface QueryBounds {
  readonly timeoutMs: number
  /** Aborts when nobody waits for the answer any more. */
  readonly clientSignal: AbortSignal
  /** Who asks: those of one name wait in one line. */
  readonly asker?: string | undefined
}

export interface QueryRunnerOptions {
  /** Queries under way at once. */
  readonly runningMax: number
  /** How long one waits for its turn, ms, if its own deadline does not come first. */
  readonly queueTimeoutMs: number
  readonly waitingMax?: number
}

export class QueryRunner {
  readonly #runningMax: number
  readonly #queueTimeoutMs: number
  readonly #waitingMax: number
  /** What gives each waiting query its turn, by asker: the next turn is the first asker's. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #waitingCount = 0
  #runningCount = 0

  constructor(options: QueryRunnerOptions) {
    this.#runningMax = options.runningMax
    this.#queueTimeoutMs = options.queueTimeoutMs
    this.#waitingMax = options.waitingMax ?? limits.queriesWaitingMax
  }

  /**
   * Runs `work` when its turn comes. Rejects with `queries_overloaded` when the turn did not come in
   * time, with `query_timeout` when the work took too long, and with the signal's reason when the
   * client went away. `work` is told to stop in the last two cases.
   */
  async run<T>(
    work: (stop: AbortSignal) => Promise<T>,
    { timeoutMs, clientSignal, asker = '' }: QueryBounds,
  ): Promise<T> {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const detail = `the query was given up after ${timeoutMs} ms`
      stop.abort(new ProblemError('query_timeout', detail))
    }, timeoutMs)
    // Not `AbortSignal.any`, which takes 11 µs of the 150 that a small query does.
    const giveUp = () => stop.abort(clientSignal.reason)
    if (clientSignal.aborted) giveUp()
    else clientSignal.addEventListener('abort', giveUp, { once: true })
    try {
      await this.#takeTurn(asker, stop.signal)
      return await this.#runUntil(stop.signal, work)
    } finally {
      clearTimeout(timer)
      clientSignal.removeEventListener('abort', giveUp)
    }
  }

  /** Settles when it is told to stop, though the work, which has the turn, does not end then. */
  #runUntil<T>(stop: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const passTurn = () => this.#passTurn()
    return new Promise((resolve, reject) => {
      stop.addEventListener('abort', () => reject(stop.reason), { once: true })
      const done = (async () => work(stop))()
      done.then(resolve, reject)
      done.then(passTurn, passTurn)
    })
  }

  async #takeTurn(asker: string, stop: AbortSignal): Promise<void> {
    stop.throwIfAborted()
    if (this.#runningCount < this.#runningMax) {
      this.#runningCount += 1
      return
    }
    if (this.#waitingCount >= this.#waitingMax) {
      const detail = `${this.#runningCount} queries are under way and ${this.#waitingCount} wait`
      throw overloaded(detail)
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        stop.removeEventListener('abort', giveUp)
      }
      const start = () => {
        leave()
        resolve()
      }
      const giveUp = () => {
        leave()
        this.#forget(asker, start)
        const isGone = stop.aborted && !(stop.reason instanceof ProblemError)
        reject(isGone ? stop.reason : overloaded('the turn of the query did not come in time'))
      }
      const timer = setTimeout(giveUp, this.#queueTimeoutMs)
      stop.addEventListener('abort', giveUp, { once: true })
      this.#await(asker, start)
    })
  }

  #await(asker: string, start: () => void): void {
    const line = this.#waiting.get(asker)
    if (line === undefined) this.#waiting.set(asker, new Set([start]))
    else line.add(start)
    this.#waitingCount += 1
  }

  #forget(asker: string, start: () => void): void {
    const line = this.#waiting.get(asker)!
    line.delete(start)
    this.#waitingCount -= 1
    if (line.size === 0) this.#waiting.delete(asker)
  }

  #passTurn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#runningCount -= 1
      return
    }
    const [asker, line] = next
    const [start] = line
    this.#forget(asker, start!)
    // The others have their turns before this asker's next query.
    if (line.size > 0 && this.#waiting.delete(asker)) this.#waiting.set(asker, line)
    start!()
  }
}

function overloaded(detail: string): ProblemError {
  return new ProblemError('queries_overloaded', detail, { retryAfterSeconds: 1 })
}
