/** Queries for records: the records, their number, and the value of an expression. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import { bodyLike, described, jsonAnswer, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import { valueOver } from './query-value.ts'
import {
  anyTime,
  integerBetween,
  readRecords,
  recordsFields,
  recordsMeanings,
} from './records-request.ts'
import { selectAnswer } from './select-answer.ts'
import { selectJson } from './select-json.ts'

export const selectPath = '/api/v1/query/logs'

export const selectSchema = Type.Object({
  ...recordsFields,
  limit: integerBetween(1, limits.queryLimitMax),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  cursor: Type.Optional(Type.String()),
})

const sample = bodyLike(selectSchema, {
  query: 'logs{service.name="checkout", log_level="error"} |= "timed out"',
  ...anyTime,
  limit: 10,
})

const about: Operation = {
  id: 'queryLogs',
  tag: 'Queries',
  summary: 'Records, their number, and what an expression comes to',
  description: `\`count\` is the exact number of all matching records. \`logs\` are the earliest of them,
ties in order of arrival; \`"order":"desc"\` gives the latest. A page of records ends early, with a cursor,
at ${limits.answerLengthMax / 1024 ** 2} Mi characters.

A query that groups, such as \`count by (log_level) (logs)\`, has \`groups\` in its answer. Any other
expression, such as \`avg(logs | unwrap duration_ms)\`, is evaluated over the whole range: its answer has
\`value\`, or \`groups\` with values. For values over time see \`/api/v1/query_range\`.

A client that goes away cancels its query.`,
  body: described(selectSchema, {
    ...recordsMeanings,
    limit: `How many records at most; ${limits.queryLimitDefault} when absent.`,
    order: 'Earliest first (`asc`, when absent) or latest first.',
    cursor: '`nextCursor` of the last answer to the same query.',
  }),
  answers: { 200: jsonAnswer('What matches.', selectAnswer) },
  problems: [...queryProblems, 'cursor_invalid'],
  sample: { body: sample },
}

export function selectRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: selectPath,
    access: 'viewer',
    body: 'json',
    about,
    async handle(request) {
      const asked = checkBody(selectSchema, request.body)
      const { query, notes, ...records } = readRecords(asked)
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const isCount = query.kind === 'aggregate' && query.operation === 'count'
      const by = isCount ? query.by : []
      const order = asked.order ?? 'asc'
      const selection = {
        ...records,
        by,
        limit: asked.limit ?? limits.queryLimitDefault,
        order,
        cursor: asked.cursor,
      }
      const json = await runner.run(async stop => {
        const { count, records: logs, ...rest } = await store.select(selection, stop)
        const found = { count, logs, ...rest, ...notes }
        if (query.kind === 'selector' || isCount) return selectJson(found)
        return selectJson({
          ...found,
          ...(await valueOver(store, query, { ...asked, order }, stop)),
        })
      }, bounds)
      return { status: 200, contentType: 'application/json', body: json }
    },
  }
}
