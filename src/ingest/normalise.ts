/**
 * One event to one log record: the rules of what becomes timestamp, level, message and attributes.
 *
 * - timestamp: the field that the sender names, otherwise the time of receipt; so too when the event
 *   does not have that field, or has null there.
 * - level: see `level.ts`.
 * - message: see `message.ts`; otherwise the whole event as compact JSON, in the sender's order of names.
 * - attributes: every other field, see `flatten.ts`. An event that is not an object has none.
 */

import type { LogRecord, Timestamp } from '../record.ts'
import { type FieldPlace, flatten } from './flatten.ts'
import { defaultLevel, type EventObject, readLevel } from './level.ts'
import { findMessageField, messageText } from './message.ts'
import { isRawNumber } from './numbers.ts'
import { readTimestamp } from './timestamp.ts'

export interface NormaliseContext {
  readonly receivedAt: Timestamp
  /**
   * The field that holds the sender's own time, named as its attribute would be: `time`, or
   * `meta.time` for a nested one. A name that stands there literally goes before a nested one.
   */
  readonly timestampField: string | undefined
}

/**
 * Makes a record of `payload`, a value that `parseEvent` read.
 *
 * Refuses with `timestamp_unreadable`, `attributes_too_many` or `attribute_too_large`, each with the
 * field.
 */
export function normalise(payload: unknown, context: NormaliseContext): LogRecord {
  if (!isEventObject(payload)) {
    const message = messageText(payload)
    return { timestamp: context.receivedAt, level: defaultLevel, message, attributes: [] }
  }
  const { timestampField } = context
  const timePlace = timestampField === undefined ? undefined : findField(payload, timestampField)
  const timestamp =
    timePlace === undefined
      ? context.receivedAt
      : readTimestamp(timePlace.holder[timePlace.name], timestampField!)
  const { level, used } = readLevel(payload)
  const messageField = findMessageField(payload)
  const messagePlace = messageField && { holder: payload, name: messageField }
  return {
    timestamp,
    level,
    message: messageText(messageField === undefined ? payload : payload[messageField]),
    attributes: flatten(payload, [timePlace, used, messagePlace].filter(isPlace)),
  }
}

function isPlace(place: FieldPlace | '' | undefined): place is FieldPlace {
  return typeof place === 'object'
}

function isEventObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** The field of `object` whose attribute would be called `path`; undefined when absent or null. */
function findField(object: EventObject, path: string): FieldPlace | undefined {
  if (Object.hasOwn(object, path)) {
    return object[path] === null ? undefined : { holder: object, name: path }
  }
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const nested = Object.hasOwn(object, name) ? object[name] : undefined
    const place = isEventObject(nested) ? findField(nested, path.slice(dot + 1)) : undefined
    if (place !== undefined) {
      return place
    }
  }
  return undefined
}
