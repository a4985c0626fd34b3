/** The names of all fields, with counts. */

import { Type } from 'typebox'
import { checkBody } from '../../../schema/check.ts'
import type { FieldsResult } from '../../../store/store.ts'
import { bodyLike, described, jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import {
  anyTime,
  oneSelector,
  readRecords,
  recordsFields,
  recordsMeanings,
} from './records-request.ts'
import { notesFields, type RequestNotes } from './request-notes.ts'
import { matchingCount } from './value-counts.ts'

const bodySchema = Type.Object(recordsFields)

const fieldsAnswer = schemaOf<FieldsResult & RequestNotes>()(
  Type.Object({
    fields: Type.Array(
      Type.Object({ name: Type.String(), count: matchingCount('Matching records that have it.') }),
      { description: 'By count, ties by name.' },
    ),
    stats: statsSchema,
    ...notesFields,
  }),
)

export function fieldsRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/fields',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'queryFields',
      tag: 'Exploring',
      summary: 'The names of all fields, with counts',
      description: oneSelector,
      body: described(bodySchema, recordsMeanings),
      answers: { 200: jsonAnswer('Names, the most frequent first.', fieldsAnswer) },
      problems: queryProblems,
      sample: { body: bodyLike(bodySchema, { query: 'logs', ...anyTime }) },
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const { query: _, notes, ...records } = readRecords(asked)
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const result = await runner.run(stop => store.fields(records, stop), bounds)
      return jsonReply({ ...result, ...notes })
    },
  }
}
