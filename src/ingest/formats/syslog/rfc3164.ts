/**
 * The older form that RFC 3164 describes, as programs write it: `Nov 20 22:14:15 host tag[123]: message`,
 * after the priority. Each part may be missing; what has no time is a message as a whole.
 *
 * - **Year**: none is said, so it is the one that brings the time nearest to that of receipt; a year that
 *   stands behind the day (`Nov 20 2026 22:14:15`) is taken.
 * - **Zone**: none is said, so it is that of this machine (`TZ`), as for rsyslog and syslog-ng. Of a time
 *   that a clock change brings twice it is the first.
 * - A time in RFC 3339 in that place, as rsyslog forwards it, has both.
 * - **Host**: the word after the time, unless that is a tag already.
 * - **Tag**: a word that ends in a colon, or in a number in brackets: program and process. Without a time
 *   before it only the second, since `error: no route` begins with no program's name.
 */

import { matchAt } from '../../../match/match-at.ts'
import type { Timestamp } from '../../../record.ts'
import { dayMs } from '../../../time-units.ts'
import { readRfc3339 } from '../../date-time.ts'
import { type Moment, withFraction } from '../../moment.ts'
import type { SyslogHeader } from './header.ts'

const time =
  /([A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d)(?:\.(\d{1,9}))? |(\d{4}-\d\d-\d\d[Tt]\S+) /y
const secondParts = /^(...) (..) (?:(\d{4}) )?(..):(..):(..)$/
const tag = /([^\s:[\]]+)(?:\[([^\]\s]*)\]:?|:)(?: |$)/y
const tagWithProcess = /([^\s:[\]]+)\[(\d+)\]: ?/y
const host = /\S+ /y
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The header at `start` of `text`; all of it is empty when there is none. */
export function readRfc3164(text: string, start: number, receivedAt: Timestamp): SyslogHeader {
  const found = matchAt(time, text, start)
  const moment = found === null ? undefined : momentOf(found, receivedAt)
  if (moment === undefined) return withTag(start, matchAt(tagWithProcess, text, start))
  const afterTime = time.lastIndex
  const own = matchAt(tag, text, afterTime)
  if (own !== null) return { ...withTag(afterTime, own), time: moment }
  const hostname = matchAt(host, text, afterTime)?.[0].slice(0, -1) ?? ''
  const at = hostname === '' ? afterTime : host.lastIndex
  return { ...withTag(at, matchAt(tag, text, at)), time: moment, hostname }
}

function withTag(at: number, found: RegExpExecArray | null): SyslogHeader {
  return {
    time: undefined,
    unreadableTime: '',
    hostname: '',
    appname: found?.[1] ?? '',
    procid: found?.[2] ?? '',
    msgid: '',
    data: undefined,
    messageStart: at + (found?.[0].length ?? 0),
  }
}

/** Undefined when the parts are no date or no time of day. */
function momentOf(
  [, second, fraction = '', whole]: RegExpExecArray,
  receivedAt: Timestamp,
): Moment | undefined {
  if (whole !== undefined) return readRfc3339(whole)
  const secondMs = nearestSecond(second!, receivedAt)
  return secondMs === undefined ? undefined : withFraction(secondMs, fraction)
}

/** Nearer to its receipt than this, a time's year is the same for all that come about then. */
const surelyNearMs = 90 * dayMs

/** What was read last, since most messages are of the same second. */
let lastSecond = ''
let lastMs = Number.NaN

function nearestSecond(second: string, receivedAt: Timestamp): number | undefined {
  if (second === lastSecond && Math.abs(lastMs - receivedAt) < surelyNearMs) return lastMs
  const parts = secondParts.exec(second)!
  const near = new Date(receivedAt).getFullYear()
  const years = parts[3] === undefined ? [near, near - 1, near + 1] : [Number(parts[3])]
  const times = years.map(year => localTime(year, parts)).filter(ms => ms !== undefined)
  const distance = (ms: number) => Math.abs(ms - receivedAt)
  const nearest = times.sort((a, b) => distance(a) - distance(b))[0]
  if (nearest === undefined) return undefined
  lastSecond = second
  lastMs = nearest
  return nearest
}

/** Undefined for a day that the year does not have, and for hours that there are not. */
function localTime(year: number, parts: RegExpExecArray): number | undefined {
  const month = monthNames.indexOf(parts[1]!)
  const [day, hour, minute, second] = [parts[2], parts[4], parts[5], parts[6]].map(Number)
  if (month < 0 || hour! > 23 || minute! > 59 || second! > 59) return undefined
  const date = new Date(year, month, day, hour, minute, second)
  return date.getMonth() === month && date.getDate() === day ? date.getTime() : undefined
}
