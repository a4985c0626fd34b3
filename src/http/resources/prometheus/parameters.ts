/** Parameters of Prometheus' API as it writes them: times and durations, mostly in seconds. */

import { decimalOf } from '../../../columns/decimal.ts'
import { readTimestamp } from '../../../ingest/timestamp.ts'
import { parseDuration } from '../../../language/duration.ts'
import { ProblemError } from '../../../problems.ts'
import { type Timestamp, timeMax } from '../../../record.ts'

/** The first value of a parameter that must be there and not empty. Throws `field_invalid`. */
export function requiredParameter(parameters: URLSearchParams, name: string): string {
  const text = parameters.get(name)
  if (text === null || text === '') throw invalid(name, `"${name}" is missing`)
  return text
}

/** A time in ms, from seconds since 1970 or RFC 3339; `absent` if it is missing. */
export function readTime<T>(parameters: URLSearchParams, name: string, absent: T): Timestamp | T {
  const text = parameters.get(name)
  if (text === null || text === '') return absent
  const seconds = decimalOf(text)
  const time = Number.isNaN(seconds) ? readTimestamp(text) : Math.round(seconds * 1000)
  if (time === undefined || Math.abs(time) > timeMax) {
    throw invalid(name, `"${name}" must be a time in seconds since 1970 or as RFC 3339`, text)
  }
  return time
}

/** A time that must be there. */
export function requiredTime(parameters: URLSearchParams, name: string): Timestamp {
  requiredParameter(parameters, name)
  return readTime(parameters, name, 0)
}

/** Longer ones make times before or after a range that numbers do not hold to the millisecond. */
const durationMsMax = timeMax

/** A duration of 1 ms or more, from seconds or such as `5m`; `absent` if there is none. */
export function readDurationMs<T>(
  parameters: URLSearchParams,
  name: string,
  absent: T,
): number | T {
  const text = parameters.get(name)
  if (text === null || text === '') return absent
  const seconds = decimalOf(text)
  const durationMs = Number.isNaN(seconds) ? parseDuration(text) : Math.round(seconds * 1000)
  if (durationMs === undefined || durationMs < 1 || durationMs > durationMsMax) {
    const expected = `must be more than zero and at most ${durationMsMax / 1000}, in seconds or such as "5m"`
    throw invalid(name, `"${name}" ${expected}`, text)
  }
  return durationMs
}

/** How many results are wanted at most: a whole number, 0 or absent for all. */
export function readLimit(parameters: URLSearchParams): number {
  const text = parameters.get('limit')
  if (text === null || text === '') return Number.POSITIVE_INFINITY
  if (!/^\d{1,15}$/.test(text)) throw invalid('limit', '"limit" must be a whole number', text)
  return Number(text) || Number.POSITIVE_INFINITY
}

/**
 * The problem of a parameter that is not as `expected`; `text`: what it was, undefined when it was absent.
 */
export function invalid(field: string, expected: string, text?: string): ProblemError {
  const was = text === undefined ? '' : `, was ${JSON.stringify(text.slice(0, 100))}`
  return new ProblemError('field_invalid', expected + was, { field })
}
