/** Widths of a histogram's buckets that people read easily. */

import { dayMs, hourMs, minuteMs, secondMs } from '../../time-units.ts'

const roundWidthsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map(hours => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90, 180, 365, 730].map(days => days * dayMs),
]

/** About how many buckets a histogram has when the request names no width. */
const bucketsWanted = 60

/**
 * The round width in ms that cuts `rangeMs` into about 60 buckets, never more than 60, or 61 with the
 * alignment.
 */
export function roundBucketMs(rangeMs: number): number {
  const exact = rangeMs / bucketsWanted
  const round = roundWidthsMs.find(width => width >= exact)
  if (round !== undefined) return round
  const widest = roundWidthsMs.at(-1)!
  return Math.ceil(exact / widest) * widest
}
