/**
 * The time from which retention by age counts. A clock that is years ahead (a machine that starts with a
 * wrong one, a typing error) would make everything too old at once, and deleting cannot be undone. So a
 * clock that goes more than a day ahead of what is known is not believed for a day: retention goes on
 * as if it had not moved, says so, and forgets about it when the clock is set right meanwhile.
 *
 * What is known: within a process, the time that has passed; at its start, the newest record in a segment.
 * A pause of days, or a machine that slept, looks the same, and costs a day's delay. Not seen is a restart
 * under a clock under which records came and were sealed already.
 */
import type { Timestamp } from '../record.ts'
import type { LiveSegment } from './segments.ts'

/** How far a clock may be ahead and be believed at once, ms. */
const aheadMsMax = 86_400_000
/** How long one that is further ahead is not believed, ms. */
const doubtMs = 86_400_000

export interface RetentionClockParts {
  readonly now: () => Timestamp
  /** Milliseconds since any moment; never set. */
  readonly monotonic: () => number
  /** Told once, when the clock is not believed. */
  readonly onDoubt: (clock: Timestamp, believed: Timestamp) => void
}

export class RetentionClock {
  readonly #parts: RetentionClockParts
  /** The last time that was believed, and when that was. */
  #believed: { readonly time: Timestamp; readonly at: number } | undefined
  /** Since when the clock is too far ahead. */
  #doubtedSince: number | undefined

  constructor(parts: RetentionClockParts) {
    this.#parts = parts
  }

  /** The clock's time, or an earlier one while it is in doubt. `segments`: all that there are. */
  time(segments: Iterable<Pick<LiveSegment, 'maxTimestamp'>>): Timestamp {
    const { now, monotonic, onDoubt } = this.#parts
    const [clock, at] = [now(), monotonic()]
    this.#believed ??= { time: newestOf(segments) ?? clock, at }
    const expected = this.#believed.time + (at - this.#believed.at)
    const isAhead = clock > expected + aheadMsMax
    if (isAhead && this.#doubtedSince === undefined) {
      this.#doubtedSince = at
      onDoubt(clock, expected)
    }
    if (isAhead && at - this.#doubtedSince! < doubtMs) return expected
    this.#doubtedSince = undefined
    this.#believed = { time: clock, at }
    return clock
  }
}

/** Of all records in segments; undefined when there are none. */
function newestOf(segments: Iterable<Pick<LiveSegment, 'maxTimestamp'>>): Timestamp | undefined {
  let newest: Timestamp | undefined
  for (const { maxTimestamp } of segments) {
    if (newest === undefined || maxTimestamp > newest) newest = maxTimestamp
  }
  return newest
}
