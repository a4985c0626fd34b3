/** The most frequent values of the fields that matter. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import type { Facet, FacetsResult, NumericSummary } from '../../../store/store.ts'
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

const numberSchema = (description: string) => Type.Number({ description })

const numericSchema = schemaOf<NumericSummary>()(
  Type.Object(
    {
      unit: Type.Union([Type.Literal('number'), Type.Literal('duration'), Type.Literal('bytes')], {
        description: 'As what the values are read. Durations are in seconds.',
      }),
      count: matchingCount('Matching records whose value is a number.'),
      least: numberSchema('The smallest of them.'),
      greatest: numberSchema('The largest.'),
      quantiles: Type.Record(Type.String(), Type.Number(), {
        description: 'Of 0.5, 0.9, 0.95 and 0.99: exact, interpolated as PromQL does.',
      }),
      buckets: Type.Array(
        Type.Object({
          from: numberSchema('Inclusive.'),
          to: numberSchema('Exclusive.'),
          count: matchingCount('Matching records whose number lies there.'),
        }),
        { description: 'One beside the other, of round widths; growing where few are large.' },
      ),
    },
    { $id: 'NumericSummary', description: 'What its values write as numbers.' },
  ),
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
    numeric: Type.Optional(numericSchema),
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
    answer: ['Fields with values and counts.', facetsAnswer],
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
