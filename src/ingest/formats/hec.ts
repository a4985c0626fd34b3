/**
 * Splunk's HTTP Event Collector: JSON objects one after the other, with or without white space between
 * them, `{"time":…,"host":…,"source":…,"sourcetype":…,"index":…,"event":…,"fields":{…}}`.
 *
 * - The event is `event`: a text, an object, or any other value. Docker's `splunk` driver has its line
 *   in `line`, inside of an object with what it says of the container.
 * - timestamp: `time`, seconds since 1970 with a fraction, as a number or a text; else that of receipt.
 * - attributes: what is around the event; the members of `fields` under their own names.
 *
 * Sources: Splunk Enterprise 9.4, "Format events for HTTP Event Collector"; moby 28,
 * `daemon/logger/splunk/splunk.go`. Unlike Splunk, an event that is an empty text is taken.
 */

import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { isEventObject, noTime, timeOfValue } from '../event-time.ts'
import type { EventObject } from '../level.ts'
import { findMessageField } from '../message.ts'
import { newFields } from '../otlp/any-value.ts'
import { readEventBatch } from '../read-event-batch.ts'
import type { Format, FormatContext } from './format.ts'
import { HecDirect } from './hec-direct.ts'

export const hec: Format = {
  encodedPerByte: 2,
  read(body, context, direct) {
    const isUsual = direct !== undefined && isEmpty(context.given)
    const reader = isUsual ? new HecDirect(direct) : undefined
    return readEventBatch(body, context, reader, value => recordOf(value, context))
  },
}

function isEmpty(given: FormatContext['given']): boolean {
  return given === undefined || Object.keys(given).length === 0
}

const notMetadata = new Set(['event', 'time', 'fields'])

function recordOf(value: unknown, context: FormatContext): LogRecord {
  if (!isEventObject(value) || value.event === undefined || value.event === null) {
    throw new ProblemError('field_invalid', 'expected an object with an "event"', {
      field: 'event',
    })
  }
  const { event, time, fields } = value
  const { receivedAt, given } = context
  const around = newFields()
  for (const name in given) around[name] = given[name]
  for (const name in value) if (!notMetadata.has(name)) around[name] = value[name]
  if (isEventObject(fields)) for (const name in fields) around[name] = fields[name]
  const envelope = isOfDocker(event)
    ? { event: event.line, around: withContainer(around, event) }
    : { event, around }
  const hasTime = time !== undefined && time !== null && time !== ''
  const reading = hasTime ? timeOfValue(time, 'time', receivedAt) : noTime(receivedAt)
  return recordOfEnvelope({ ...envelope, time: reading }, context)
}

/** As Docker's driver has it, in its formats `inline` and `json`. */
function isOfDocker(event: unknown): event is EventObject {
  return isEventObject(event) && event.line !== undefined && findMessageField(event) === undefined
}

/** What Docker says of the container; what of `around` has the same name is kept under `outer.`. */
function withContainer(around: EventObject, { line: _, ...container }: EventObject): EventObject {
  const names = Object.keys(around).map(name => [
    Object.hasOwn(container, name) ? `outer.${name}` : name,
    around[name],
  ])
  return { ...container, ...Object.fromEntries(names) }
}
