/** The records of one trace, with the services that it went through. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { checkBody } from '../../../schema/check.ts'
import { traceSchema } from '../../../store/answer/schemas.ts'
import type { TraceRequest } from '../../../store/store.ts'
import { traceIdNames } from '../../../trace-ids.ts'
import { bodyLike, described, jsonAnswer, type Operation } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import { checkRange, recordsFields, recordsMeanings } from './records-request.ts'
import { notesFields, notesOn } from './request-notes.ts'
import { selectSchema } from './select.ts'
import { recordsJson } from './select-json.ts'

const bodySchema = Type.Object({
  traceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.traceIdLengthMax,
      description: `a text of 1 to ${limits.traceIdLengthMax} characters`,
    }),
  ),
  id: Type.Optional(Type.String()),
  startTime: Type.Optional(recordsFields.startTime),
  endTime: Type.Optional(recordsFields.endTime),
  limit: selectSchema.properties.limit,
  cursor: selectSchema.properties.cursor,
  timeoutMs: recordsFields.timeoutMs,
})

const about: Operation = {
  id: 'queryTrace',
  tag: 'Exploring',
  summary: 'The records of one trace, and the services that it went through',
  description: `All records, of whatever stream, that have the trace's id in one of the attributes
${traceIdNames.map(name => `\`${name}\``).join(', ')}. Asked for by the trace's id, or by the \`id\` of one of its
records. \`startTime\` and \`endTime\` of the answer are those of the first and the last of them.`,
  body: described(bodySchema, {
    traceId: "The trace's id; either it or `id`.",
    id: 'The `id` of a record in any answer, whose trace is wanted.',
    startTime: `${recordsMeanings.startTime} All of time when absent: token filters say where the id may be.`,
    endTime: recordsMeanings.endTime,
    limit: `How many records at most; ${limits.queryLimitMax} when absent.`,
    cursor: '`nextCursor` of the last answer about the same trace.',
    timeoutMs: recordsMeanings.timeoutMs,
  }),
  answers: {
    200: jsonAnswer('The trace.', Type.Object({ ...traceSchema.properties, ...notesFields })),
  },
  problems: [
    ...(['field_invalid', 'record_unknown', 'trace_unknown', 'cursor_invalid'] as const),
    ...(['query_too_large', 'queries_overloaded', 'query_timeout'] as const),
    'clickhouse_unreachable',
  ],
  sample: { body: bodyLike(bodySchema, { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }) },
}

export function traceRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/trace',
    access: 'viewer',
    body: 'json',
    about,
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const { startTime, endTime, limit = limits.queryLimitMax, cursor } = asked
      checkRange(asked)
      const trace = { of: traceAsked(asked), startTime, endTime, limit, cursor }
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const json = await runner.run(async stop => {
        const { count, records, ...found } = await store.trace(trace, stop)
        const notes = notesOn(asked, undefined)
        return recordsJson(given => ({ count, records: given, ...found, ...notes }), records)
      }, bounds)
      return { status: 200, contentType: 'application/json', body: json }
    },
  }
}

/** Throws ProblemError `field_invalid` unless it is asked for in one way. */
export function traceAsked({
  traceId,
  id,
}: {
  readonly traceId?: string | undefined
  readonly id?: string | undefined
}): TraceRequest['of'] {
  if (traceId !== undefined && id === undefined) return { traceId }
  if (id !== undefined && traceId === undefined) return { recordId: id }
  const detail = 'either "traceId" or "id" of one of its records must be given, and not both'
  throw new ProblemError('field_invalid', detail, { field: 'traceId' })
}
