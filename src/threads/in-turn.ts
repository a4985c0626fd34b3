/** Changes, one after the other: each begins when the one before has ended, well or not. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change)
    this.#last = done.catch(() => {}) // Whoever asked for it is told.
    return done
  }

  /** Resolves when all have ended that were asked for so far. */
  async settled(): Promise<void> {
    await this.#last
  }
}
