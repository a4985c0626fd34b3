/** What is said of a request beside its answer: how its words were read, and times that are surely not what
 *  was meant. It is answered as asked. */

import { Type } from 'typebox'

export interface RequestNotes {
  /** The query that plain words became; absent for any other query. */
  readonly interpretedAs?: string
  /** What is odd about the request, for people; absent when nothing is. */
  readonly warnings?: readonly string[]
}

/** Of every answer to a request for records of some times. */
export const notesFields = {
  interpretedAs: Type.Optional(
    Type.String({
      description:
        'Of a query that is only words, such as `timeout status:500`: the query that it was read as.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What is odd about the request, such as times that look like seconds.',
    }),
  ),
}

/** To be spread into an answer. */
export function notesOn(
  times: { readonly startTime: number; readonly endTime: number },
  interpretedAs: string | undefined,
): RequestNotes {
  const warnings = timeWarnings(times)
  return {
    ...(interpretedAs !== undefined && { interpretedAs }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** As seconds these are 1973 to 2286, as milliseconds the first months of 1970. */
const secondsMin = 100_000_000
const secondsMax = 9_999_999_999

function timeWarnings(asked: { readonly startTime: number; readonly endTime: number }): string[] {
  return (['startTime', 'endTime'] as const)
    .filter(name => secondsMin <= asked[name] && asked[name] <= secondsMax)
    .map(name => {
      const meant = new Date(asked[name] * 1_000).toISOString()
      return `"${name}" ${asked[name]} looks like seconds (${meant}); it was taken as milliseconds, ${new Date(asked[name]).toISOString()}`
    })
}
