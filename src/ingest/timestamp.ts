/**
 * Times as people and programs give them. Two forms are read everywhere, nothing is guessed: RFC 3339,
 * and time since 1970 as a number or a text of one, see `epoch.ts`. The time of an event may have the
 * other forms of `date-time.ts` too.
 */

import type { Timestamp } from '../record.ts'
import { readDateTime, readRfc3339 } from './date-time.ts'
import { readEpoch } from './epoch.ts'
import type { Moment } from './moment.ts'
import { isRawNumber } from './numbers.ts'

/** Reads RFC 3339 or time since 1970, cut to milliseconds towards the past; undefined for all else. */
export function readTimestamp(text: string): Timestamp | undefined {
  return (readRfc3339(text) ?? readEpoch(text))?.timestamp
}

/** Reads the time of an event, a value of its JSON, in any form; undefined when it is not one. */
export function readEventTime(value: unknown): Moment | undefined {
  if (typeof value === 'string') return readDateTime(value) ?? readEpoch(value)
  if (typeof value === 'number') return readUsualEpoch(value) ?? readEpoch(String(value))
  return isRawNumber(value) ? readEpoch(value.rawJSON) : undefined
}

/**
 * Milliseconds, and seconds with at most three digits after the point: what `readEpoch` makes of their text.
 * A double that equals a number of so few digits is written with these.
 */
function readUsualEpoch(value: number): Moment | undefined {
  if (value >= 1e11 && value < 1e14) {
    return Number.isInteger(value) ? { timestamp: value, nanoseconds: undefined } : undefined
  }
  const timestamp = Math.round(value * 1_000)
  const isWhole = value >= 1 && value < 1e11 && timestamp / 1_000 === value
  return isWhole ? { timestamp, nanoseconds: undefined } : undefined
}
