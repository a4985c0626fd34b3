/**
 * Which field of an event is its message: `message`, else `msg`, else what other senders call it, each
 * only when it is there and not null. A string is used as it is, anything else as compact JSON.
 */

import type { EventObject } from './level.ts'

export interface MessageKey {
  readonly name: string
  /** Whether only a string there is a message: an object would be the sender's own structure. */
  readonly isText: boolean
}

/** The first before the others. */
export const messageKeys: readonly MessageKey[] = [
  { name: 'message', isText: false },
  { name: 'msg', isText: false },
  { name: 'Message', isText: false }, // .NET.
  { name: 'MESSAGE', isText: false }, // systemd's journal.
  { name: '@m', isText: false }, // Serilog's compact format.
  { name: 'event', isText: true }, // structlog, Splunk.
  { name: 'log', isText: true }, // Docker, Kubernetes, Fluent Bit.
  { name: 'short_message', isText: true }, // GELF.
  { name: 'body', isText: true }, // OpenTelemetry.
  { name: 'text', isText: true },
]

/** The field that is the message; undefined when it is the event as a whole. */
export function findMessageField(event: EventObject): string | undefined {
  return messageKeys.find(({ name, isText }) => {
    const value = Object.hasOwn(event, name) ? event[name] : undefined
    return isText ? typeof value === 'string' : value !== undefined && value !== null
  })?.name
}

/** A value as the text of a message. */
export function messageText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
