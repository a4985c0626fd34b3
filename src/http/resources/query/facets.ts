/** The most frequent values of the fields that matter. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { Facet, FacetsResult } from '../../../store/store.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { matchingCount, topLimit, topLimitMeaning, valueCountsSchema } from './value-counts.ts'

const fieldNames = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: limits.facetFieldsMax,
    uniqueItems: true,
    description: `a list of 1 to ${limits.facetFieldsMax} names of fields, none twice`,
  }),
)

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

const facetsAnswer = schemaOf<FacetsResult>()(
  Type.Object({ facets: Type.Array(facetSchema), stats: statsSchema }),
)

export function facetsRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'facets',
    id: 'queryFacets',
    tag: 'Exploring',
    summary: 'The most frequent values of the fields that matter',
    description: `A field with more than ${limits.fieldValuesMax} distinct values is said to
have too many.`,
    fields: { fields: fieldNames, limit: topLimit },
    meanings: {
      fields: 'Which fields; the most useful ones when absent.',
      limit: topLimitMeaning,
    },
    sample: { fields: ['log_level', 'service.name'], limit: 5 },
    answer: ['Fields with values and counts.', facetsAnswer],
    ask: (records, { fields, limit = limits.topValuesDefault }) => {
      const facets = { ...records, fields, limit }
      return stop => dependencies.store.facets(facets, stop)
    },
  })
}
