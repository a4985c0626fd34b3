/**
 * Large bodies share each turn of the event loop: what is read of them in one turn is bounded, so that
 * single events, and answers of the disk, wait a millisecond behind them. Without a bound, 64 senders
 * whose bodies come at once have 30 MB read and copied before anything else is looked at.
 *
 * A connection that has brought something beyond the bound is paused, and goes on when it is its turn
 * again. One that brings nothing holds up nobody.
 */
import type { NativeResponse } from '../native.ts'

/** Of all bodies in one turn; copied in half a millisecond. One piece has up to 512 KiB. */
const turnBytesMax = 1024 * 1024

/** Paused connections that go on in one turn: each may bring one piece. */
const resumedPerTurn = 2

type Pausable = Pick<NativeResponse, 'pause' | 'resume'>

export class SharedReading {
  #turnBytes = 0
  /** Whoever has waited longest is first. */
  readonly #paused = new Set<Pausable>()
  #isTurnAwaited = false

  /** Counts a piece of a body of which more will come; may pause the connection until later. */
  add(response: Pausable, bytes: number): void {
    this.#turnBytes += bytes
    if (this.#turnBytes > turnBytesMax) {
      response.pause()
      this.#paused.add(response)
    }
    this.#awaitTurn()
  }

  /** The body is over, and its connection free for what comes behind it. */
  end(response: Pausable): void {
    // It may have been paused a moment ago: one piece from the socket may hold several of a body.
    if (this.#paused.delete(response)) response.resume()
  }

  /** Forgets a connection that was closed; it must not be touched any more. */
  delete(response: Pausable): void {
    this.#paused.delete(response)
  }

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return
    this.#isTurnAwaited = true
    setImmediate(() => this.#begin())
  }

  #begin(): void {
    this.#isTurnAwaited = false
    this.#turnBytes = 0
    let resumed = 0
    for (const response of this.#paused) {
      if (resumed++ === resumedPerTurn) break
      this.#paused.delete(response)
      response.resume()
    }
    if (this.#paused.size > 0) this.#awaitTurn()
  }
}
