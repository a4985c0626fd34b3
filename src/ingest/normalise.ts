/**
 * One event to one log record: the rules of what becomes timestamp, level, message and attributes.
 *
 * - timestamp: the field that the sender names, otherwise the time of receipt; so too when the event
 *   does not have that field, or has null there. A value that is no time costs the time, not the event:
 *   it stays an attribute, and `timestamp_error` says so. What is finer than ms is in `timestamp_ns`.
 * - level: see `level.ts`.
 * - message: see `message.ts`; otherwise the whole event as compact JSON, in the sender's order of names.
 * - attributes: every other field, see `flatten.ts`. An event that is not an object has none.
 */

import type { LogRecord } from '../record.ts'
import { isEventObject, readTime, type TimeContext } from './event-time.ts'
import { type FieldPlace, flatten } from './flatten.ts'
import { defaultLevel, readLevel } from './level.ts'
import { findMessageField, messageText } from './message.ts'
import { takeApart } from './take-apart.ts'

export interface NormaliseContext extends TimeContext {
  /** `json`: a message that is a text of one JSON object is taken apart, see `take-apart.ts`. */
  readonly parse?: ParseChoice
}

/** What is done with messages beyond reading them. */
export type ParseChoice = 'json' | undefined

/**
 * Makes a record of `payload`, a value that `parseEvent` read.
 *
 * Refuses with `attributes_too_many` or `attribute_too_large`, each with the field.
 */
export function normalise(payload: unknown, context: NormaliseContext): LogRecord {
  const apart = context.parse === 'json' ? takeApart(payload, context) : undefined
  if (apart !== undefined) return apart
  if (!isEventObject(payload)) {
    const message = messageText(payload)
    return { timestamp: context.receivedAt, level: defaultLevel, message, attributes: [] }
  }
  const time = readTime(payload, context)
  if (time.isUnreadable) context.onUnreadableTime?.()
  const { level, used } = readLevel(payload)
  const messageField = findMessageField(payload)
  const messagePlace = messageField && { holder: payload, name: messageField }
  return {
    timestamp: time.timestamp,
    level,
    message: messageText(messageField === undefined ? payload : payload[messageField]),
    attributes: flatten(payload, [time.used, used, messagePlace].filter(isPlace), time.added),
  }
}

function isPlace(place: FieldPlace | '' | undefined): place is FieldPlace {
  return typeof place === 'object'
}
