/** Gathers the frames that an earlier process left into ranges, at a start, when there may be millions. */
import type { Sequence } from '../record.ts'
import { goesOn, type JournalRange } from './range.ts'
import { RangeCounter } from './range-counter.ts'
import type { RecoveredFrame } from './recover.ts'

interface GrowingRange {
  readonly file: number
  readonly offset: number
  bytes: number
  recordCount: number
  maxSequence: Sequence
}

export class RecoveredRanges {
  readonly #onRange: (range: JournalRange) => void
  readonly #counter = new RangeCounter()
  #growing: GrowingRange | undefined

  /** `onRange` is given each range when it is whole. */
  constructor(onRange: (range: JournalRange) => void) {
    this.#onRange = onRange
  }

  /** Adds a frame, in order of their place; a gap between two (damage) begins a new range. */
  add(frame: RecoveredFrame): void {
    if (this.#growing !== undefined && !goesOn(this.#growing, frame)) this.end()
    const { file, offset, bytes, header } = frame
    this.#growing ??= { file, offset, bytes: 0, recordCount: 0, maxSequence: -1 }
    this.#growing.bytes += bytes
    this.#growing.recordCount += header.recordCount
    this.#growing.maxSequence = header.firstSequence + header.recordCount - 1
    this.#counter.add(frame.payload)
  }

  /** No frame follows the last one. */
  end(): void {
    if (this.#growing !== undefined) {
      this.#onRange({ ...this.#growing, streams: this.#counter.take() })
    }
    this.#growing = undefined
  }
}
