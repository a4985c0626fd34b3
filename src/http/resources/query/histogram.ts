/** Counts by time and level. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { roundBucketMs } from '../../../query/collect/bucket-width.ts'
import type { HistogramBucket, HistogramResult } from '../../../store/store.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { timeMax } from './records-request.ts'

const width = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2 * timeMax,
    description: 'an integer of milliseconds, 0 for a round width',
  }),
)

const bucketSchema = schemaOf<HistogramBucket>()(
  Type.Object({
    start: timestamp,
    count: Type.Integer(),
    levels: Type.Record(Type.String(), Type.Integer(), {
      description: 'Counts by `log_level`; only levels that occur.',
    }),
  }),
)

const histogramAnswer = schemaOf<HistogramResult>()(
  Type.Object({
    bucketMs: Type.Integer({ description: 'Width of a bucket, milliseconds.' }),
    buckets: Type.Array(bucketSchema, {
      description: 'All buckets of the range in order, empty ones included, aligned to 1970.',
    }),
    stats: statsSchema,
  }),
)

export function histogramRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'histogram',
    id: 'queryHistogram',
    tag: 'Queries',
    summary: 'Counts by time and level',
    description: `At most ${limits.histogramBucketsMax} buckets.`,
    fields: { bucketMs: width },
    meanings: { bucketMs: 'Width of a bucket; about 60 of a round width when 0 or absent.' },
    sample: {},
    answer: ['All buckets of the range.', histogramAnswer],
    ask: (records, asked) => {
      const bucketMs = readBucketWidth(asked.bucketMs, records.startTime, records.endTime)
      return stop => dependencies.store.histogram({ ...records, bucketMs }, stop)
    },
  })
}

/** The width that was asked for, within bounds, or a round one that makes about 60 buckets. */
function readBucketWidth(asked: number | undefined, startTime: number, endTime: number): number {
  if (asked === undefined || asked === 0) return roundBucketMs(endTime - startTime)
  const bucketCount = Math.floor(endTime / asked) - Math.floor(startTime / asked) + 1
  if (bucketCount > limits.histogramBucketsMax) {
    const detail = `"bucketMs" ${asked} makes ${bucketCount} buckets, more than ${limits.histogramBucketsMax}`
    throw new ProblemError('field_invalid', detail, { field: 'bucketMs' })
  }
  return asked
}
