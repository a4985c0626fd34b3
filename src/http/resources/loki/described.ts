/** The document's words on parameters that several operations of Loki's API have. */

import { optional } from '../prometheus/described.ts'

export const timeWords = 'nanoseconds or seconds since 1970, or RFC 3339'
export const stepWords = 'seconds, or such as `5m`'
export const queryMeaning = 'A query of LogQL or of our own; see the language above.'
export const recordsMeaning = 'Which records: a selector; all of them when absent.'

export const range = { start: optional, end: optional, since: optional }

/** `since`: how long a range is that does not say so. */
export function rangeMeanings(since: string) {
  return {
    start: `Begin of the range, inclusive: ${timeWords}. \`since\` before the end when absent.`,
    end: `End of the range, exclusive: ${timeWords}. Now when absent.`,
    since: `How far the range goes back, such as \`30m\`; ${since} when absent.`,
  }
}
