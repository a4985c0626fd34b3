/** The most frequent values of the fields that matter. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import type { Facet, FacetsResult } from '../../../store/store.ts'
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
import { matchingCount, topLimit, topLimitMeaning, valueCountsSchema } from './value-counts.ts'

const bodySchema = Type.Object({
  ...recordsFields,
  fields: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: limits.facetFieldsMax,
      uniqueItems: true,
      description: `a list of 1 to ${limits.facetFieldsMax} names of fields, none twice`,
    }),
  ),
  limit: topLimit,
})

const facetSchema = schemaOf<Facet>()(
  Type.Object({
    field: Type.String(),
    values: valueCountsSchema,
    others: matchingCount('Matching records that have another value.'),
    missing: matchingCount('Matching records without the field.'),
    tooManyValues: Type.Optional(
      Type.Literal(true, {
        description: 'There are more values than are counted: none is shown, all are `others`.',
      }),
    ),
  }),
)

const facetsAnswer = schemaOf<FacetsResult & RequestNotes>()(
  Type.Object({ facets: Type.Array(facetSchema), stats: statsSchema, ...notesFields }),
)

const sample = bodyLike(bodySchema, {
  query: 'logs',
  ...anyTime,
  fields: ['log_level', 'service.name'],
  limit: 5,
})

export function facetsRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/query/logs/facets',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'queryFacets',
      tag: 'Exploring',
      summary: 'The most frequent values of the fields that matter',
      description: `${oneSelector} A field with more than ${limits.fieldValuesMax} distinct values is said to
have too many.`,
      body: described(bodySchema, {
        ...recordsMeanings,
        fields: 'Which fields; the most useful ones when absent.',
        limit: topLimitMeaning,
      }),
      answers: { 200: jsonAnswer('Fields with values and counts.', facetsAnswer) },
      problems: queryProblems,
      sample: { body: sample },
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body)
      const { query: _, notes, ...records } = readRecords(asked)
      const { fields, limit = limits.topValuesDefault } = asked
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const facets = { ...records, fields, limit }
      const result = await runner.run(stop => store.facets(facets, stop), bounds)
      return jsonReply({ ...result, ...notes })
    },
  }
}
