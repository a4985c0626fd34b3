/**
 * An event whose message is itself one JSON object in a text, as Docker, Kubernetes and Fluent Bit pass
 * on what a program has logged: `{"log":"{\"level\":\"warn\",\"msg\":\"x\"}\n","stream":"stdout"}`. The
 * object in the text is the event then: level, message and time are looked for in it by the usual rules;
 * level and time in the fields around it only when it has none.
 *
 * The fields around it stay attributes. One whose name the object has too is kept under `outer.`. The
 * text is taken apart once: a text in the object is only a text.
 */

import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import { isEventObject, readTime, type TimeContext } from './event-time.ts'
import { type FieldPlace, flatten } from './flatten.ts'
import { parseEvent } from './json.ts'
import { defaultLevel, type EventObject, findLevel, inferLevel } from './level.ts'
import { findMessageField, messageText } from './message.ts'

/**
 * The record of `payload` with its message taken apart; undefined when its message is no text of one
 * JSON object, or would be beyond a limit: then it is an event like any other.
 */
export function takeApart(payload: unknown, context: TimeContext): LogRecord | undefined {
  const outer = isEventObject(payload) ? payload : {}
  const field = findMessageField(outer)
  const text = typeof payload === 'string' ? payload : field && outer[field]
  if (typeof text !== 'string') return undefined
  try {
    const inner = readObject(text)
    return inner && recordOf(inner, { outer, field }, context)
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Undefined when `text` is surely no object; throws a ProblemError when it turns out to be none. */
function readObject(text: string): EventObject | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined
  return parseEvent(Buffer.from(trimmed)) as EventObject
}

interface Around {
  readonly outer: EventObject
  /** The field of `outer` that has the text. */
  readonly field: string | undefined
}

function recordOf(inner: EventObject, { outer, field }: Around, context: TimeContext): LogRecord {
  const innerTime = readTime(inner, context)
  const outerTime = innerTime.place === undefined ? readTime(outer, context) : undefined
  const time = outerTime?.place === undefined ? innerTime : outerTime
  const level = findLevel(inner) ?? findLevel(outer)
  const messageField = findMessageField(inner)
  const used: (FieldPlace | undefined)[] = [time.used, level?.used]
  if (messageField !== undefined) used.push({ holder: inner, name: messageField })
  if (field !== undefined) used.push({ holder: outer, name: field })
  const places = used.filter(place => place !== undefined)
  const own = flatten(inner, places, time.added)
  const attributes = withOuter(own, inner, flatten(outer, places))
  if (attributes.length > 2 * limits.eventAttributesMax) {
    throw new ProblemError('attributes_too_many', 'more than an event may have')
  }
  if (time.isUnreadable) context.onUnreadableTime?.()
  return {
    timestamp: time.timestamp,
    level: level?.level ?? inferLevel(inner) ?? inferLevel(outer) ?? defaultLevel,
    message: messageText(messageField === undefined ? inner : inner[messageField]),
    attributes,
  }
}

/** `own`, followed by the attributes around it, under names that neither it nor its event has. */
function withOuter(own: string[], inner: EventObject, outer: readonly string[]): string[] {
  const taken = new Set([...Object.keys(inner), ...own.filter((_, index) => index % 2 === 0)])
  const all = [...own]
  for (let index = 0; index < outer.length; index += 2) {
    let name = outer[index]!
    while (taken.has(name)) name = `outer.${name}`
    taken.add(name)
    all.push(name, outer[index + 1]!)
  }
  return all
}
