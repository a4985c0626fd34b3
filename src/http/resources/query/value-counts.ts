/** Values with their counts, as facets and values have them: how many are asked for, and shown. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import type { ValueCount } from '../../../query/collect/value-counts.ts'
import { schemaOf } from '../../schemas/schema-of.ts'

export const topLimit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.topValuesMax,
    description: `an integer between 1 and ${limits.topValuesMax}`,
  }),
)

export const topLimitMeaning = `How many values of a field; ${limits.topValuesDefault} when absent.`

export const matchingCount = (description: string) => Type.Integer({ minimum: 0, description })

const valueCountSchema = schemaOf<ValueCount>()(
  Type.Object(
    { value: Type.String(), count: matchingCount('Matching records that have it.') },
    { $id: 'ValueCount' },
  ),
)

export const valueCountsSchema = Type.Array(valueCountSchema, {
  description: 'Most frequent first, ties by value.',
})
