/** Counts by time and level. */

import { limits } from '../../../limits.ts'
import { histogramSchema } from '../../../store/answer/schemas.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { bucketWidth, bucketWidthMeaning, readBucketWidth } from './bucket-width.ts'
import { exploringRoute } from './exploring.ts'

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
    answer: ['All buckets of the range.', histogramSchema],
    ask: (records, asked) => {
      const bucketMs = readBucketWidth(asked.bucketMs, records, limits.histogramBucketsMax)
      return stop => dependencies.store.histogram({ ...records, bucketMs }, stop)
    },
  })
}
