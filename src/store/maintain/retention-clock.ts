/**
 * The time from which retention by age counts. A clock that is years ahead (a machine that starts with a
 * wrong one, a typing error) would make everything too old at once, and deleting cannot be undone. So a
 * clock that is more than a day away from what is known is not believed until the service has run with
 * it for a day: retention continues as if it had not moved, says so, and forgets about it when the clock
 * is set right meanwhile.
 *
 * What is known is the machine's own clock, as it was when it was last believed, and the time that has
 * passed since then while a process ran. It is kept on disk (`clock-file.ts`) and taken from nowhere else:
 * least of all from records, whose times are what their senders say.
 *
 * A clock that is behind is doubted as well, so that the way back from there is no jump ahead; until it
 * is believed, the earlier of both times holds, and deletes less. A pause of days, or a machine that slept,
 * looks like a jump, and costs a day's delay.
 */

import type { Timestamp } from '../../record.ts'
import { dayMs } from '../../time-units.ts'

/** How far a clock may be from what is known and be believed at once, ms. */
const apartMsMax = dayMs
/** How long the service runs with a clock that is further away until it believes it, ms. */
const doubtMs = dayMs

/** What is known, as it is kept from process to process. */
export interface KnownClock {
  /** The last time that was believed, and what has passed since then. */
  readonly time: Timestamp
  /** There when the clock was not believed then. */
  readonly doubt?: Doubt | undefined
}

interface Doubt {
  /** How far the clock is from what is known, ms; negative when it is behind. */
  readonly apartMs: number
  /** How long the service has run with it, ms. */
  readonly ranMs: number
}

export interface RetentionClockParts {
  readonly now: () => Timestamp
  /** Milliseconds since any moment; never set. */
  readonly monotonic: () => number
  /** Of an earlier process; undefined to believe the clock as it is. */
  readonly known: KnownClock | undefined
  /** Called once for each jump by each process, when the clock is not believed. */
  readonly onDoubt: (clock: Timestamp, known: Timestamp) => void
  /** Called when a clock that was in doubt is believed, or right again. */
  readonly onBelief: (clock: Timestamp) => void
}

export class RetentionClock {
  readonly #parts: RetentionClockParts
  #time: Timestamp
  #doubt: Doubt | undefined
  /** Whether this process has reported the doubt. */
  #isTold = false
  /** When the clock was last looked at, of `monotonic`. */
  #lookedAt: number

  constructor(parts: RetentionClockParts) {
    this.#parts = parts
    this.#time = parts.known?.time ?? parts.now()
    this.#doubt = parts.known?.doubt
    this.#lookedAt = parts.monotonic()
  }

  /** Why the clock is not believed now; undefined when it is. */
  get doubt(): Doubt | undefined {
    return this.#doubt
  }

  /** What to keep, as of the last call of `time`. */
  get known(): KnownClock {
    return { time: Math.round(this.#time), doubt: this.#doubt }
  }

  /** The clock's time, or an earlier one while it is in doubt. */
  time(): Timestamp {
    const { now, monotonic, onDoubt, onBelief } = this.#parts
    const [clock, at] = [now(), monotonic()]
    const passedMs = at - this.#lookedAt
    this.#lookedAt = at
    this.#time += passedMs
    const apartMs = clock - this.#time
    const isNear = Math.abs(apartMs) <= apartMsMax
    if (!isNear && !this.#isDoubted(apartMs)) {
      this.#doubt = { apartMs, ranMs: 0 }
      this.#isTold = false
    } else if (!isNear) {
      this.#doubt = { apartMs, ranMs: this.#doubt!.ranMs + passedMs }
    }
    if (!isNear && !this.#isTold) {
      this.#isTold = true
      onDoubt(clock, Math.round(this.#time))
    }
    if (!isNear && this.#doubt!.ranMs < doubtMs) return Math.min(clock, Math.round(this.#time))
    if (this.#doubt !== undefined) onBelief(clock)
    this.#doubt = undefined
    this.#isTold = false
    this.#time = clock
    return clock
  }

  /** Whether this very jump is in doubt already: another one begins its own day. */
  #isDoubted(apartMs: number): boolean {
    return this.#doubt !== undefined && Math.abs(apartMs - this.#doubt.apartMs) <= apartMsMax
  }
}
