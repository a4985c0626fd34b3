/** The records of one trace, with the services that it went through. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import type { ServiceSpan } from '../../../query/collect/services.ts'
import { checkBody } from '../../../schema/check.ts'
import type { TraceRequest, TraceResult } from '../../../store/store.ts'
import { traceIdNames } from '../../../trace-ids.ts'
import { bodyLike, described, jsonAnswer, type Operation } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { recordSchema, statsSchema, timestamp } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import { checkRange, recordsFields, recordsMeanings } from './records-request.ts'
import { notesFields, notesOn } from './request-notes.ts'
import { selectSchema } from './select.ts'
import { recordsJson } from './select-json.ts'
import { matchingCount } from './value-counts.ts'

const traceSchema = Type.Object({
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

const serviceSchema = schemaOf<ServiceSpan>()(
  Type.Object(
    {
      service: Type.String(),
      count: matchingCount('Records of it in the trace.'),
      errors: matchingCount('Of these, records of a level that is an error or worse.'),
      firstAt: timestamp,
      lastAt: timestamp,
    },
    { $id: 'TraceService', description: 'What one service had to do with a trace.' },
  ),
)

const traceAnswer = schemaOf<TraceResult>()(
  Type.Object({
    traceId: Type.String(),
    count: matchingCount('All records of the trace in the range, whatever `limit` is. Exact.'),
    startTime: Type.Optional(timestamp),
    endTime: Type.Optional(timestamp),
    records: Type.Array(recordSchema, {
      description: 'In order of time, ties in order of arrival.',
    }),
    services: Type.Array(serviceSchema, {
      description: 'Of all its records: in the order in which services come into it.',
    }),
    truncated: Type.Optional(Type.Literal(true, { description: 'There are more records.' })),
    nextCursor: Type.Optional(
      Type.String({ description: 'Then: send it as `cursor` for the next ones.' }),
    ),
    stats: statsSchema,
  }),
)

const about: Operation = {
  id: 'queryTrace',
  tag: 'Exploring',
  summary: 'The records of one trace, and the services that it went through',
  description: `All records, of whatever stream, that have the trace's id in one of the attributes
${traceIdNames.map(name => `\`${name}\``).join(', ')}. Asked for by the trace's id, or by the \`id\` of one of its
records. \`startTime\` and \`endTime\` of the answer are those of the first and the last of them.`,
  body: described(traceSchema, {
    traceId: "The trace's id; either it or `id`.",
    id: 'The `id` of a record in any answer, whose trace is wanted.',
    startTime: `${recordsMeanings.startTime} All of time when absent: token filters say where the id may be.`,
    endTime: recordsMeanings.endTime,
    limit: `How many records at most; ${limits.queryLimitMax} when absent.`,
    cursor: '`nextCursor` of the last answer about the same trace.',
    timeoutMs: recordsMeanings.timeoutMs,
  }),
  answers: {
    200: jsonAnswer('The trace.', Type.Object({ ...traceAnswer.properties, ...notesFields })),
  },
  problems: [
    ...(['field_invalid', 'record_unknown', 'trace_unknown', 'cursor_invalid'] as const),
    ...(['query_too_large', 'queries_overloaded', 'query_timeout'] as const),
  ],
  sample: { body: bodyLike(traceSchema, { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }) },
}

export function traceRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/trace',
    access: 'viewer',
    body: 'json',
    about,
    async handle(request) {
      const asked = checkBody(traceSchema, request.body)
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
