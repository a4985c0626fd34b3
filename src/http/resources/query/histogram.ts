/** Counts by time and level. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { HistogramBucket, HistogramResult } from '../../../store/store.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { bucketWidth, bucketWidthMeaning, readBucketWidth } from './bucket-width.ts'
import { exploringRoute } from './exploring.ts'

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
    fields: { bucketMs: bucketWidth },
    meanings: { bucketMs: bucketWidthMeaning },
    sample: {},
    answer: ['All buckets of the range.', histogramAnswer],
    ask: (records, asked) => {
      const bucketMs = readBucketWidth(asked.bucketMs, records, limits.histogramBucketsMax)
      return stop => dependencies.store.histogram({ ...records, bucketMs }, stop)
    },
  })
}
