/** The queries that were run in this browser, newest last, and going through them with the keys. */

const lengthMax = 100

export class QueryHistory {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #key: string
  /** How far back one is; 0: at the text that is being typed. */
  #depth = 0
  #typed = ''

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, name = 'queries') {
    this.#storage = storage
    this.#key = `logstrata.history.${name}`
  }

  /** Oldest first. */
  list(): readonly string[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(one => typeof one === 'string') : []
    } catch {
      return []
    }
  }

  /** Keeps a query that was run; one that was run before moves to the end. */
  add(query: string): void {
    this.#depth = 0
    if (query.trim() === '') return
    const kept = [...this.list().filter(one => one !== query), query].slice(-lengthMax)
    try {
      this.#storage.setItem(this.#key, JSON.stringify(kept))
    } catch {
      // The browser gives no more room: the history ends here.
    }
  }

  /** The one before; undefined at the oldest. `current` is what is in the box. */
  earlier(current: string): string | undefined {
    if (this.#depth === 0) this.#typed = current
    const all = this.list().filter(one => one !== this.#typed)
    if (this.#depth >= all.length) return undefined
    this.#depth += 1
    return all.at(-this.#depth)
  }

  /** The one after, at the end what was being typed; undefined when one is there already. */
  later(): string | undefined {
    if (this.#depth === 0) return undefined
    this.#depth -= 1
    const all = this.list().filter(one => one !== this.#typed)
    return this.#depth === 0 ? this.#typed : all.at(-this.#depth)
  }
}
