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

import type { LogRecord, Timestamp } from '../record.ts'
import { type FieldPlace, flatten } from './flatten.ts'
import { defaultLevel, type EventObject, readLevel } from './level.ts'
import { findMessageField, messageText } from './message.ts'
import { nanosecondsAttribute } from './moment.ts'
import { isRawNumber } from './numbers.ts'
import { readEventTime } from './timestamp.ts'

export interface NormaliseContext {
  readonly receivedAt: Timestamp
  /**
   * The field that holds the sender's own time, named as its attribute would be: `time`, or
   * `meta.time` for a nested one. A name that stands there literally goes before a nested one.
   */
  readonly timestampField: string | undefined
  /** Told of each event whose time cannot be read. */
  readonly onUnreadableTime?: (() => void) | undefined
}

/** The attribute that says why a record has the time of receipt. */
export const timeErrorAttribute = 'timestamp_error'

/**
 * Makes a record of `payload`, a value that `parseEvent` read.
 *
 * Refuses with `attributes_too_many` or `attribute_too_large`, each with the field.
 */
export function normalise(payload: unknown, context: NormaliseContext): LogRecord {
  if (!isEventObject(payload)) {
    const message = messageText(payload)
    return { timestamp: context.receivedAt, level: defaultLevel, message, attributes: [] }
  }
  const time = readTime(payload, context)
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

interface TimeReading {
  readonly timestamp: Timestamp
  readonly used?: FieldPlace
  /** Attributes that come with it. */
  readonly added: readonly string[]
}

const nothingAdded: readonly string[] = []

function readTime(event: EventObject, context: NormaliseContext): TimeReading {
  const { receivedAt, timestampField: field, onUnreadableTime } = context
  const place = field === undefined ? undefined : findField(event, field)
  if (place === undefined) return { timestamp: receivedAt, added: nothingAdded }
  const moment = readEventTime(place.holder[place.name])
  if (moment === undefined) {
    onUnreadableTime?.()
    const error = `the field ${JSON.stringify(field)} cannot be read as a time`
    return { timestamp: receivedAt, added: [timeErrorAttribute, error] }
  }
  const { timestamp, nanoseconds } = moment
  const added = nanoseconds === undefined ? nothingAdded : [nanosecondsAttribute, nanoseconds]
  return { timestamp, used: place, added }
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
