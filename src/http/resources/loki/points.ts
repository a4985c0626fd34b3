/** The times of the points that are asked for over a range. */

import { invalid, readDurationMs } from '../prometheus/parameters.ts'
import { pointsPerSeriesMax } from '../prometheus/query.ts'
import type { Points } from '../prometheus/series-text.ts'
import { type TimeRange, toMs } from './times.ts'

/** Points of a range that names no step. */
const pointsDefault = 250

/**
 * The points of `step`: at multiples of it since 1970, so that the same buckets come again when the page
 * asks again; from that before or at the begin of the range up to that at or after its end.
 */
export function readPoints(parameters: URLSearchParams, range: TimeRange): Points {
  const [startMs, endMs] = [toMs(range.start), toMs(range.end)]
  const seconds = Math.ceil((endMs - startMs) / 1000 / pointsDefault)
  const stepMs = readDurationMs(parameters, 'step', Math.max(1, seconds) * 1000)
  const first = Math.floor(startMs / stepMs)
  const last = Math.ceil(endMs / stepMs)
  const pointCount = last - first + 1
  if (pointCount > pointsPerSeriesMax + 1) {
    const detail = `exceeded maximum resolution of ${pointsPerSeriesMax} points per time series: take a longer "step"`
    throw invalid('step', detail, parameters.get('step') ?? undefined)
  }
  return { start: first * stepMs, stepMs, pointCount }
}
