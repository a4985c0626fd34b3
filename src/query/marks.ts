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

const wordBytes = Uint32Array.BYTES_PER_ELEMENT
const onesInWord = 0x01010101

/**
 * Unmarks records that another list of marks does not have, or, `isNegated`, that it has. Of tens of
 * thousands four at a time, where both begin at a word of their memory, as those of `Marks` do.
 */
export function keepMarked(marks: Uint8Array, others: Uint8Array, isNegated: boolean): void {
  const isAligned = marks.byteOffset % wordBytes === 0 && others.byteOffset % wordBytes === 0
  const wordCount = isAligned ? Math.floor(marks.length / wordBytes) : 0
  const flip = isNegated ? onesInWord : 0
  if (wordCount > 0) {
    const words = new Uint32Array(marks.buffer, marks.byteOffset, wordCount)
    const otherWords = new Uint32Array(others.buffer, others.byteOffset, wordCount)
    for (let i = 0; i < wordCount; i++) words[i]! &= otherWords[i]! ^ flip
  }
  for (let i = wordCount * wordBytes; i < marks.length; i++) marks[i]! &= others[i]! ^ (flip & 1)
}
