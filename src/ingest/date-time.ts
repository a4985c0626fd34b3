/**
 * Dates with a time of day, as text. RFC 3339 and the forms that logs have beside it:
 *
 * - `2026-11-20T09:30:00.123456Z`, `2026-11-20 09:30:00,123 +0100`, `2026/11/20 09:30:00`: RFC 3339, and ISO
 *   8601 as loggers write it. The zone is `Z`, `UTC`, `GMT`, `+01:00`, `+0100` or `+01`; Go adds its name.
 * - `20/Nov/2026:13:55:36 +0000`: access logs of Apache and nginx, brackets aside.
 * - `Fri Nov 20 13:55:36.123456 2026`: Apache's error log, and C's asctime.
 * - `Fri, 20 Nov 2026 13:55:36 GMT`: RFC 1123, with a zone in digits too.
 *
 * What has no zone is UTC. Other names of zones are not read: they mean several things. The day of the
 * week is not looked at. A leap second (`23:59:60` in UTC on the last day of a month) is read as the last
 * millisecond before it, since Unix time has no name for it.
 */

import { dayMs } from '../time-units.ts'
import { type Moment, withFraction } from './moment.ts'

const date = String.raw`(?<year>\d{4})(?<dash>[-/])(?<month>\d\d)\k<dash>(?<day>\d\d)`
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d+))?`
const zone = String.raw`(?:[Zz]|UTC|GMT|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?)`
const monthName = '(?<month>[A-Z][a-z]{2})'

const rfc3339 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt ](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+-])(?<zoneHour>\d\d):(?<zoneMinute>\d\d))$/

const otherForms = [
  `${date}[Tt ]${time}(?: ?${zone}(?: UTC)?)?`,
  String.raw`(?<day>\d\d)/${monthName}/(?<year>\d{4}):${time}(?: ${zone})?`,
  String.raw`[A-Z][a-z]{2} ${monthName} (?<day>[ \d]\d) ${time}(?: ${zone})? (?<year>\d{4})`,
  String.raw`(?:[A-Z][a-z]{2}, )?(?<day>\d\d?) ${monthName} (?<year>\d{4}) ${time}(?: ${zone})?`,
].map(form => new RegExp(`^${form}$`))

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The Gregorian calendar repeats after 400 years; Date.UTC takes years 0 to 99 for 1900 and on. */
const fourCenturiesMs = 146_097 * dayMs

/** Longer texts are none of the forms, however many digits the fraction has. */
const lengthMax = 100

/** Reads RFC 3339, and nothing else; undefined for all else. */
export function readRfc3339(text: string): Moment | undefined {
  return momentOf(rfc3339.exec(text)?.groups)
}

/** Reads any of the forms above, in brackets or not. */
export function readDateTime(text: string): Moment | undefined {
  if (text.length > lengthMax) return undefined
  const strict = readRfc3339(text)
  if (strict !== undefined) return strict
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  for (const form of otherForms) {
    const match = form.exec(bare)
    if (match !== null) return momentOf(match.groups)
  }
  return undefined
}

/** Undefined without parts, and when they are no date or no time of day. */
function momentOf(parts: Readonly<Record<string, string>> | undefined): Moment | undefined {
  if (parts === undefined) return undefined
  const year = Number(parts.year)
  const month = Number(parts.month) || monthNames.indexOf(parts.month!) + 1
  const [day, hour, minute] = [Number(parts.day), Number(parts.hour), Number(parts.minute)]
  const second = Number(parts.second)
  const zoneHour = Number(parts.zoneHour ?? 0)
  const zoneMinute = Number(parts.zoneMinute ?? 0)
  const isInRange = hour <= 23 && minute <= 59 && second <= 60 && zoneHour <= 23 && zoneMinute <= 59
  if (!isInRange || !isCalendarDate(year, month, day)) return undefined
  const zoneMs = (parts.sign === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000
  const minuteMs = Date.UTC(year + 400, month - 1, day, hour, minute) - fourCenturiesMs - zoneMs
  if (second < 60) return withFraction(minuteMs + second * 1000, parts.fraction ?? '')
  if (!isLastMinuteOfMonth(minuteMs)) return undefined
  return { timestamp: minuteMs + 59_999, nanoseconds: undefined }
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
