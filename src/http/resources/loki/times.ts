/**
 * Times of Loki's API. They are nanoseconds since 1970, which numbers do not hold, and so bigints here;
 * records have milliseconds, and those that are finer say so in an attribute of theirs.
 */

import { decimalOf } from '../../../columns/decimal.ts'
import { readRfc3339 } from '../../../ingest/date-time.ts'
import { parseDuration } from '../../../language/duration.ts'
import { type Timestamp, timeMax } from '../../../record.ts'
import { hourMs } from '../../../time-units.ts'
import { invalid } from '../prometheus/parameters.ts'

/** Nanoseconds since 1970. */
export type Nanoseconds = bigint

export const nsPerMs = 1_000_000n
const nsPerSecond = 1_000_000_000n

/** From `start` on, before `end`. */
export interface TimeRange {
  readonly start: Nanoseconds
  readonly end: Nanoseconds
}

/**
 * The range of `start`, `end` and `since`: to now when `end` is absent; since `since`, or `sinceMs` when
 * that is absent, before its end or before now if that is earlier. Throws `field_invalid`.
 */
export function readRange(parameters: URLSearchParams, sinceMs = hourMs): TimeRange {
  const now = BigInt(Date.now()) * nsPerMs
  const end = readTime(parameters, 'end') ?? now
  const since = BigInt(readDuration(parameters, 'since') ?? sinceMs) * nsPerMs
  const start = readTime(parameters, 'start') ?? (end < now ? end : now) - since
  if (start > end) throw invalid('end', '"end" must not be before "start"')
  return { start, end }
}

/** The milliseconds that a range touches, both inclusive; undefined of an empty one. */
export function millisecondsOf({
  start,
  end,
}: TimeRange): { startTime: Timestamp; endTime: Timestamp } | undefined {
  if (start >= end) return undefined
  return { startTime: toMs(start), endTime: toMs(end - 1n) }
}

/** Cut towards the past. */
export function toMs(time: Nanoseconds): Timestamp {
  const below = time % nsPerMs < 0n ? 1n : 0n
  return Number(time / nsPerMs - below)
}

/**
 * A time: seconds when it has a point or at most ten digits, else nanoseconds; or RFC 3339. Undefined when
 * absent or empty. Throws `field_invalid`.
 */
export function readTime(parameters: URLSearchParams, name: string): Nanoseconds | undefined {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  const time = text.length > lengthMax ? undefined : (timeOfNumber(text) ?? timeOfDate(text))
  if (time === undefined || time > nsMax || time < -nsMax) {
    const expected = 'must be a time in nanoseconds or seconds since 1970 or as RFC 3339'
    throw invalid(name, `"${name}" ${expected}`, text)
  }
  return time
}

/** Longer texts are no times. */
const lengthMax = 100
const nsMax = BigInt(timeMax) * nsPerMs
const secondsDigitsMax = 10

function timeOfNumber(text: string): Nanoseconds | undefined {
  if (/^-?\d+$/.test(text)) {
    const isSeconds = text.length <= secondsDigitsMax
    return BigInt(text) * (isSeconds ? nsPerSecond : 1n)
  }
  const parts = /^(-?)(\d+)\.(\d*)$/.exec(text)
  if (parts !== null) {
    const [, sign, whole, fraction] = parts
    const digits = fraction!.slice(0, 9).padEnd(9, '0')
    const time = BigInt(whole!) * nsPerSecond + BigInt(digits)
    return sign === '-' ? -time : time
  }
  const seconds = decimalOf(text)
  return Math.abs(seconds) * 1000 <= timeMax
    ? BigInt(Math.round(seconds * 1000)) * nsPerMs
    : undefined
}

function timeOfDate(text: string): Nanoseconds | undefined {
  const moment = readRfc3339(text)
  if (moment === undefined) return undefined
  const { timestamp, nanoseconds } = moment
  return nanoseconds === undefined ? BigInt(timestamp) * nsPerMs : BigInt(nanoseconds)
}

/** A duration such as `1h30m` in ms, 1 or more; undefined when absent or empty. */
function readDuration(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  const durationMs = parseDuration(text)
  if (durationMs === undefined || durationMs < 1 || durationMs > timeMax) {
    throw invalid(name, `"${name}" must be a duration such as "1h30m"`, text)
  }
  return durationMs
}
