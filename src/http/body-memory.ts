/**
 * A bound on the memory of all bodies at once. A batch of events is in memory from its first bytes
 * until it is answered, on disk or not; without a bound, a hundred slow uploads would hold a
 * hundred times the limit of one.
 *
 * Bodies that come in one piece are not counted: they are small, and `ingest/` counts them at once.
 */

import { ProblemError } from '../problems.ts'

export class BodyMemory {
  readonly #bytesMax: number
  #heldBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** 0 when no request is under way. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /**
   * Counts `bytes` more, until they are given back. Throws `ingest_overloaded` when that is too
   * much; a body that is alone is let through, whatever its size, or it could never be sent.
   */
  take(bytes: number): void {
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#bytesMax) {
      const detail = `${this.#heldBytes} bytes of other bodies are being received`
      throw new ProblemError('ingest_overloaded', detail, { retryAfterSeconds: 1 })
    }
    this.#heldBytes += bytes
  }

  giveBack(bytes: number): void {
    this.#heldBytes -= bytes
  }
}
