/**
 * Counts per distinct value of one field: exact up to a bound, and beyond it nothing but the fact that
 * there are too many. What is over a bound in one thread is over it in all together, so the verdict
 * does not depend on who counted what.
 */

export interface ValueBounds {
  /** Distinct values. */
  readonly countMax: number
  /** Characters of all distinct values together. */
  readonly lengthMax: number
}

/** Which values are counted, and how many there may be. */
export interface ValuesWanted {
  /** What a value must begin with, in the same case; empty for all values. Well-formed, because
   *  half of a character has no bytes to look for. */
  readonly prefix: string
  readonly bounds: ValueBounds
}

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** As it travels between threads: value `i` was counted `counts[i]` times. Undefined: too many. */
export type PlainValues = { readonly values: string[]; readonly counts: number[] } | undefined

export class ValueCounts {
  readonly wanted: ValuesWanted
  /** Undefined once there are too many. */
  #counts: Map<string, number> | undefined = new Map()
  /** Characters of all values. */
  #length = 0

  constructor(wanted: ValuesWanted) {
    this.wanted = wanted
  }

  get isOver(): boolean {
    return this.#counts === undefined
  }

  /** Distinct values; 0 when there are too many. */
  get size(): number {
    return this.#counts?.size ?? 0
  }

  /** Adds `count` records, one or more, whose value this is. */
  add(value: string, count: number): void {
    const counts = this.#counts
    if (counts === undefined) return
    const known = counts.get(value)
    if (known !== undefined) {
      counts.set(value, known + count)
      return
    }
    const { prefix, bounds } = this.wanted
    if (!value.startsWith(prefix)) return
    counts.set(value, count)
    this.#length += value.length
    if (counts.size > bounds.countMax || this.#length > bounds.lengthMax) this.#counts = undefined
  }

  toPlain(): PlainValues {
    if (this.#counts === undefined) return undefined
    return { values: [...this.#counts.keys()], counts: [...this.#counts.values()] }
  }

  addPlain(plain: PlainValues): void {
    if (plain === undefined) {
      this.#counts = undefined
      return
    }
    for (const [i, value] of plain.values.entries()) this.add(value, plain.counts[i]!)
  }

  /** The most frequent values, ties by value; none when there are too many. */
  top(limit: number): ValueCount[] {
    return Array.from(this.#counts ?? [], ([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, limit)
  }
}
