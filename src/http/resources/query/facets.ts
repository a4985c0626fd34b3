/** The most frequent values of the fields that matter. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { facetsSchema } from '../../../store/answer/schemas.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { topLimit, topLimitMeaning } from './value-counts.ts'

const fieldNames = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: limits.facetFieldsMax,
    uniqueItems: true,
    description: `a list of 1 to ${limits.facetFieldsMax} names of fields, none twice`,
  }),
)

export function facetsRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'facets',
    id: 'queryFacets',
    tag: 'Exploring',
    summary: 'The most frequent values of the fields that matter',
    description: `A field with more than ${limits.fieldValuesMax} distinct values is said to
have too many.`,
    fields: {
      fields: fieldNames,
      limit: topLimit,
      numeric: Type.Optional(Type.Boolean({ description: 'true or false' })),
    },
    meanings: {
      fields: 'Which fields; the most useful ones when absent.',
      limit: topLimitMeaning,
      numeric: `Whether ends, quantiles and buckets of the numbers are told that the values write, or
durations or sizes where most are such: of at most ${limits.numericFacetsMax} \`fields\`, which must be given.`,
    },
    sample: { fields: ['log_level', 'service.name'], limit: 5 },
    answer: ['Fields with values and counts.', facetsSchema],
    ask: (records, { fields, limit = limits.topValuesDefault, numeric: isNumeric = false }) => {
      if (isNumeric) checkNumeric(fields)
      const facets = { ...records, fields, limit, ...(isNumeric && { isNumeric }) }
      return stop => dependencies.store.facets(facets, stop)
    },
  })
}

/** @throws ProblemError `field_invalid` */
function checkNumeric(fields: readonly string[] | undefined): void {
  const count = fields?.length ?? 0
  if (count >= 1 && count <= limits.numericFacetsMax) return
  throw new ProblemError(
    'field_invalid',
    `"fields" must name 1 to ${limits.numericFacetsMax} fields where "numeric" is true`,
    { field: 'fields' },
  )
}
