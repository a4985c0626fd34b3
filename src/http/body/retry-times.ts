/**
 * When those that are refused, because too many wait, should come again: one after the other, as places
 * become free, and not all in the same second. 240 senders of 700 KB in gzip that came back together each
 * second took half of the main thread, and were refused again.
 */

/** What is told at most, s; whoever would have to wait longer has a second of these. */
const secondsMax = 30

/** How much the last turn says of the next ones. */
const lastWeight = 1 / 4

export class RetryTimes {
  /** Between two turns, as far as seen. */
  #turnMs = 1000
  #lastTurnAt: number | undefined
  /** When the next to be refused may come. */
  #nextAt = 0

  /** One of those that wait has its turn at `now`, ms; `othersWait`, so that the next one is due when
   *  this one is done. */
  noteTurn(now: number, othersWait: boolean): void {
    if (this.#lastTurnAt !== undefined) {
      this.#turnMs += lastWeight * (now - this.#lastTurnAt - this.#turnMs)
    }
    this.#lastTurnAt = othersWait ? now : undefined
  }

  /** Whole seconds, from 1 to 30, after which the one that is refused at `now`, ms, should come again. */
  next(now: number): number {
    this.#nextAt = Math.max(this.#nextAt, now) + this.#turnMs
    // From the beginning again: these come evenly, too.
    if (this.#nextAt > now + 1000 * secondsMax) this.#nextAt = now + this.#turnMs
    return Math.min(Math.max(1, Math.ceil((this.#nextAt - now) / 1000)), secondsMax)
  }
}
