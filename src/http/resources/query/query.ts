/** Queries over HTTP: checks what is asked, runs it within its bounds, shows what came. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { roundBucketMs } from '../../../query/tally/bucket-width.ts'
import { checkBody } from '../../../schema/check.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import type { JsonRequest } from '../../routes.ts'
import type { QueryRunner } from './query-runner.ts'
import { valueOver } from './query-value.ts'
import { readRecords, readTimeout, recordsFields, timeMax } from './records-request.ts'
import { selectJson } from './select-json.ts'
import { timeWarnings } from './time-warnings.ts'

export const histogramSchema = Type.Object({
  ...recordsFields,
  bucketMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 * timeMax,
      description: 'an integer of milliseconds, 0 for a round width',
    }),
  ),
})

export const selectSchema = Type.Object({
  ...recordsFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.queryLimitMax,
      description: `an integer between 1 and ${limits.queryLimitMax}`,
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  cursor: Type.Optional(Type.String()),
})

/** What the handlers of all query operations need; they share one runner, and so its bounds. */
export interface QueryDependencies extends Pick<HttpDependencies, 'store' | 'config'> {
  readonly runner: QueryRunner
}

export function queryHandlers({ store, config, runner }: QueryDependencies): {
  select(request: JsonRequest): Promise<Reply>
  histogram(request: JsonRequest): Promise<Reply>
} {
  return {
    async histogram({ body, signal, caller }) {
      const asked = checkBody(histogramSchema, body)
      const { selector, startTime, endTime } = readRecords(asked)
      const timeoutMs = readTimeout(asked.timeoutMs, config.queryTimeoutMs)
      const bucketMs = readBucketWidth(asked.bucketMs, startTime, endTime)
      const request = { selector, startTime, endTime, bucketMs }
      const result = await runner.run(stop => store.histogram(request, stop), {
        timeoutMs,
        clientSignal: signal(),
        asker: caller.apiKey?.id,
      })
      return jsonReply({ ...result, ...timeWarnings(asked) })
    },

    async select({ body, signal, caller }) {
      const asked = checkBody(selectSchema, body)
      const { query, ...records } = readRecords(asked)
      const timeoutMs = readTimeout(asked.timeoutMs, config.queryTimeoutMs)
      const isCount = query.kind === 'aggregate' && query.operation === 'count'
      const by = isCount ? query.by : []
      const selection = {
        ...records,
        by,
        limit: asked.limit ?? limits.queryLimitDefault,
        order: asked.order ?? 'asc',
        cursor: asked.cursor,
      }
      const json = await runner.run(
        async stop => {
          const { count, records: logs, ...rest } = await store.select(selection, stop)
          const found = { count, logs, ...rest, ...timeWarnings(asked) }
          if (query.kind === 'selector' || isCount) return selectJson(found)
          return selectJson({ ...found, ...(await valueOver(store, query, asked, stop)) })
        },
        { timeoutMs, clientSignal: signal(), asker: caller.apiKey?.id },
      )
      return { status: 200, contentType: 'application/json', body: json }
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
