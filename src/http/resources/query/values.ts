/** The most frequent values of one field. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import type { ValuesResult } from '../../../store/store.ts'
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
import { topLimit, topLimitMeaning, valueCountsSchema } from './value-counts.ts'

const bodySchema = Type.Object({
  ...recordsFields,
  field: Type.String(),
  prefix: Type.Optional(Type.String()),
  limit: topLimit,
})

const valuesAnswer = schemaOf<ValuesResult & RequestNotes>()(
  Type.Object({
    values: valueCountsSchema,
    tooManyValues: Type.Optional(
      Type.Literal(true, {
        description: 'More values than are counted begin so: none is shown.',
      }),
    ),
    stats: statsSchema,
    ...notesFields,
  }),
)

const sample = bodyLike(bodySchema, {
  query: 'logs',
  ...anyTime,
  field: 'service.name',
  prefix: 'c',
})

export function valuesRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/values',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'queryValues',
      tag: 'Exploring',
      summary: 'The most frequent values of one field',
      description: oneSelector,
      body: described(bodySchema, {
        ...recordsMeanings,
        field: 'The name of the field.',
        prefix: 'What the values begin with, in the case in which they stand.',
        limit: topLimitMeaning,
      }),
      answers: { 200: jsonAnswer('Values, the most frequent first.', valuesAnswer) },
      problems: queryProblems,
      sample: { body: sample },
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const { query: _, notes, ...records } = readRecords(asked)
      const { field, prefix = '', limit = limits.topValuesDefault } = asked
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const values = { ...records, field, prefix, limit }
      const result = await runner.run(stop => store.values(values, stop), bounds)
      return jsonReply({ ...result, ...notes })
    },
  }
}
