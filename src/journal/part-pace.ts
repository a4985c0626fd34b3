/**
 * When the next part of a large request goes to disk. While others send small ones the disk rests after
 * each part for as long as that took, so that what comes meanwhile is written at once; and what came before
 * a part goes before it. So a small one waits for what is left of one part, and not for a part in its own
 * commit as well, and large ones have half of the disk's time. Without others they have all of it.
 */

/** Whoever sent in the last so many ms is expected to send again. */
const othersMs = 250

export class PartPace {
  readonly #clock: () => number
  #dueAt = 0
  #smallAt = Number.NEGATIVE_INFINITY
  /** Whether the last commit let small ones pass though a part was due. */
  #hasWaited = false

  /** `clock` counts milliseconds from any time on. */
  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  /** How long no part is to be written from now on, ms; 0 when one may be. */
  get restMs(): number {
    return Math.max(0, this.#dueAt - this.#clock())
  }

  /** Whether the commit that begins now takes a part, if there is one; `hasSmall`: others have something
   *  in it. */
  takesPart(hasSmall: boolean, hasPart: boolean): boolean {
    if (hasSmall) this.#smallAt = this.#clock()
    if (!hasPart || this.restMs > 0) return false
    this.#hasWaited = hasSmall && !this.#hasWaited
    return !this.#hasWaited
  }

  /** A commit with a part has just ended, and took so long, ms. */
  partTook(ms: number): void {
    const now = this.#clock()
    this.#dueAt = now - this.#smallAt < othersMs ? now + ms : 0
  }
}
