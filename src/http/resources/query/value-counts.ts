/** Values with their counts, as facets and values have them: how many are asked for, and shown. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'

export const topLimit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.topValuesMax,
    description: `an integer between 1 and ${limits.topValuesMax}`,
  }),
)

export const topLimitMeaning = `How many values of a field; ${limits.topValuesDefault} when absent.`
