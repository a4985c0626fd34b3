/**
 * An event whose message is itself one JSON object in a text, as Docker, Kubernetes and Fluent Bit pass
 * on what a program has logged: `{"log":"{\"level\":\"warn\",\"msg\":\"x\"}\n","stream":"stdout"}`. The
 * object in the text is the event then: level, message and time are looked for in it by the usual rules;
 * level and time in the fields around it only when it has none.
 *
 * The fields around it stay attributes. One whose name the object has too is kept under `outer.`. The
 * text is taken apart once: a text in the object is only a text.
 */

import { unlessProblem } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import { readObjectText, recordOfObject } from './envelope.ts'
import { isEventObject, readTime, type TimeContext } from './event-time.ts'
import type { EventObject } from './level.ts'
import { findMessageField } from './message.ts'

/**
 * The record of `payload` with its message taken apart; undefined when its message is no text of one
 * JSON object, or would be beyond a limit: then it is an event like any other.
 */
export function takeApart(payload: unknown, context: TimeContext): LogRecord | undefined {
  const outer = isEventObject(payload) ? payload : {}
  const field = findMessageField(outer)
  const text = typeof payload === 'string' ? payload : field && outer[field]
  if (typeof text !== 'string') return undefined
  return unlessProblem(() => {
    const inner = readObjectText(text)
    if (inner === undefined) return undefined
    const time = readTimeOf(inner, outer, context)
    const record = recordOfObject(inner, { outer, field }, time)
    if (time.isUnreadable) context.onUnreadableTime?.()
    return record
  })
}

/** The object's own time, or else that around it. */
function readTimeOf(inner: EventObject, outer: EventObject, context: TimeContext) {
  const innerTime = readTime(inner, context)
  const outerTime = innerTime.place === undefined ? readTime(outer, context) : undefined
  return outerTime?.place === undefined ? innerTime : outerTime
}
