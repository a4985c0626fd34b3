/** Which points a place or a dragged stretch of the axis of time is about. Times are ms since 1970. */

import { secondMs } from '../../time-units.ts'
import type { ChartProps } from './chart.tsx'

type Points = Pick<ChartProps, 'kind' | 'times' | 'bucketMs'>

export interface Stretch {
  readonly startTime: number
  /** Bars: where the last one ends, and the next begins. */
  readonly endTime: number
}

/** Of stretches at least this long the parts of a second say nothing. */
const wholeSecondsFromMs = 10_000

/** The bar that `time` lies in, or the nearest point of a line; undefined where there are none. */
export function indexAt({ kind, times, bucketMs = 1 }: Points, time: number): number | undefined {
  const first = times[0]
  if (first === undefined) return undefined
  if (kind !== 'lines') return between(Math.floor((time - first) / bucketMs), times.length - 1)
  const after = times.findIndex(one => one >= time)
  if (after <= 0) return after < 0 ? times.length - 1 : 0
  return time - times[after - 1]! < times[after]! - time ? after - 1 : after
}

/** What was dragged over: all bars that were touched, as wholes; on lines, whole seconds. */
export function wholeStretch(points: Points, from: number, to: number): Stretch {
  const { kind, times, bucketMs = 1 } = points
  const [first, last] = [indexAt(points, from), indexAt(points, to)]
  if (kind !== 'lines' && first !== undefined && last !== undefined) {
    // A stretch that ends where a bar begins has nothing of that bar.
    const end = last > first && times[last]! >= to ? last - 1 : last
    return { startTime: times[first]!, endTime: times[end]! + bucketMs }
  }
  const unit = to - from >= wholeSecondsFromMs ? secondMs : 1
  return { startTime: Math.floor(from / unit) * unit, endTime: Math.ceil(to / unit) * unit }
}

function between(index: number, last: number): number {
  return Math.max(0, Math.min(last, index))
}
