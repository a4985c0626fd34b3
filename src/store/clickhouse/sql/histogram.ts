/** Counts per bucket of time and level. */
import type { HistogramCounts, HistogramRequest } from '../../../query/collect/histogram.ts'
import type { CollectedQuestion } from './collected.ts'
import { whole } from './whole.ts'

interface Row {
  readonly level: string
  readonly bucket: number
  readonly found: number | string
}

export function histogramQuestion({ bucketMs }: HistogramRequest): CollectedQuestion {
  return {
    statement: from => `SELECT toString(Level) AS level, floor(Time / ${whole(bucketMs)}) AS bucket,
      count() AS found FROM ${from} GROUP BY level, bucket`,
    params: {},
    plainOf: rows =>
      (rows as readonly Row[]).map(({ level, bucket, found }): HistogramCounts[number] => [
        level,
        { first: bucket, counts: Float64Array.of(Number(found)) },
      ]),
  }
}
