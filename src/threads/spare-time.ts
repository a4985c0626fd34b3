/** When a service has time to spare for what it does of itself: senders never ask, and wait all the same. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Work at a stretch before it is looked at what else there is to do, ms. */
const stretchMs = 50
/** Such a look lasts so long, ms: for less the share of a busy thread is chance. */
const lookMs = 15
/** Share of its time in which a thread that does nothing of itself is kept busy by others. */
const busyShare = 0.25
/** No longer a rest than that, ms: where others are never through it gets on all the same, with an eightieth
 *  of the time. */
const restMsMax = 4_000

/** What others ask of this service. */
export interface Requests {
  /** Since the start. */
  readonly begunCount: number
  /** Those for whose answer somebody waits at this moment: of the disk, or of other threads, perhaps. */
  readonly awaitedCount: number
}

export interface SpareTimeOptions {
  readonly requests: Requests
  /** The clock, ms; `performance.now` when left out. */
  readonly now?: () => number
  /** What of its time this thread was busy; that of its event loop when left out. */
  readonly utilization?: (since?: EventLoopUtilization) => EventLoopUtilization
}

/**
 * Asked again and again, says when to rest: before each stretch of work, until this thread is seen to be idle
 * and nobody asks or waits for an answer, or for four seconds. The work must not go on meanwhile, which would
 * look like somebody else's.
 */
export class SpareTime {
  readonly #requests: Requests
  readonly #now: () => number
  readonly #utilization: NonNullable<SpareTimeOptions['utilization']>
  /** When the stretch or the rest began that lasts. */
  #sinceMs = Number.NEGATIVE_INFINITY
  /** What was seen when a look began, and when; undefined while there is work. */
  #seen: EventLoopUtilization | undefined
  #seenAtMs = 0
  #seenRequests = 0

  constructor({ requests, now, utilization }: SpareTimeOptions) {
    this.#requests = requests
    this.#now = now ?? (() => performance.now())
    this.#utilization = utilization ?? performance.eventLoopUtilization
  }

  /** Whether there is none, or that has yet to be seen. */
  isScarce(): boolean {
    const nowMs = this.#now()
    if (this.#seen === undefined) {
      if (nowMs - this.#sinceMs < stretchMs) return false
      this.#sinceMs = nowMs
      this.#look(nowMs)
      return true
    }
    if (nowMs - this.#seenAtMs < lookMs) return true
    if (this.#isBusy(this.#seen) && nowMs - this.#sinceMs < restMsMax) {
      this.#look(nowMs)
      return true
    }
    this.#seen = undefined
    this.#sinceMs = nowMs
    return false
  }

  /** Whether others have been since a look began. One who sends an event after the other waits for an answer
   *  nearly always, but not at each moment. */
  #isBusy(seen: EventLoopUtilization): boolean {
    const { begunCount, awaitedCount } = this.#requests
    if (awaitedCount > 0 || begunCount > this.#seenRequests) return true
    return this.#utilization(seen).utilization > busyShare
  }

  #look(nowMs: number): void {
    this.#seenRequests = this.#requests.begunCount
    this.#seen = this.#utilization()
    this.#seenAtMs = nowMs
  }
}
