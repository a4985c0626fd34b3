/**
 * The first rows of an order out of any number offered, as an export needs them: thousands at a time,
 * in columns. What is kept is where each row lies.
 */
import type { Sequence, Timestamp } from '../../record.ts'
import type { Order } from '../top-k.ts'
import type { ExportTarget } from './task.ts'

/** Where rows are in the order and where they lie, in columns of `capacity` each. */
class Places {
  readonly timestamps: Float64Array
  readonly sequences: Float64Array
  /** The caller's number of the row's columns, and the row in them. */
  readonly parts: Uint32Array
  readonly rows: Uint32Array

  constructor(capacity: number) {
    this.timestamps = new Float64Array(capacity)
    this.sequences = new Float64Array(capacity)
    this.parts = new Uint32Array(capacity)
    this.rows = new Uint32Array(capacity)
  }
}

/** Used again from choice to choice of the same thread: fresh ones would keep the collector busy. */
let spare: readonly [Places, Places] | undefined

/** One at a time in a thread. */
export class RowChoice {
  readonly #rowsMax: number
  readonly #direction: 1 | -1
  /** Room for twice as many, so that they are sorted now and then instead of kept sorted. */
  readonly #capacity: number
  #places: Places
  #other: Places
  #count = 0
  /** Whether anything offered was left out. */
  isCut = false
  /** The last place of `rowsMax` rows that are kept: what is after it is left out. */
  #worstTimestamp = Number.POSITIVE_INFINITY
  #worstSequence = Number.POSITIVE_INFINITY

  constructor(rowsMax: number, order: Order) {
    this.#rowsMax = rowsMax
    this.#direction = order === 'asc' ? 1 : -1
    this.#capacity = 2 * rowsMax
    if (spare?.[0].rows.length !== this.#capacity) {
      spare = [new Places(this.#capacity), new Places(this.#capacity)]
    }
    ;[this.#places, this.#other] = spare
  }

  /** False when the row comes too late: all that come after it do, too. */
  offer(timestamp: Timestamp, sequence: Sequence, part: number, row: number): boolean {
    const time = this.#direction * timestamp
    const arrival = this.#direction * sequence
    const isBehind =
      time > this.#worstTimestamp ||
      (time === this.#worstTimestamp && arrival > this.#worstSequence)
    if (isBehind) {
      this.isCut = true
      return false
    }
    if (this.#count === this.#capacity) this.#cut()
    const { timestamps, sequences, parts, rows } = this.#places
    const at = this.#count++
    timestamps[at] = time
    sequences[at] = arrival
    parts[at] = part
    rows[at] = row
    return true
  }

  /** Keeps the first `rowsMax` at most, in order. */
  #cut(): void {
    const { timestamps, sequences, parts, rows } = this.#places
    const order = new Uint32Array(this.#count)
    for (let i = 0; i < order.length; i++) order[i] = i
    order.sort((a, b) => timestamps[a]! - timestamps[b]! || sequences[a]! - sequences[b]!)
    if (order.length > this.#rowsMax) this.isCut = true
    this.#count = Math.min(order.length, this.#rowsMax)
    const kept = this.#other
    for (let i = 0; i < this.#count; i++) {
      const from = order[i]!
      kept.timestamps[i] = timestamps[from]!
      kept.sequences[i] = sequences[from]!
      kept.parts[i] = parts[from]!
      kept.rows[i] = rows[from]!
    }
    this.#other = this.#places
    this.#places = kept
    if (this.#count === this.#rowsMax) {
      this.#worstTimestamp = kept.timestamps[this.#count - 1]!
      this.#worstSequence = kept.sequences[this.#count - 1]!
    }
  }

  /**
   * The first `rowsMax` rows in order, their times and numbers written to `target`. What is given is
   * valid until the next choice.
   */
  chosen(target: Pick<ExportTarget, 'timestamps' | 'sequences'>): ChosenRows {
    this.#cut()
    const { timestamps, sequences, parts, rows } = this.#places
    const count = this.#count
    for (let i = 0; i < count; i++) {
      target.timestamps[i] = this.#direction * timestamps[i]!
      target.sequences[i] = this.#direction * sequences[i]!
    }
    return { parts: parts.subarray(0, count), rows: rows.subarray(0, count) }
  }
}

export interface ChosenRows {
  readonly parts: Uint32Array
  readonly rows: Uint32Array
}
