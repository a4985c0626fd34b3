/** The time that a call is about, as a model writes it. */

import { Type } from 'typebox'
import { readTimestamp } from '../../../ingest/timestamp.ts'
import { parseDuration } from '../../../language/duration.ts'
import { ProblemError } from '../../../problems.ts'
import { type TimeRange, type Timestamp, timeMax } from '../../../record.ts'
import { hourMs } from '../../../time-units.ts'
import type { Cursor } from './cursor.ts'

const forms =
  'such as "now-2h", "now", "2026-11-25T14:00:00Z", "2026-11-25", or milliseconds since 1970'
const moment = (what: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: `${what}, ${forms}` }))

export const rangeParameters = {
  from: moment('the begin of the time range, inclusive; an hour before its end when absent'),
  to: moment('the end of the time range, inclusive; now when absent'),
}

interface Asked {
  readonly from?: string | number | undefined
  readonly to?: string | number | undefined
}

/** The range of a cursor, which goes on with that; else the one asked for. Throws `field_invalid`. */
export function readRange({ from, to }: Asked, now: Timestamp, cursor?: Cursor): TimeRange {
  if (cursor?.range !== undefined) return cursor.range
  const endTime = readMoment('to', to, now) ?? now
  const startTime = readMoment('from', from, now) ?? Math.max(-timeMax, endTime - hourMs)
  if (startTime > endTime) {
    const detail = `"from" (${shownTime(startTime)}) must not be after "to" (${shownTime(endTime)})`
    throw new ProblemError('field_invalid', detail, { field: 'from' })
  }
  return { startTime, endTime }
}

/** A range of which each end may be open. Throws `field_invalid`. */
export function readOpenRange({ from, to }: Asked, now: Timestamp): Partial<TimeRange> {
  const startTime = readMoment('from', from, now)
  const endTime = readMoment('to', to, now)
  return {
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
  }
}

function readMoment(
  field: 'from' | 'to',
  asked: string | number | undefined,
  now: Timestamp,
): Timestamp | undefined {
  if (asked === undefined) return undefined
  const time = typeof asked === 'number' ? asked : momentOf(asked.trim(), now)
  if (time === undefined || Math.abs(time) > timeMax) {
    const detail = `"${field}" must be a time ${forms}, was ${JSON.stringify(asked).slice(0, 80)}`
    throw new ProblemError('field_invalid', detail, { field })
  }
  return time
}

function momentOf(text: string, now: Timestamp): Timestamp | undefined {
  if (text === 'now') return now
  const ago = /^(?:now\s*-\s*)?(\d[0-9a-z]*[a-z])$/.exec(text)?.[1]
  if (ago !== undefined) {
    const ms = parseDuration(ago)
    return ms === undefined ? undefined : now - ms
  }
  return readTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
}

/** As the answers of tools have times; the first or the last that a date can have, of one beyond. */
export function shownTime(time: Timestamp): string {
  return new Date(Math.max(-timeMax, Math.min(time, timeMax))).toISOString()
}

/** As answers say which time they are about. */
export function shownRange({ startTime, endTime }: TimeRange): { from: string; to: string } {
  return { from: shownTime(startTime), to: shownTime(endTime) }
}
