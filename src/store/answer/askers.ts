/** Knows whether somebody waits for an answer, for work that gives way to all questions. */
export class Askers {
  #count = 0
  #lastAt = Number.NEGATIVE_INFINITY

  /** Somebody asks; call the result when the answer is there. */
  enter(): () => void {
    this.#count++
    return () => {
      this.#count--
      this.#lastAt = performance.now()
    }
  }

  /** Whether nobody asks, and nobody has for so long, ms. */
  areQuiet(forMs: number): boolean {
    return this.#count === 0 && performance.now() - this.#lastAt >= forMs
  }
}
