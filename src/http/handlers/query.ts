/** `POST /api/v1/query/logs`: checks what is asked, runs it within its bounds, shows what came. */

import { type Static, Type } from 'typebox'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
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
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'a positive integer of milliseconds' }),
  ),
})

export function queryHandlers({ store, config }: Pick<HttpDependencies, 'store' | 'config'>): {
  select(request: JsonRequest): Promise<Reply>
} {
  const { concurrentQueriesMax, queryTimeoutMs } = config
  const runner = new QueryRunner(concurrentQueriesMax)

  return {
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

function checkRange({ startTime, endTime }: Static<typeof selectSchema>): void {
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
