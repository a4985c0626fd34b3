/**
 * Marks of records, one byte each, in memory that is used again from block to block: tens of kilobytes for
 * each of hundreds of blocks would keep the garbage collector busier than the search.
 */
export class Marks {
  #bytes = new Uint8Array(0)

  /** `count` marks of `value`. Valid until the next call. */
  take(count: number, value: 0 | 1): Uint8Array {
    if (this.#bytes.length < count) this.#bytes = new Uint8Array(2 * count)
    return this.#bytes.subarray(0, count).fill(value)
  }
}

/** The marks of some records. A loop: `Uint8Array.from` makes objects of what it takes. */
export function marksOf(rows: ArrayLike<number>, marks: Uint8Array): Uint8Array {
  const picked = new Uint8Array(rows.length)
  for (let i = 0; i < picked.length; i++) picked[i] = marks[rows[i]!]!
  return picked
}
