/** Counts by time and level. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { roundBucketMs } from '../../../query/collect/bucket-width.ts'
import { checkBody } from '../../../schema/check.ts'
import type { HistogramBucket, HistogramResult } from '../../../store/store.ts'
import { bodyLike, described, jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import {
  anyTime,
  oneSelector,
  readRecords,
  recordsFields,
  recordsMeanings,
  timeMax,
} from './records-request.ts'
import { notesFields, type RequestNotes } from './request-notes.ts'

const bodySchema = Type.Object({
  ...recordsFields,
  bucketMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 * timeMax,
      description: 'an integer of milliseconds, 0 for a round width',
    }),
  ),
})

const bucketSchema = schemaOf<HistogramBucket>()(
  Type.Object({
    start: timestamp,
    count: Type.Integer(),
    levels: Type.Record(Type.String(), Type.Integer(), {
      description: 'Counts by `log_level`; only levels that occur.',
    }),
  }),
)

const histogramAnswer = schemaOf<HistogramResult & RequestNotes>()(
  Type.Object({
    bucketMs: Type.Integer({ description: 'Width of a bucket, milliseconds.' }),
    buckets: Type.Array(bucketSchema, {
      description: 'All buckets of the range in order, empty ones included, aligned to 1970.',
    }),
    stats: statsSchema,
    ...notesFields,
  }),
)

export function histogramRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/histogram',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'queryHistogram',
      tag: 'Queries',
      summary: 'Counts by time and level',
      description: `${oneSelector} At most ${limits.histogramBucketsMax} buckets.`,
      body: described(bodySchema, {
        ...recordsMeanings,
        bucketMs: 'Width of a bucket; about 60 of a round width when 0 or absent.',
      }),
      answers: { 200: jsonAnswer('All buckets of the range.', histogramAnswer) },
      problems: queryProblems,
      sample: { body: bodyLike(bodySchema, { query: 'logs', ...anyTime }) },
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const { selector, startTime, endTime, notes } = readRecords(asked)
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const bucketMs = readBucketWidth(asked.bucketMs, startTime, endTime)
      const histogram = { selector, startTime, endTime, bucketMs }
      const result = await runner.run(stop => store.histogram(histogram, stop), bounds)
      return jsonReply({ ...result, ...notes })
    },
  }
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
