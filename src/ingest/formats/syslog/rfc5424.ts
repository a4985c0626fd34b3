/**
 * RFC 5424: `1 2026-11-20T22:14:15.003Z host app procid msgid [data] message`, after the priority.
 *
 * Lengths of names are not looked at, and a time that cannot be read costs only the time. Structured data
 * that is not whole is part of the message, so that nothing of it is lost.
 */

import { readRfc3339 } from '../../date-time.ts'
import { type Moment, withFraction } from '../../moment.ts'
import type { SyslogHeader } from './header.ts'
import { readStructuredData } from './structured-data.ts'

const header = /1 (\S+) (\S+) (\S+) (\S+) (\S+) (?:-|(?=\[))/y
const byteOrderMark = '\ufeff'

/** The header at `start` of `text`; undefined when it is not of this form. */
export function readRfc5424(text: string, start: number): SyslogHeader | undefined {
  header.lastIndex = start
  const found = header.exec(text)
  if (found === null) return undefined
  const [, timeText, hostname, appname, procid, msgid] = found
  const at = header.lastIndex
  const isEmpty = text.charCodeAt(at - 1) === 0x2d // "-": no data.
  const data = isEmpty ? undefined : readStructuredData(text, at)
  const end = data?.end ?? at
  const time = timeText === nil ? undefined : momentOf(timeText!)
  return {
    time,
    unreadableTime: timeText !== nil && time === undefined ? timeText! : '',
    hostname: unlessNil(hostname!),
    appname: unlessNil(appname!),
    procid: unlessNil(procid!),
    msgid: unlessNil(msgid!),
    data: data?.data,
    messageStart: skipMark(text, text.charCodeAt(end) === 0x20 ? end + 1 : end),
  }
}

const nil = '-'

function unlessNil(text: string): string {
  return text === nil ? '' : text
}

/** The byte order mark says that the message is UTF-8, and is none of it. */
function skipMark(text: string, at: number): number {
  return text.startsWith(byteOrderMark, at) ? at + byteOrderMark.length : at
}

/** Of `2026-11-20T22:14:15`. */
const secondLength = 19

/** The second that was read last, with its zone: most messages are of the same. */
let lastSecond = ''
let lastZone = ''
let lastMs = 0

/** RFC 3339, with the fraction taken apart; what is odd (a leap second) is read as a whole. */
function momentOf(text: string): Moment | undefined {
  const second = text.slice(0, secondLength)
  let at = secondLength
  if (text.charCodeAt(at) === 0x2e) while (isDigit(text.charCodeAt(++at)));
  const fraction = text.slice(secondLength + 1, at)
  const zone = text.slice(at)
  if (second !== lastSecond || zone !== lastZone) {
    const whole = readRfc3339(second + zone)
    if (whole === undefined) return undefined
    lastSecond = second
    lastZone = zone
    lastMs = whole.timestamp
  }
  const isOdd = text.charCodeAt(at - 1) === 0x2e || second.endsWith('60')
  return isOdd ? readRfc3339(text) : withFraction(lastMs, fraction)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
