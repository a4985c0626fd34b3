/** What is said of a request beside its answer: how its words were read, and times that are surely not what
 *  was meant. It is answered as asked. */

import { Type } from 'typebox'
import type { TimeRange } from '../../../record.ts'

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
  times: Partial<TimeRange>,
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

function timeWarnings(times: Partial<TimeRange>): string[] {
  return (['startTime', 'endTime'] as const).flatMap(name => {
    const asked = times[name] ?? 0
    if (asked < secondsMin || secondsMax < asked) return []
    const meant = new Date(asked * 1_000).toISOString()
    return `"${name}" ${asked} looks like seconds (${meant}); it was taken as milliseconds, ${new Date(asked).toISOString()}`
  })
}
