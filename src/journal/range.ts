/**
 * A run of consecutive frames of one journal file, with what each stream has in it. The unit in which
 * the journal is planned and scanned: frames would be too many, whole files too coarse.
 */

import type { Sequence } from '../record.ts'
import type { StreamSummary } from './batch-writer.ts'
import type { FrameSpan } from './frame.ts'
import type { CommittedFrame } from './journal.ts'

/** Bytes after which a range is closed: 2 to 4 ms of scanning. */
const rangeBytesTarget = 4 * 1024 * 1024

export interface JournalRange extends FrameSpan {
  readonly recordCount: number
  /** Of the last record. */
  readonly maxSequence: Sequence
  readonly streams: Iterable<StreamSummary>
}

/** Whether a frame continues where a range ends, and may be taken into it. */
export function goesOn(
  range: Pick<JournalRange, 'file' | 'offset' | 'bytes'>,
  frame: Pick<CommittedFrame, 'file' | 'offset'>,
): boolean {
  const follows = frame.file === range.file && frame.offset === range.offset + range.bytes
  return follows && range.bytes < rangeBytesTarget
}

/** Gathers frames, in order and without a gap, into the range that they make. */
export class RangeBuilder implements JournalRange {
  readonly file: number
  readonly offset: number
  bytes = 0
  recordCount = 0
  maxSequence: Sequence = -1
  readonly #streams = new Map<string, StreamSummary>()

  constructor(file: number, offset: number) {
    this.file = file
    this.offset = offset
  }

  get streams(): Iterable<StreamSummary> {
    return this.#streams.values()
  }

  add(frame: Pick<CommittedFrame, 'bytes' | 'header' | 'streams'>): void {
    this.bytes += frame.bytes
    this.maxSequence = frame.header.firstSequence + frame.header.recordCount - 1
    for (const summary of frame.streams) {
      this.recordCount += summary.recordCount
      const key = `${summary.service}\0${summary.environment}`
      const total = this.#streams.get(key)
      if (total === undefined) {
        this.#streams.set(key, { ...summary, levelCounts: new Map(summary.levelCounts) })
      } else {
        addSummary(total, summary)
      }
    }
  }
}

function addSummary(total: StreamSummary, more: StreamSummary): void {
  total.recordCount += more.recordCount
  if (more.minTimestamp < total.minTimestamp) total.minTimestamp = more.minTimestamp
  if (more.maxTimestamp > total.maxTimestamp) total.maxTimestamp = more.maxTimestamp
  for (const [level, count] of more.levelCounts) {
    total.levelCounts.set(level, (total.levelCounts.get(level) ?? 0) + count)
  }
}
