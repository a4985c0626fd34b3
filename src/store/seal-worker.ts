/** The entry point of a seal thread (Piscina calls these by name). */
import os from 'node:os'
import { SegmentCorrupt, SegmentWriteFailed } from '../segment/segment-error.ts'
import { type CompactTask, compactSegments } from './compact.ts'
import { type SealTask, sealJournal, type WrittenSegment } from './seal.ts'

/** Senders and queries come first; what is not sealed yet is only larger and a little slower. */
const niceness = 5
// On Linux this is the thread's own, and not the process's. Elsewhere nothing would be gained by it.
if (process.platform === 'linux') os.setPriority(niceness)

/** An error's class does not survive the way between threads; what it means does. */
export interface SealFailure {
  readonly failure: 'disk-full' | 'damaged' | 'other'
  readonly reason: string
}

export function seal(task: SealTask): WrittenSegment[] | SealFailure {
  return orFailure(() => sealJournal(task))
}

export function compact(task: CompactTask): WrittenSegment[] | SealFailure {
  return orFailure(() => [compactSegments(task)])
}

function orFailure(work: () => WrittenSegment[]): WrittenSegment[] | SealFailure {
  try {
    return work()
  } catch (error) {
    const reason = (error as Error).message
    if (error instanceof SegmentCorrupt) return { failure: 'damaged', reason }
    if (error instanceof SegmentWriteFailed && error.isDiskFull) {
      return { failure: 'disk-full', reason }
    }
    return { failure: 'other', reason }
  }
}
