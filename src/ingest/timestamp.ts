/**
 * A sender's own time, as Unix time in milliseconds.
 *
 * Two forms are read, nothing is guessed:
 *
 * - RFC 3339: `2026-11-20T09:30:00.123456Z`, `2026-11-20 09:30:00+01:00`. Digits of the fraction beyond
 *   the third are cut off. A leap second (`23:59:60` in UTC on the last day of a month) is read as the
 *   last millisecond before it, since Unix time has no name for it.
 * - Time since 1970, a number or a text of one. The unit is told by the size of its integer part,
 *   sign aside: below 1e11 seconds (to the year 5138), below 1e14 milliseconds (from March 1973),
 *   below 1e17 microseconds, below 1e20 nanoseconds. The fraction counts; what is finer than a
 *   millisecond is cut off towards the past. Digits are moved as text, so no rounding comes in.
 */

import { ProblemError } from '../problems.ts'
import type { Timestamp } from '../record.ts'
import { isRawNumber } from './numbers.ts'

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Digits of the integer part, at most, and the places by which milliseconds are away. */
const epochUnits = [
  { digitsMax: 11, shift: 3 },
  { digitsMax: 14, shift: 0 },
  { digitsMax: 17, shift: -3 },
  { digitsMax: 20, shift: -6 },
] as const

/** The Gregorian calendar repeats after 400 years; Date.UTC takes years 0 to 99 for 1900 and on. */
const fourCenturiesMs = 146_097 * 86_400_000

/** Reads the value of `field`. Throws `timestamp_unreadable` with the field for all else. */
export function readTimestamp(value: unknown, field: string): Timestamp {
  const timestamp = readKnown(value)
  if (timestamp === undefined) {
    const expected = 'RFC 3339 or a number of seconds, milliseconds, microseconds or nanoseconds'
    const detail = `"${field}" must be a time as ${expected} since 1970, was ${describe(value)}`
    throw new ProblemError('timestamp_unreadable', detail, { field })
  }
  return timestamp
}

function readKnown(value: unknown): Timestamp | undefined {
  if (typeof value === 'string') {
    return readDateTime(value) ?? readEpoch(value)
  }
  if (typeof value === 'number') {
    return readEpoch(String(value))
  }
  return isRawNumber(value) ? readEpoch(value.rawJSON) : undefined
}

function readDateTime(text: string): Timestamp | undefined {
  const match = dateTime.exec(text)
  if (match === null) {
    return undefined
  }
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  const offsetHour = Number(match[9] ?? 0)
  const offsetMinute = Number(match[10] ?? 0)
  const isInRange =
    hour <= 23 && minute <= 59 && second <= 60 && offsetHour <= 23 && offsetMinute <= 59
  if (!isInRange || !isCalendarDate(year, month, day)) {
    return undefined
  }
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000
  const minuteMs = Date.UTC(year + 400, month - 1, day, hour, minute) - fourCenturiesMs - offsetMs
  if (second === 60) {
    return isLastMinuteOfMonth(minuteMs) ? minuteMs + 59_999 : undefined
  }
  return minuteMs + second * 1000 + Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
}

function isCalendarDate(year: number, month: number, day: number): boolean {
  const daysInMonth = new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth
}

/** RFC 3339, 5.7: a leap second is inserted at the end of a month, in UTC. */
function isLastMinuteOfMonth(minuteMs: number): boolean {
  const next = new Date(minuteMs + 60_000)
  return next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0
}

function readEpoch(text: string): Timestamp | undefined {
  const match = decimal.exec(text)
  if (match === null) {
    return undefined
  }
  const [, sign, integer = '', fraction = '', exponent = '0'] = match
  const written = integer + fraction
  const digits = written.replace(/^0+/, '')
  const integerDigits = integer.length + Number(exponent) - (written.length - digits.length)
  const unit = epochUnits.find(({ digitsMax }) => integerDigits <= digitsMax)
  if (digits === '') {
    return 0
  }
  if (unit === undefined) {
    return undefined
  }
  const keptDigits = Math.max(0, integerDigits + unit.shift)
  const ms = Number(digits.slice(0, keptDigits).padEnd(keptDigits, '0'))
  const isCut = /[1-9]/.test(digits.slice(keptDigits))
  return sign === '-' ? -(isCut ? ms + 1 : ms) + 0 : ms
}

/** What came, short enough for an answer. */
function describe(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
