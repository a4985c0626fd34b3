/** The time of an event, in the field that its sender names. */

import { nanosecondsAttribute, type Timestamp } from '../record.ts'
import type { FieldPlace } from './flatten.ts'
import type { EventObject } from './level.ts'
import type { Moment } from './moment.ts'
import { isRawNumber } from './numbers.ts'
import { readEventTime } from './timestamp.ts'

export interface TimeContext {
  readonly receivedAt: Timestamp
  /**
   * The field that holds the sender's own time, named as its attribute would be: `time`, or
   * `meta.time` for a nested one. A name that is there literally goes before a nested one.
   */
  readonly timestampField: string | undefined
  /** Told of each event whose time cannot be read. */
  readonly onUnreadableTime?: (() => void) | undefined
}

/** The attribute that says why a record has the time of receipt. */
export const timeErrorAttribute = 'timestamp_error'

export interface TimeReading {
  /** The time of receipt when the event has none, or none that can be read. */
  readonly timestamp: Timestamp
  /** Where the time stands, readable or not. */
  readonly place: FieldPlace | undefined
  /** The same, when the time is read and so not repeated. */
  readonly used: FieldPlace | undefined
  /** Attributes that come with it. */
  readonly added: readonly string[]
  readonly isUnreadable: boolean
}

const nothingAdded: readonly string[] = []

export function readTime(event: EventObject, context: TimeContext): TimeReading {
  const { receivedAt, timestampField: field } = context
  const place = field === undefined ? undefined : findField(event, field)
  if (place === undefined) return { ...noTime(receivedAt), place }
  const reading = timeOfValue(place.holder[place.name], field!, receivedAt)
  return { ...reading, place, used: reading.isUnreadable ? undefined : place }
}

/** The reading where nothing says a time. */
export function noTime(receivedAt: Timestamp): TimeReading {
  return {
    timestamp: receivedAt,
    place: undefined,
    used: undefined,
    added: nothingAdded,
    isUnreadable: false,
  }
}

/** The time that `value`, of the field `field`, says in any form of an event's time. */
export function timeOfValue(value: unknown, field: string, receivedAt: Timestamp): TimeReading {
  const moment = readEventTime(value)
  if (moment !== undefined) return timeOfMoment(moment)
  const error = `the field ${JSON.stringify(field)} cannot be read as a time`
  return { ...noTime(receivedAt), added: [timeErrorAttribute, error], isUnreadable: true }
}

export function timeOfMoment({ timestamp, nanoseconds }: Moment): TimeReading {
  const added = nanoseconds === undefined ? nothingAdded : [nanosecondsAttribute, nanoseconds]
  return { ...noTime(timestamp), added }
}

export function isEventObject(value: unknown): value is EventObject {
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
