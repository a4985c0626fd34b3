/** Queries over HTTP: checks what is asked, runs it within its bounds, shows what came. */

import { Type } from 'typebox'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import { roundBucketMs } from '../../query/bucket-width.ts'
import { parseQuery } from '../../query/grammar.ts'
import { checkBody } from '../../schema-check.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { QueryRunner } from '../query-runner.ts'
import { jsonReply, type Reply } from '../reply.ts'
import type { JsonRequest } from '../routes.ts'

/** The range of a JavaScript Date. */
const timeMax = 8.64e15

const time = Type.Integer({
  minimum: -timeMax,
  maximum: timeMax,
  description: 'a time in whole milliseconds since 1970',
})

const timeoutMs = Type.Optional(
  Type.Integer({ minimum: 1, description: 'a positive integer of milliseconds' }),
)

export const histogramSchema = Type.Object({
  query: Type.String(),
  startTime: time,
  endTime: time,
  bucketMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 * timeMax,
      description: 'an integer of milliseconds, 0 for a round width',
    }),
  ),
  timeoutMs,
})

export const selectSchema = Type.Object({
  query: Type.String(),
  startTime: time,
  endTime: time,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.queryLimitMax,
      description: `an integer between 1 and ${limits.queryLimitMax}`,
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  cursor: Type.Optional(Type.String()),
  timeoutMs,
})

export function queryHandlers({ store, config }: Pick<HttpDependencies, 'store' | 'config'>): {
  select(request: JsonRequest): Promise<Reply>
  histogram(request: JsonRequest): Promise<Reply>
} {
  const { concurrentQueriesMax, queryTimeoutMs } = config
  const runner = new QueryRunner(concurrentQueriesMax)

  return {
    async histogram({ body, signal }) {
      const asked = checkBody(histogramSchema, body)
      checkRange(asked)
      const bounds = {
        timeoutMs: readTimeout(asked.timeoutMs, queryTimeoutMs),
        clientSignal: signal(),
      }
      const { startTime, endTime } = asked
      const request = {
        query: parseQuery(asked.query),
        startTime,
        endTime,
        bucketMs: readBucketWidth(asked.bucketMs, startTime, endTime),
      }
      return jsonReply(await runner.run(stop => store.histogram(request, stop), bounds))
    },

    async select({ body, signal }) {
      const asked = checkBody(selectSchema, body)
      checkRange(asked)
      const timeoutMs = readTimeout(asked.timeoutMs, queryTimeoutMs)
      const selection = {
        query: parseQuery(asked.query),
        startTime: asked.startTime,
        endTime: asked.endTime,
        limit: asked.limit ?? limits.queryLimitDefault,
        order: asked.order ?? 'asc',
        cursor: asked.cursor,
      }
      const selected = await runner.run(stop => store.select(selection, stop), {
        timeoutMs,
        clientSignal: signal(),
      })
      const { count, records, nextCursor, groups, stats } = selected
      return jsonReply({ count, logs: records, nextCursor, groups, stats })
    },
  }
}

function checkRange({ startTime, endTime }: { startTime: number; endTime: number }): void {
  if (startTime > endTime) {
    const detail = `"startTime" must not be after "endTime" ${endTime}, was ${startTime}`
    throw new ProblemError('field_invalid', detail, { field: 'startTime' })
  }
}

function readTimeout(asked: number | undefined, maximum: number): number {
  if (asked !== undefined && asked > maximum) {
    const detail = `"timeoutMs" must be at most ${maximum}, was ${asked}`
    throw new ProblemError('field_invalid', detail, { field: 'timeoutMs' })
  }
  return asked ?? maximum
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
