/** The most frequent values of one field. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { valuesSchema } from '../../../store/answer/schemas.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { exploringRoute } from './exploring.ts'
import { topLimit, topLimitMeaning } from './value-counts.ts'

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
    answer: ['Values, the most frequent first.', valuesSchema],
    ask: (records, { field, prefix = '', limit = limits.topValuesDefault }) => {
      const values = { ...records, field, prefix, limit }
      return stop => dependencies.store.values(values, stop)
    },
  })
}
