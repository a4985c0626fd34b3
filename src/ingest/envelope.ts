/**
 * An event inside of what its protocol says around it, such as the host and source of Splunk's or the
 * labels of Loki's: the event is what the program said, and what is around it stays attributes.
 *
 * An event that is an object is read by the usual rules (`normalise.ts`), and so is a text of one when
 * messages are to be taken apart; any other is the message. Level and time are looked for in the event
 * first, as far as it is an object, and then around it. A field around it whose name the event has too is
 * kept under `outer.`.
 */

import { limits } from '../limits.ts'
import { ProblemError, unlessProblem } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import { isEventObject, type TimeReading } from './event-time.ts'
import { flatten } from './flatten.ts'
import { parseEvent } from './json.ts'
import { defaultLevel, type EventObject, findLevel, inferLevel, readLevel } from './level.ts'
import { findMessageField, messageText } from './message.ts'
import type { NormaliseContext } from './normalise.ts'

export interface Envelope {
  /** A text, or a value that `parseEvent` read. */
  readonly event: unknown
  readonly around: EventObject
  /** What the protocol says of the event's time. */
  readonly time: TimeReading
}

/** Refuses with `attributes_too_many` or `attribute_too_large`, each with the field. */
export function recordOfEnvelope(envelope: Envelope, context: NormaliseContext): LogRecord {
  const { event, around, time } = envelope
  if (time.isUnreadable) context.onUnreadableTime?.()
  if (isEventObject(event)) return recordOfObject(event, { outer: around, field: undefined }, time)
  const apart = context.parse === 'json' ? takenApart(envelope) : undefined
  if (apart !== undefined) return apart
  const { level, used } = readLevel(around)
  return {
    timestamp: time.timestamp,
    level,
    message: messageText(event),
    attributes: flatten(around, used === undefined ? [] : [used], time.added),
  }
}

function takenApart({ event, around, time }: Envelope): LogRecord | undefined {
  if (typeof event !== 'string') return undefined
  return unlessProblem(() => {
    const inner = readObjectText(event)
    return inner && recordOfObject(inner, { outer: around, field: undefined }, time)
  })
}

/** Undefined when `text` is surely no object; throws a ProblemError when it turns out to be none. */
export function readObjectText(text: string): EventObject | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined
  return parseEvent(Buffer.from(trimmed)) as EventObject
}

export interface Around {
  readonly outer: EventObject
  /** The field of `outer` that has the event, and is no attribute. */
  readonly field: string | undefined
}

/** The record of `inner`, an event with more around it, whose time is known. Refuses as above. */
export function recordOfObject(
  inner: EventObject,
  { outer, field }: Around,
  time: TimeReading,
): LogRecord {
  const level = findLevel(inner) ?? findLevel(outer)
  const messageField = findMessageField(inner)
  const used = [time.used, level?.used].filter(place => place !== undefined)
  if (messageField !== undefined) used.push({ holder: inner, name: messageField })
  if (field !== undefined) used.push({ holder: outer, name: field })
  const own = flatten(inner, used, time.added)
  const attributes = withOuter(own, inner, flatten(outer, used))
  if (attributes.length > 2 * limits.eventAttributesMax) {
    const detail = `expected at most ${limits.eventAttributesMax} attributes, came more`
    throw new ProblemError('attributes_too_many', detail, { field: 'attributes' })
  }
  return {
    timestamp: time.timestamp,
    level: level?.level ?? inferLevel(inner) ?? inferLevel(outer) ?? defaultLevel,
    message: messageText(messageField === undefined ? inner : inner[messageField]),
    attributes,
  }
}

/** Adds to `own` the attributes around it, under names that neither it nor its event has. */
function withOuter(own: string[], inner: EventObject, outer: readonly string[]): string[] {
  if (outer.length === 0) return own
  const taken = own.length > fewNames ? new Set(own.filter((_, i) => i % 2 === 0)) : undefined
  const isTaken = (name: string) =>
    Object.hasOwn(inner, name) || (taken === undefined ? isNameOf(own, name) : taken.has(name))
  for (let index = 0; index < outer.length; index += 2) {
    let name = outer[index]!
    while (isTaken(name)) name = `outer.${name}`
    taken?.add(name)
    own.push(name, outer[index + 1]!)
  }
  return own
}

/** Names and values up to which looking through them is faster than a set of the names. */
const fewNames = 64

function isNameOf(attributes: readonly string[], name: string): boolean {
  for (let index = 0; index < attributes.length; index += 2) {
    if (attributes[index] === name) return true
  }
  return false
}
