/** What a test lets go wrong with the engine. */

export interface Faults {
  /** How long every answer waits, ms. */
  readonly delayMs?: number
  /** Inserts are refused as by a server whose disk is full. */
  readonly isFull?: boolean
  /** Of so many next answers to questions only the first half is sent; then the connection is cut. */
  readonly halves?: number
  /** So many next inserts of records are carried out, and the connection is cut instead of an answer. */
  readonly unansweredInserts?: number
  /** So many next inserts of records are not carried out: the connection is cut when their body is there. */
  readonly droppedInserts?: number
  /** The process kills itself, as `kill -9` would, at the next insert. */
  readonly dies?: 'before-insert' | 'after-insert'
  /** So many next requests of any kind are answered with 503 and no text of ClickHouse's, as by a proxy. */
  readonly badGateways?: number
}

type Counted = 'halves' | 'unansweredInserts' | 'droppedInserts' | 'badGateways'

/** Those that hold now. */
export class FaultState {
  #now: Faults = {}

  set(faults: Faults): void {
    this.#now = faults
  }

  get now(): Faults {
    return this.#now
  }

  /** Whether the fault happens this time. */
  takes(name: Counted): boolean {
    const left = this.#now[name] ?? 0
    if (left > 0) this.#now = { ...this.#now, [name]: left - 1 }
    return left > 0
  }
}
