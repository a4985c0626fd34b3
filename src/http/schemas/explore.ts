/** Answers that show which fields and values there are. */

import { Type } from 'typebox'
import type { ValueCount } from '../../query/tally/value-counts.ts'
import type { Facet, FacetsResult, FieldsResult, ValuesResult } from '../../store/store.ts'
import type { Warned } from '../resources/query/time-warnings.ts'
import { statsSchema, warnedFields } from './records.ts'
import { schemaOf } from './schema-of.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const valueCountSchema = schemaOf<ValueCount>()(
  Type.Object({ value: Type.String(), count: count('Matching records that have it.') }),
)

const facetSchema = schemaOf<Facet>()(
  Type.Object({
    field: Type.String(),
    values: Type.Array(valueCountSchema, { description: 'Most frequent first, ties by value.' }),
    others: count('Matching records that have another value.'),
    missing: count('Matching records without the field.'),
    tooManyValues: Type.Optional(
      Type.Literal(true, {
        description: 'There are more values than are counted: none is shown, all are `others`.',
      }),
    ),
  }),
)

export const facetsAnswer = schemaOf<FacetsResult & Warned>()(
  Type.Object({ facets: Type.Array(facetSchema), stats: statsSchema, ...warnedFields }),
)

export const fieldsAnswer = schemaOf<FieldsResult & Warned>()(
  Type.Object({
    fields: Type.Array(
      Type.Object({ name: Type.String(), count: count('Matching records that have it.') }),
      { description: 'By count, ties by name.' },
    ),
    stats: statsSchema,
    ...warnedFields,
  }),
)

export const valuesAnswer = schemaOf<ValuesResult & Warned>()(
  Type.Object({
    values: Type.Array(valueCountSchema, { description: 'Most frequent first, ties by value.' }),
    tooManyValues: Type.Optional(
      Type.Literal(true, {
        description: 'More values than are counted begin so: none is shown.',
      }),
    ),
    stats: statsSchema,
    ...warnedFields,
  }),
)
