/**
 * GELF 1.1, one message: `{"version":"1.1","host":…,"short_message":…,"full_message":…,"timestamp":…,
 * "level":…,"_field":…}`.
 *
 * - The event is `short_message`; timestamp is `timestamp`, seconds since 1970 with a fraction.
 * - `level` is a number of syslog's, 0 to 7, 1 (alert) when it is absent as the specification has it: then
 *   it is info here, because most senders leave it out for want of one.
 * - attributes: the rest; an additional field without its `_`, unless GELF has that name itself.
 *
 * Source: go2docs.graylog.org, "GELF payload specification" 1.1. Also several messages in a row, which
 * Graylog's input for HTTP takes when it is told so.
 */

import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { isEventObject, noTime, timeOfValue } from '../event-time.ts'
import { readLevelText } from '../level.ts'
import { readEventBatch } from '../read-event-batch.ts'
import type { Format, FormatContext } from './format.ts'

export const gelf: Format = {
  encodedPerByte: 2,
  read: (body, context) =>
    readEventBatch(body, context, undefined, value => recordOfGelf(value, context)),
}

const ownNames = new Set(['version', 'host', 'short_message', 'full_message', 'timestamp', 'level'])

/** The record of a message, a value that `parseEvent` read. Refuses with `field_invalid`, or as any event. */
export function recordOfGelf(message: unknown, context: FormatContext): LogRecord {
  const text = isEventObject(message) ? message.short_message : undefined
  if (!isEventObject(message) || typeof text !== 'string') {
    const detail = 'expected an object whose "short_message" is a text'
    throw new ProblemError('field_invalid', detail, { field: 'short_message' })
  }
  const { short_message: _, version: __, timestamp, level, ...others } = message
  const isPlain = typeof level === 'number' || typeof level === 'string'
  const reading = isPlain ? readLevelText('syslog', String(level)) : undefined
  const around = {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [nameOf(name), value])),
    ...(level !== undefined && { level: reading?.level ?? level }),
  }
  const hasTime = timestamp !== undefined && timestamp !== null
  const { receivedAt } = context
  const time = hasTime ? timeOfValue(timestamp, 'timestamp', receivedAt) : noTime(receivedAt)
  return recordOfEnvelope({ event: text, around, time }, context)
}

function nameOf(name: string): string {
  const bare = name.startsWith('_') ? name.slice(1) : name
  return bare === '' || ownNames.has(bare) ? name : bare
}
