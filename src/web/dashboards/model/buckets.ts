/** From a widget's time range to the points that are asked for, and from the answers to what is drawn. */

import { roundBucketMs } from '../../../query/collect/bucket-width.ts'
import type { SeriesAsked, TimeSeries } from '../../api/prometheus.ts'
import type { Drawing } from '../../chart/drawings.ts'
import type { Values } from '../../chart/stack.ts'
import type { Times } from '../../time/range.ts'

export type Buckets = Pick<SeriesAsked, 'startTime' | 'endTime' | 'stepMs'>

/** More points than pixels help nobody. */
const pointsMax = 1_500
const statPoints = 60

/**
 * Buckets of a chart, aligned to the epoch, so that a chart that is refreshed does not flicker. The first
 * has the beginning of the range in it. Bars: the last has the end in it; lines end with the last whole
 * bucket, because one that is not over yet looks like a fall.
 * @param bucketSeconds 0: about 60 of a round width.
 */
export function chartBuckets(
  drawing: Drawing,
  bucketSeconds: number,
  { startTime, endTime }: Times,
): Buckets {
  const areBars = ['bars', 'stack', 'heatmap'].includes(drawing)
  const wanted = Math.round(bucketSeconds * 1_000)
  const rangeMs = endTime - startTime
  const base = wanted > 0 ? wanted : roundBucketMs(rangeMs)
  const stepMs = base * Math.max(1, Math.ceil(rangeMs / (base * pointsMax)))
  // The point at t is about the records after t - step, up to t.
  const first = (Math.floor(startTime / stepMs) + 1) * stepMs
  const lastWhole = Math.floor(endTime / stepMs) * stepMs
  const last = areBars ? Math.ceil(endTime / stepMs) * stepMs : lastWhole
  return { startTime: first, endTime: Math.max(first, last), stepMs }
}

/**
 * The whole range as one bucket.
 * @param hasBefore With the same span of time before, as the first of two.
 */
export function wholeBuckets({ startTime, endTime }: Times, hasBefore = false): Buckets {
  const stepMs = Math.max(1, endTime - startTime)
  return { startTime: hasBefore ? endTime - stepMs : endTime, endTime, stepMs }
}

/** Buckets of a value: they end with the range and lie in it, but for the parts of a ms that round. */
export function statBuckets(bucketSeconds: number, { startTime, endTime }: Times): Buckets {
  const rangeMs = Math.max(1, endTime - startTime)
  const wanted = Math.round(bucketSeconds * 1_000)
  const least = Math.ceil(rangeMs / (wanted > 0 ? pointsMax : statPoints))
  const stepMs = Math.min(rangeMs, Math.max(wanted, least))
  const count = Math.ceil(rangeMs / stepMs)
  return { startTime: endTime - (count - 1) * stepMs, endTime, stepMs }
}

export interface DrawnSeries {
  readonly name: string
  /** Of the query that it comes from. */
  readonly queryIndex: number
  readonly labels: Readonly<Record<string, string>>
  /** One for each of the times. */
  readonly values: Values
}

export interface Drawn {
  /** Where buckets begin, ms, in order. */
  readonly times: readonly number[]
  readonly series: readonly DrawnSeries[]
}

/** Puts the answers of several queries, asked with the same buckets, on one axis of time. */
export function drawn(
  answers: readonly (readonly TimeSeries[])[],
  labels: readonly string[],
  { startTime, endTime, stepMs }: Buckets,
): Drawn {
  const count = Math.floor((endTime - startTime) / stepMs) + 1
  const times = Array.from({ length: count }, (_, at) => startTime + (at - 1) * stepMs)
  const series = answers.flatMap((answer, queryIndex) =>
    answer.map(({ labels: own, points }) => {
      const values: (number | undefined)[] = Array.from({ length: count }, () => undefined)
      for (const { time, value } of points) {
        const at = Math.round((time - startTime) / stepMs)
        if (at >= 0 && at < count && Number.isFinite(value)) values[at] = value
      }
      const name = seriesName(own, labels[queryIndex] ?? '', answers.length > 1)
      return { name, queryIndex, labels: own, values }
    }),
  )
  return { times, series }
}

/** What a legend calls a series: the values of its labels, or else what its query is called. */
export function seriesName(
  labels: Readonly<Record<string, string>>,
  queryLabel: string,
  isOneOfSeveral: boolean,
): string {
  const values = Object.entries(labels)
    .filter(([name]) => name !== '__name__')
    .map(([name, value]) => value || `no ${name}`)
  if (values.length === 0) return queryLabel || 'value'
  const own = values.join(', ')
  return isOneOfSeveral && queryLabel !== '' ? `${queryLabel}: ${own}` : own
}
