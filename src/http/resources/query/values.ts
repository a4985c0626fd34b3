/** The most frequent values of one field. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { ValuesResult } from '../../../store/store.ts'
import type { DescribedRoute } from '../../route.ts'
import { statsSchema } from '../../schemas/records.ts'
import { schemaOf } from '../../schemas/schema-of.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { topLimit, topLimitMeaning, valueCountsSchema } from './value-counts.ts'

const valuesAnswer = schemaOf<ValuesResult>()(
  Type.Object({
    values: valueCountsSchema,
    tooManyValues: Type.Optional(
      Type.Literal(true, {
        description: 'More values than are counted begin so: none is shown.',
      }),
    ),
    stats: statsSchema,
  }),
)

export function valuesRoute(dependencies: QueryDependencies): DescribedRoute {
  return exploringRoute(dependencies, {
    name: 'values',
    id: 'queryValues',
    tag: 'Exploring',
    summary: 'The most frequent values of one field',
    fields: { field: Type.String(), prefix: Type.Optional(Type.String()), limit: topLimit },
    meanings: {
      field: 'The name of the field.',
      prefix: 'What the values begin with, in the case in which they stand.',
      limit: topLimitMeaning,
    },
    sample: { field: 'service.name', prefix: 'c' },
    answer: ['Values, the most frequent first.', valuesAnswer],
    ask: (records, { field, prefix = '', limit = limits.topValuesDefault }) => {
      const values = { ...records, field, prefix, limit }
      return stop => dependencies.store.values(values, stop)
    },
  })
}
