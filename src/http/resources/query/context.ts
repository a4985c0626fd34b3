/** The records around one record. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import { contextSchema } from '../../../store/answer/schemas.ts'
import { bodyLike, described, jsonAnswer, type Sample } from '../../openapi/operation.ts'
import { capture } from '../../openapi/samples.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import { anyTime, integerBetween, recordsFields, recordsMeanings } from './records-request.ts'
import { selectPath, selectSchema } from './select.ts'

const neighbourCount = integerBetween(0, limits.contextRecordsMax)

const bodySchema = Type.Object({
  id: Type.String(),
  before: neighbourCount,
  after: neighbourCount,
  timeoutMs: recordsFields.timeoutMs,
})

const sample: Sample = {
  before: [
    capture('RECORD_ID', {
      from: selectPath,
      body: bodyLike(selectSchema, { query: 'logs', ...anyTime, limit: 1 }),
      behind: '"logs":[{"id":',
    }),
  ],
  body: bodyLike(bodySchema, { id: '$RECORD_ID', before: 2, after: 2 }),
}

export function contextRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/context',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'queryContext',
      tag: 'Exploring',
      summary: 'The records around one record',
      description:
        'Of the same stream: the same `service.name` and `environment`, whatever the query was that found the record.',
      body: described(bodySchema, {
        id: 'The `id` of a record in any answer.',
        before: `How many earlier records; ${limits.contextRecordsDefault} when absent.`,
        after: `How many later records; ${limits.contextRecordsDefault} when absent.`,
        timeoutMs: recordsMeanings.timeoutMs,
      }),
      answers: { 200: jsonAnswer('Its neighbours.', contextSchema) },
      problems: [
        'field_invalid',
        'record_unknown',
        'queries_overloaded',
        'query_timeout',
        'clickhouse_unreachable',
      ],
      sample,
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const {
        id,
        before = limits.contextRecordsDefault,
        after = limits.contextRecordsDefault,
      } = asked
      const bounds = boundsOf(request, asked.timeoutMs, config)
      return jsonReply(await runner.run(stop => store.context({ id, before, after }, stop), bounds))
    },
  }
}
