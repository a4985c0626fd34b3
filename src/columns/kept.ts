/** What a column or block keeps of what it has read or made: memory that can be had back, at a price. */

export interface Kept {
  /** Of memory, roughly. */
  readonly heldBytes: number
  /** How long it took to read and make, ms. */
  readonly makingMs: number
  /** Whether few questions look at it: large, and mostly for the records of an answer. */
  readonly isSeldomNeeded: boolean
  /** Lets go of it; it is made again when it is needed. */
  release(): void
}

/** Who keeps things of several kinds. */
interface Owner<Kind> {
  /** Drops all of a kind. */
  forget(kind: Kind): void
}

/** Counts what the things of one kind take. */
export class KeptSum<Kind> implements Kept {
  heldBytes = 0
  makingMs = 0
  readonly isSeldomNeeded: boolean
  readonly kind: Kind
  readonly #owner: Owner<Kind>

  constructor(owner: Owner<Kind>, kind: Kind, isSeldomNeeded = false) {
    this.isSeldomNeeded = isSeldomNeeded
    this.#owner = owner
    this.kind = kind
  }

  /** Makes something to keep, which will take so many bytes. */
  make<T>(make: () => T, bytesOf: (made: T) => number): T {
    const startedAt = performance.now()
    const made = make()
    this.makingMs += performance.now() - startedAt
    this.heldBytes += bytesOf(made)
    return made
  }

  release(): void {
    this.#owner.forget(this.kind)
    this.heldBytes = 0
    this.makingMs = 0
  }
}
