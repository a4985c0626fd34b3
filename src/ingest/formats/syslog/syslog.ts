/**
 * One syslog message to one record.
 *
 * - timestamp: that of the header, otherwise the time of receipt. What is finer than a millisecond is in
 *   `timestamp_ns`.
 * - level: the severity, each by its own name (`severityLevels`).
 * - message: what stands behind the header. Bytes that are not UTF-8 are read as Latin-1: each byte one
 *   character, so that none is lost.
 * - attributes: `hostname`, `appname`, `procid`, `msgid`, `facility`, as far as they are said, and
 *   structured data as `id.name`.
 *
 * A message that is one JSON object, behind `@cee:` too, is taken apart as an event is (`take-apart.ts`):
 * its own level and message count, the header's stay beside it, under `outer.` where it has the name.
 */

import { isUtf8 } from 'node:buffer'
import { type LogRecord, nanosecondsAttribute, type Timestamp } from '../../../record.ts'
import { timeErrorAttribute } from '../../event-time.ts'
import { flatten } from '../../flatten.ts'
import type { EventObject } from '../../level.ts'
import { takeApart } from '../../take-apart.ts'
import type { SyslogHeader } from './header.ts'
import { type Priority, readPriority } from './priority.ts'
import { readRfc3164 } from './rfc3164.ts'
import { readRfc5424 } from './rfc5424.ts'

export interface SyslogContext {
  readonly receivedAt: Timestamp
  /** Told of each message whose time cannot be read. */
  noteUnreadableTime(): void
}

/** Characters of all names in a header that are within each limit, whatever they are. */
const surelyShort = 4096

/** Of the Common Event Expression, which rsyslog and others still write. */
const cee = /^ ?@cee: ?(?=\{)/

/** Refuses with `attributes_too_many` or `attribute_too_large`, naming the attribute. */
export function readSyslog(bytes: Buffer, context: SyslogContext): LogRecord {
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const priority = readPriority(text)
  const start = priority.length
  const found = start === 0 ? undefined : readRfc5424(text, start)
  const header = found ?? readRfc3164(text, start, context.receivedAt)
  const message = text.slice(header.messageStart)
  if (header.unreadableTime !== '') context.noteUnreadableTime()
  return readJson(message, header, priority, context) ?? plain(message, header, priority, context)
}

function plain(
  message: string,
  header: SyslogHeader,
  priority: Priority,
  { receivedAt }: SyslogContext,
): LogRecord {
  return {
    timestamp: header.time?.timestamp ?? receivedAt,
    level: priority.severity,
    message,
    attributes: attributesOf(header, priority),
  }
}

/** Without structured data no two have the same name, and none is beyond a limit but by its length. */
function attributesOf(header: SyslogHeader, priority: Priority): string[] {
  const { hostname, appname, procid, msgid, time, data, unreadableTime } = header
  const { length } = hostname + appname + procid + msgid
  if (data !== undefined || unreadableTime !== '' || length > surelyShort) {
    return flatten(fieldsOf(header, priority), [])
  }
  const list: string[] = []
  if (hostname !== '') list.push('hostname', hostname)
  if (appname !== '') list.push('appname', appname)
  if (procid !== '') list.push('procid', procid)
  if (msgid !== '') list.push('msgid', msgid)
  list.push('facility', priority.facility)
  if (time?.nanoseconds !== undefined) list.push(nanosecondsAttribute, time.nanoseconds)
  return list
}

/** The record of a message that is a JSON object; undefined when it is none. */
function readJson(
  message: string,
  header: SyslogHeader,
  priority: Priority,
  { receivedAt }: SyslogContext,
): LogRecord | undefined {
  const json = message.replace(cee, '')
  if (json.charCodeAt(0) !== 0x7b) return undefined
  // The severity is a field here: where the object has a level, it stays as one beside it.
  const around = { ...fieldsOf(header, priority), severity: priority.severity, message: json }
  const time = header.time?.timestamp ?? receivedAt
  return takeApart(around, { receivedAt: time, timestampField: undefined })
}

function fieldsOf(header: SyslogHeader, { facility }: Priority): EventObject {
  const { hostname, appname, procid, msgid, time, unreadableTime } = header
  const fields: Record<string, unknown> = { ...header.data }
  if (hostname !== '') fields.hostname = hostname
  if (appname !== '') fields.appname = appname
  if (procid !== '') fields.procid = procid
  if (msgid !== '') fields.msgid = msgid
  fields.facility = facility
  if (time?.nanoseconds !== undefined) fields[nanosecondsAttribute] = time.nanoseconds
  if (unreadableTime !== '') {
    fields[timeErrorAttribute] = `${JSON.stringify(unreadableTime)} cannot be read as a time`
  }
  return fields
}
