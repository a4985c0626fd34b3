/**
 * Divides long work on the main thread into slices, so that no query stalls the others, and a query
 * that nobody waits for any more ends.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest that others wait, about, in ms. */
const sliceMs = 10

export class TimeSlice {
  readonly #signal: AbortSignal | undefined
  #sliceBeganAt = performance.now()

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Await this between two pieces of work. Throws the signal's reason when it is aborted. */
  async yieldWhenOver(): Promise<void> {
    if (performance.now() - this.#sliceBeganAt < sliceMs) return
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#sliceBeganAt = performance.now()
  }
}
