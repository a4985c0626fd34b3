/**
 * What waits for one tailing client: bounded, because a client may read as slowly as it likes. Beyond
 * the bound the oldest texts go, each as a whole. What is missing is in the queue as a gap, at the
 * place where it is missing and with the exact number of records, until the client is told.
 */
import { limits } from '../../limits.ts'

/** Matching records in order of arrival as text, or only their number: a gap. */
export interface TailText {
  readonly count: number
  readonly text: Uint8Array | undefined
}

export class TailQueue {
  readonly #noteDropped: (count: number) => void
  /** No two gaps stand side by side. */
  #items: TailText[] = []
  #textCount = 0
  #recordCount = 0
  #bytes = 0

  /** `noteDropped` is called with the number of records that the client will not get. */
  constructor(noteDropped: (count: number) => void) {
    this.#noteDropped = noteDropped
  }

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  push(item: TailText): void {
    if (item.text === undefined) this.#noteDropped(item.count)
    this.#append(item)
  }

  /** Puts what arrived earlier in front of all that waits. */
  prepend(earlier: readonly TailText[]): void {
    const later = this.#items
    this.#items = []
    this.#textCount = 0
    this.#recordCount = 0
    this.#bytes = 0
    for (const item of earlier) this.push(item)
    for (const item of later) this.#append(item) // The gaps among them have been noted.
  }

  /** The next text or gap. */
  take(): TailText | undefined {
    const first = this.#items.shift()
    if (first !== undefined) this.#leave(first)
    return first
  }

  #append(item: TailText): void {
    if (item.count === 0) return
    const last = this.#items.at(-1)
    if (item.text === undefined && last !== undefined && last.text === undefined) {
      const count = last.count + item.count
      this.#items[this.#items.length - 1] = { count, text: undefined }
      return
    }
    this.#items.push(item)
    if (item.text === undefined) return
    this.#textCount++
    this.#recordCount += item.count
    this.#bytes += item.text.byteLength
    // The last text stays, however large: a record above the bound must get through.
    while (this.#isOverBound() && this.#textCount > 1) this.#dropOldest()
  }

  #isOverBound(): boolean {
    const { tailQueueRecordsMax, tailQueueBytesMax } = limits
    return this.#recordCount > tailQueueRecordsMax || this.#bytes > tailQueueBytesMax
  }

  /** Makes one gap of the oldest text and of those that it touches. */
  #dropOldest(): void {
    let missing = 0
    const end = this.#items.findIndex(({ text }) => text !== undefined) + 1
    const hasGapBehind = this.#items[end]?.text === undefined && end < this.#items.length
    for (const item of this.#items.splice(0, hasGapBehind ? end + 1 : end)) {
      missing += item.count
      this.#leave(item)
      if (item.text !== undefined) this.#noteDropped(item.count)
    }
    this.#items.unshift({ count: missing, text: undefined })
  }

  #leave({ count, text }: TailText): void {
    if (text === undefined) return
    this.#textCount--
    this.#recordCount -= count
    this.#bytes -= text.byteLength
  }
}
