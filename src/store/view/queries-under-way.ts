/**
 * Knows when the queries that may still read a file have ended, so that it can be deleted: a query
 * keeps the files of its view until it is done.
 */
export class QueriesUnderWay {
  readonly #queries = new Set<Promise<void>>()

  /** A query begins; call the result when it has ended. */
  enter(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#queries.add(promise)
    return () => {
      this.#queries.delete(promise)
      resolve()
    }
  }

  /** Resolves when all queries that are under way now have ended. */
  async whenPassed(): Promise<void> {
    await Promise.all(this.#queries)
  }
}
