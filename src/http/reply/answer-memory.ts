/**
 * A bound on the memory of all answers that their clients have not read yet. One answer may have tens
 * of megabytes, and whoever asks again and again and never reads would fill the memory with them
 * long before the first connection is given up for its silence.
 *
 * Beyond the bound the client that has been at it for longest is cut off: nobody else is refused
 * anything. Small answers are not held: they go into the socket's own buffers at once.
 */
export interface UnreadAnswer {
  readonly bytes: number
  /** Closes the connection, and releases the answer. */
  cutOff(): void
}

export class AnswerMemory {
  readonly #bytesMax: number
  /** In the order in which they were ready. */
  readonly #held = new Set<UnreadAnswer>()
  #heldBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Counts an answer until it is released. The youngest is never cut off, whatever its size. */
  hold(answer: UnreadAnswer): void {
    this.#held.add(answer)
    this.#heldBytes += answer.bytes
    for (const oldest of this.#held) {
      if (this.#heldBytes <= this.#bytesMax || oldest === answer) return
      this.letGo(oldest)
      oldest.cutOff()
    }
  }

  /** An answer that was read, or given up; one that is not held is no matter. */
  letGo(answer: UnreadAnswer): void {
    if (this.#held.delete(answer)) this.#heldBytes -= answer.bytes
  }
}
