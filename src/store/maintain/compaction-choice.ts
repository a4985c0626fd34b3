/**
 * Which segments are worth merging. Segments of one day and of about the same size are merged, so that
 * each record is written again only once each time its segment's size grows fourfold.
 */
import { blockRecordsMax } from '../../segment/block-builder.ts'
import type { LiveSegment } from '../view/segments.ts'

/** Segments of one size that make a merge worth its work. */
const segmentsPerMerge = 4
/** Records of one merge: where they are and in what order is known of all of a stream at once. */
const mergedRecordsMax = 4_000_000
/** Blocks filled so far gain nothing from merging. */
const fullShare = 0.75

/**
 * The segments to merge next, or none. All of one day. `bytesMax`: what a merge may hold, so that
 * retention by size, which deletes whole segments, does not take too much at once.
 */
export function segmentsToCompact(
  segments: Iterable<LiveSegment>,
  bytesMax = Number.POSITIVE_INFINITY,
): LiveSegment[] {
  const candidates = [...segments].filter(
    segment => segment.recordCount < fullShare * blockRecordsMax * segment.blockCount,
  )
  const alike = Map.groupBy(candidates, segment => `${segment.day} ${sizeClass(segment)}`)
  for (const group of alike.values()) {
    if (group.length < segmentsPerMerge) continue
    const chosen = fitting(
      group.sort((a, b) => a.number - b.number),
      bytesMax,
    )
    if (chosen.length >= segmentsPerMerge) return chosen
  }
  return []
}

function sizeClass({ recordCount }: LiveSegment): number {
  return Math.floor(Math.log(recordCount) / Math.log(segmentsPerMerge))
}

function fitting(segments: readonly LiveSegment[], bytesMax: number): LiveSegment[] {
  let recordCount = 0
  let bytes = 0
  return segments.filter(segment => {
    recordCount += segment.recordCount
    bytes += segment.bytes
    return recordCount <= mergedRecordsMax && bytes <= bytesMax
  })
}
