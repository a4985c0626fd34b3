/**
 * Datadog's log intake: an array of logs, or one, `{"message":…,"ddsource":…,"ddtags":"env:prod,…",
 * "hostname":…,"service":…,"status":…,"timestamp":…}`, of which all but the message may be missing.
 *
 * - The event is `message`; the rest is around it. `status` is its level: a word, or a number of syslog's.
 * - timestamp: the first of Datadog's own names for it, see below; else that of receipt.
 * - Each tag of `ddtags` is an attribute too, under its own name, unless the log has that name itself.
 *
 * Source: Datadog's API reference, Logs v2, and "Log Configuration", reserved attributes (2026).
 */

import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { isEventObject, noTime, timeOfValue } from '../event-time.ts'
import { type EventObject, readLevelText } from '../level.ts'
import { readEventBatch } from '../read-event-batch.ts'
import type { Format, FormatContext } from './format.ts'

export const datadog: Format = {
  encodedPerByte: 2,
  read: (body, context) =>
    readEventBatch(body, context, undefined, value => recordOf(value, context)),
}

const timeNames = ['@timestamp', 'timestamp', '_timestamp', 'Timestamp', 'eventTime', 'date']

function recordOf(value: unknown, context: FormatContext): LogRecord {
  if (!isEventObject(value)) {
    throw new ProblemError('field_invalid', 'expected an object with a "message"', {
      field: 'message',
    })
  }
  const log = { ...context.given, ...value }
  const timeName = timeNames.find(name => log[name] !== undefined && log[name] !== null)
  const time =
    timeName === undefined
      ? noTime(context.receivedAt)
      : timeOfValue(log[timeName], timeName, context.receivedAt)
  const isRead = timeName !== undefined && !time.isUnreadable
  const { message = '', ...others } = isRead ? without(log, timeName) : log
  return recordOfEnvelope({ event: message, around: withLevel(withTags(others)), time }, context)
}

function without(log: EventObject, name: string): EventObject {
  const { [name]: _, ...others } = log
  return others
}

/** `status` says the level and nothing else here, unlike in any event. */
function withLevel(log: EventObject): EventObject {
  const { status } = log
  const isPlain = typeof status === 'string' || typeof status === 'number'
  const reading = isPlain ? readLevelText('syslog', String(status)) : undefined
  return reading === undefined || log.level !== undefined ? log : { ...log, level: reading.level }
}

/** Tags without a value are in `ddtags` alone; of several with one name the last counts. */
function withTags(log: EventObject): EventObject {
  const { ddtags } = log
  if (typeof ddtags !== 'string') return log
  const pairs = ddtags.split(',').map(tag => {
    const colon = tag.indexOf(':')
    return [tag.slice(0, colon).trim(), tag.slice(colon + 1).trim()] as const
  })
  return { ...Object.fromEntries(pairs.filter(([name]) => name !== '')), ...log }
}
