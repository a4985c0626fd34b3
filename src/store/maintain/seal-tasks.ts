/** What a seal thread is asked to do, with an answer that can go from thread to thread. */
import type { Disk } from '../../disk/disk.ts'
import { SegmentCorrupt, SegmentWriteFailed } from '../../segment/segment-error.ts'
import { type CompactTask, compactSegments } from './compact.ts'
import { type SealTask, sealJournal, type WrittenSegment } from './seal.ts'

/** An error's class does not survive the way between threads; what it means does. */
export type SealFailure =
  | { readonly failure: 'disk-full' | 'other'; readonly reason: string }
  /** `path`: of the segment that cannot be read whole. */
  | { readonly failure: 'damaged'; readonly reason: string; readonly path: string }

/** Writes the segments of journal files, one a day. A failure, such as a full disk, is returned. */
export function seal(task: SealTask, disk: Disk): WrittenSegment[] | SealFailure {
  return orFailure(() => sealJournal(task, disk))
}

/** Writes one segment of several of a day. A failure, such as a full disk, is returned. */
export function compact(task: CompactTask, disk: Disk): WrittenSegment[] | SealFailure {
  return orFailure(() => [compactSegments(task, disk)])
}

function orFailure(work: () => WrittenSegment[]): WrittenSegment[] | SealFailure {
  try {
    return work()
  } catch (error) {
    const reason = (error as Error).message
    if (error instanceof SegmentCorrupt) return { failure: 'damaged', reason, path: error.path }
    if (error instanceof SegmentWriteFailed && error.isDiskFull) {
      return { failure: 'disk-full', reason }
    }
    return { failure: 'other', reason }
  }
}
