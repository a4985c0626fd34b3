/** Values with their counts, as facets and values have them: how many are asked for, and shown. */

import { limits } from '../../../limits.ts'
import { integerBetween } from './records-request.ts'

export const topLimit = integerBetween(1, limits.topValuesMax)

export const topLimitMeaning = `How many values of a field; ${limits.topValuesDefault} when absent.`
