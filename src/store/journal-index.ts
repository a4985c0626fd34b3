/**
 * Keeps the index in step with the journal: frames that have just become durable gather in ranges,
 * full ranges go to LMDB in the background, and what is not there yet is planned from memory.
 *
 * A query sees each frame exactly once. An entry in LMDB counts only up to the watermark, which moves
 * in the same turn of the event loop in which the range leaves memory; what LMDB already holds beyond
 * it is still in memory too.
 */
import type { Logger } from 'pino'
import type { BlockIndex, FileProgress, IndexEntry } from '../index/block-index.ts'
import type { CommittedFrame } from '../journal/journal.ts'
import { type JournalRange, RangeBuilder, rangeBytesTarget } from '../journal/range.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'

/** Wait before the index is tried again after a failure (a full disk, most likely). */
const retryMs = 2_000

/** One step of the background work: ranges to add, and how far their file then is. */
interface IndexStep {
  readonly ranges: readonly JournalRange[]
  readonly file: number
  readonly progress: FileProgress
}

export class JournalIndex {
  readonly #index: BlockIndex
  readonly #logger: Logger
  /** Frames that make no full range yet. */
  #open: RangeBuilder | undefined
  readonly #steps: IndexStep[] = []
  #indexing: Promise<void> | undefined
  #isClosing = false
  /** Everything before this place is read from LMDB, everything from it on from memory. */
  #watermark = { file: 0, offset: 0 }
  #nextSequence: Sequence
  #recordCount = 0

  constructor(index: BlockIndex, nextSequence: Sequence, logger: Logger) {
    this.#index = index
    this.#nextSequence = nextSequence
    this.#logger = logger
    // All that recovery found is in LMDB, and new files get higher numbers.
    for (const file of index.fileProgress().keys()) {
      this.#watermark = { file: file + 1, offset: 0 }
    }
    for (const entry of this.#allEntries()) this.#recordCount += entry.recordCount
  }

  /** Makes frames visible to queries. They follow those before without a gap, or begin a new file. */
  add(frames: readonly CommittedFrame[]): void {
    for (const frame of frames) {
      this.#open ??= new RangeBuilder(frame.file, frame.offset)
      this.#open.add(frame)
      this.#nextSequence = frame.header.firstSequence + frame.header.recordCount
      this.#recordCount += frame.header.recordCount
      if (this.#open.bytes >= rangeBytesTarget) {
        this.#closeRange(frame.file, frame.offset + frame.bytes, false)
      }
    }
  }

  /** No frames will come for this file, which ends after `bytes`. */
  closeFile(file: number, bytes: number): void {
    this.#closeRange(file, bytes, true)
  }

  /** Records of all files. */
  get recordCount(): number {
    return this.#recordCount
  }

  /** Entries as `BlockIndex.entries` gives them, of LMDB and memory together. */
  *entries(
    isWanted: (stream: Stream) => boolean,
    startTime: Timestamp,
    endTime: Timestamp,
  ): Generator<IndexEntry> {
    const { file, offset } = this.#watermark
    for (const entry of this.#index.entries(isWanted, startTime, endTime)) {
      const isKnown = entry.file < file || (entry.file === file && entry.offset < offset)
      if (isKnown) yield entry
    }
    for (const range of this.#rangesInMemory()) {
      for (const summary of range.streams) {
        const overlaps = summary.minTimestamp <= endTime && summary.maxTimestamp >= startTime
        if (!overlaps || !isWanted(summary)) continue
        const { minTimestamp, maxTimestamp, recordCount } = summary
        yield {
          stream: summary,
          minTimestamp,
          maxTimestamp,
          recordCount,
          levelCounts: [...summary.levelCounts].flat(),
          file: range.file,
          offset: range.offset,
          bytes: range.bytes,
        }
      }
    }
  }

  /** Waits until LMDB holds everything; what it cannot take is found again by the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#indexing
  }

  #allEntries(): Iterable<IndexEntry> {
    return this.entries(() => true, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  }

  *#rangesInMemory(): Generator<JournalRange> {
    for (const step of this.#steps) yield* step.ranges
    if (this.#open !== undefined) yield this.#open.range
  }

  /** Hands the open range, if any, to the background work; the file is indexed up to `indexedBytes`. */
  #closeRange(file: number, indexedBytes: number, isClosed: boolean): void {
    const range = this.#open?.range
    this.#open = undefined
    this.#steps.push({
      ranges: range ? [range] : [],
      file,
      progress: { indexedBytes, isClosed, nextSequence: this.#nextSequence },
    })
    this.#indexing ??= this.#runSteps()
  }

  async #runSteps(): Promise<void> {
    while (this.#steps.length > 0) {
      const step = this.#steps[0]!
      try {
        await this.#index.add(step.ranges, step.file, step.progress)
      } catch (error) {
        this.#logger.warn({ err: error }, 'the index could not be written; trying again')
        if (this.#isClosing) return
        await new Promise(resolve => setTimeout(resolve, retryMs))
        continue
      }
      this.#steps.shift()
      this.#watermark = { file: step.file, offset: step.progress.indexedBytes }
    }
    this.#indexing = undefined
  }
}
