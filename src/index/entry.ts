/**
 * What a plan is made from: one small entry per stream and source, of the journal's ranges (kept in
 * memory) and of the segments' blocks (kept in LMDB).
 */

import type { RecordTimes, Sequence, Stream, TimeRange } from '../record.ts'
import type { SourceRef } from './source.ts'

/** Of the records of a stream in a source. */
export interface IndexEntry extends RecordTimes {
  readonly stream: Stream
  /** Level and count in turn; only levels that occur. */
  readonly levelCounts: readonly (string | number)[]
  readonly source: SourceRef
}

/** Which streams are wanted. */
export interface WantedStreams {
  matchesStream(stream: Stream): boolean
}

/** Which entries a query can use: those whose stream is wanted and whose time overlaps; of files and
 *  ranges in which something arrived late enough. */
export interface EntryFilter extends TimeRange {
  readonly streams: WantedStreams
  /** Sources in which nothing arrived after this are of no use; absent: all may be. */
  readonly arrivedAfter?: Sequence
}

/** Calls `visit` with each level of an entry and its records. */
export function forEachLevel(
  { levelCounts }: Pick<IndexEntry, 'levelCounts'>,
  visit: (level: string, count: number) => void,
): void {
  for (let i = 0; i < levelCounts.length; i += 2) {
    visit(levelCounts[i] as string, levelCounts[i + 1] as number)
  }
}

export const allEntries: EntryFilter = {
  streams: { matchesStream: () => true },
  startTime: Number.NEGATIVE_INFINITY,
  endTime: Number.POSITIVE_INFINITY,
}
