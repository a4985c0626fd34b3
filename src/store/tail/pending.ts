/**
 * Frames that are durable and that no tail has looked at yet, joined to ranges. Each range keeps its
 * file from being deleted, from when its first frame came until it is done.
 */
import type { CommittedFrame } from '../../journal/journal.ts'
import type { Sequence } from '../../record.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'

/** Bytes after which a range is closed: this much is tried and sent at a time. */
const rangeBytesTarget = 512 * 1024

export interface PendingRange {
  readonly file: number
  readonly offset: number
  bytes: number
  readonly firstSequence: Sequence
  /** The one after the last. */
  endSequence: Sequence
  /** Lets the file go. */
  readonly leave: () => void
}

export class PendingRanges {
  readonly #queries: QueriesUnderWay
  #ranges: PendingRange[] = []
  #bytes = 0
  /** Whether the next frame begins a new range. */
  #isCut = false

  constructor(queries: QueriesUnderWay) {
    this.#queries = queries
  }

  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0
  }

  add(frames: readonly CommittedFrame[]): void {
    for (const { file, offset, bytes, header } of frames) {
      const { firstSequence, recordCount } = header
      const last = this.#isCut ? undefined : this.#ranges.at(-1)
      const follows = last?.file === file && last.offset + last.bytes === offset
      if (last !== undefined && follows && last.bytes < rangeBytesTarget) {
        last.bytes += bytes
        last.endSequence = firstSequence + recordCount
      } else {
        const endSequence = firstSequence + recordCount
        const leave = this.#queries.enter()
        this.#ranges.push({ file, offset, bytes, firstSequence, endSequence, leave })
        this.#isCut = false
      }
      this.#bytes += bytes
    }
  }

  /** Frames to come begin a new range: a client that begins now wants these, but none before. */
  cut(): void {
    this.#isCut = true
  }

  /** Takes out the first ranges, at most `countMax`. They are the taker's to release. */
  take(countMax: number): PendingRange[] {
    const taken = this.#ranges.splice(0, countMax)
    for (const { bytes } of taken) this.#bytes -= bytes
    return taken
  }

  /** Puts back, in front, what was taken out last and is still to be done. */
  putBack(ranges: readonly PendingRange[]): void {
    this.#ranges.unshift(...ranges)
    for (const { bytes } of ranges) this.#bytes += bytes
  }

  clear(): void {
    for (const { leave } of this.take(this.#ranges.length)) leave()
  }
}
