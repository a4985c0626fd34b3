/** Segments as the choice of what to merge or delete sees them, without files. */
import { emptySummary } from '../../src/index/segment-summary.ts'
import type { LiveSegment } from '../../src/store/view/segments.ts'

/** A segment of one block, of 100 bytes, at time 0, with what a test says otherwise. */
export function liveSegment(number: number, more: Partial<LiveSegment> = {}): LiveSegment {
  return {
    number,
    day: '2026-11-20',
    path: `segments/2026-11-20/${number}.seg`,
    bytes: 100,
    recordCount: 10,
    blockCount: 1,
    minTimestamp: 0,
    maxTimestamp: 0,
    madeAt: 0,
    maxSequence: 0,
    summary: emptySummary,
    ...more,
  }
}

export function numbersOf(segments: readonly LiveSegment[]): number[] {
  return segments.map(({ number }) => number)
}
