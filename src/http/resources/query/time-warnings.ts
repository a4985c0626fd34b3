/** Times of a request that are surely not what was meant: answered as asked, with a word about it. */

import { Type } from 'typebox'

export interface Warned {
  /** What is odd about the request, for people; absent when nothing is. */
  readonly warnings?: readonly string[]
}

/** Of every answer to a request that names times. */
export const warnedFields = {
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What is odd about the request, such as times that look like seconds.',
    }),
  ),
}

/** As seconds these are 1973 to 2286, as milliseconds the first months of 1970. */
const secondsMin = 100_000_000
const secondsMax = 9_999_999_999

/** To be spread into an answer. */
export function timeWarnings(asked: {
  readonly startTime: number
  readonly endTime: number
}): Warned {
  const warnings = (['startTime', 'endTime'] as const)
    .filter(name => secondsMin <= asked[name] && asked[name] <= secondsMax)
    .map(name => {
      const meant = new Date(asked[name] * 1_000).toISOString()
      return `"${name}" ${asked[name]} looks like seconds (${meant}); it was taken as milliseconds, ${new Date(asked[name]).toISOString()}`
    })
  return warnings.length === 0 ? {} : { warnings }
}
