/** Which segments are to be deleted, by age and by size. Whole segments go, the oldest first. */
import type { Config } from '../../config/config.ts'
import type { Timestamp } from '../../record.ts'
import type { LiveSegment } from '../view/segments.ts'

export interface RetentionBounds {
  /** Records older than this may go; a segment goes when its youngest is. Undefined: kept for ever. */
  readonly ageMsMax: number | undefined
  /** Bytes of all segments together; beyond it the oldest go. Undefined: no bound. */
  readonly bytesMax: number | undefined
}

/** As the configuration says. */
export function retentionOf({ retentionAgeMs, retentionBytes }: Config): RetentionBounds {
  return { ageMsMax: retentionAgeMs, bytesMax: retentionBytes }
}

/** The segments that the bounds do not allow to stay. */
export function segmentsToDelete(
  segments: Iterable<LiveSegment>,
  { ageMsMax, bytesMax }: RetentionBounds,
  now: Timestamp,
): LiveSegment[] {
  const oldestFirst = [...segments].sort(
    (a, b) => a.maxTimestamp - b.maxTimestamp || a.number - b.number,
  )
  const oldest = ageMsMax === undefined ? Number.NEGATIVE_INFINITY : now - ageMsMax
  let bytes = oldestFirst.reduce((sum, segment) => sum + segment.bytes, 0)
  return oldestFirst.filter(segment => {
    const isTooOld = segment.maxTimestamp < oldest
    const isTooMuch = bytesMax !== undefined && bytes > bytesMax
    if (!isTooOld && !isTooMuch) return false
    bytes -= segment.bytes
    return true
  })
}
