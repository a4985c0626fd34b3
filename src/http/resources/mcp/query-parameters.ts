/** Parameters that many tools have. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { rangeParameters } from './asked-range.ts'

export const cursorParameter = {
  cursor: Type.Optional(
    Type.String({
      description:
        'the "nextCursor" of the last answer to the same call: what comes next, of the same time range',
    }),
  ),
}

export const recordsParameters = {
  query: Type.String({
    description:
      'a query, such as logs{service.name="checkout", log_level="error"} |= "timed out"; plain words search everywhere; "logs" is every record',
  }),
  ...rangeParameters,
}

/** How many, at most; the budget of tokens may end a page before. */
export const limitParameter = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.queryLimitMax,
      description: `an integer between 1 and ${limits.queryLimitMax}: how many at most; as many as the answer holds when absent`,
    }),
  ),
}
