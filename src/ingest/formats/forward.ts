/**
 * Fluentd's forward protocol (v1), the entries of one chunk: `[time, record]` in MessagePack, one after the
 * other, all of one tag. Fluent Bit has `[[time, metadata], record]` too.
 *
 * - timestamp: the entry's, whole seconds, or EventTime with nanoseconds.
 * - the record is read as an event is (`normalise.ts`), with the chunk's tag as the attribute `tag`.
 * - bytes that are no text are base64.
 *
 * Source: github.com/fluent/fluentd/wiki/Forward-Protocol-Specification-v1.
 */

import { isUtf8 } from 'node:buffer'
import { Unpackr } from 'msgpackr'
import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { isEventObject, noTime, type TimeReading, timeOfValue } from '../event-time.ts'
import { MessagePackError, messagePackEnd } from '../message-pack.ts'
import { normalise } from '../normalise.ts'
import { bytesValue, doubleValue, type Fields, integerValue, newFields } from '../otlp/any-value.ts'
import { type OneEvent, outcomesOf } from './each-event.ts'
import type { Format, FormatContext } from './format.ts'

/** Maps as maps: of an object's names `__proto__` would be another. Each value is made by itself. */
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false, int64AsType: 'bigint' })

export const forward: Format = {
  encodedPerByte: 3,
  read: (body, context) => outcomesOf(entriesOf(body, context)),
}

/** Each to be made a record before the next is asked for. */
function* entriesOf(body: Buffer, context: FormatContext): Generator<OneEvent, void> {
  for (let at = 0; at < body.length; ) {
    const start = at
    const end = wholeEnd(body, start)
    yield () => {
      if (end < 0) throw invalid('what follows is no MessagePack, or not whole')
      return recordOf(body.subarray(start, end), context)
    }
    at = end < 0 ? body.length : end
  }
}

function wholeEnd(body: Buffer, at: number): number {
  try {
    return messagePackEnd(body, at)
  } catch (error) {
    if (error instanceof MessagePackError) return -1
    throw error
  }
}

function recordOf(entry: Buffer, context: FormatContext): LogRecord {
  if (entry.length > context.eventBytesMax) {
    const detail = `expected an entry of at most ${context.eventBytesMax} bytes, was ${entry.length}`
    throw new ProblemError('body_too_large', detail)
  }
  if (entry[0] !== pair) throw invalid('expected [time, record]')
  let timeAt = 1
  if (entry[timeAt] === pair) timeAt += 1 // Fluent Bit's, with metadata.
  const recordAt = messagePackEnd(entry, 1)
  const event = eventOf(entry.subarray(recordAt))
  const time = timeAtOf(entry, timeAt, context)
  if (time.isUnreadable) context.onUnreadableTime?.()
  add(event, 'tag', context.given?.tag ?? '')
  for (let i = 0; i < time.added.length; i += 2) add(event, time.added[i]!, time.added[i + 1]!)
  const { parse, eventBytesMax } = context
  const own = { receivedAt: time.timestamp, timestampField: undefined, parse, eventBytesMax }
  return normalise(event, own)
}

/** An array of two. */
const pair = 0x92
const eventTimes = [0xd7, 0xc7]

/** Adds what the event does not say itself. */
function add(event: Fields, name: string, value: string): void {
  event[Object.hasOwn(event, name) ? `outer.${name}` : name] = value
}

function timeAtOf(entry: Buffer, at: number, { receivedAt }: FormatContext): TimeReading {
  const value = eventTimes.includes(entry[at]!) ? eventTimeAt(entry, at) : numberAt(entry, at)
  return value === undefined ? noTime(receivedAt) : timeOfValue(value, 'time', receivedAt)
}

/** EventTime: an extension of type 0, seconds and nanoseconds, each of 32 bits. */
function eventTimeAt(entry: Buffer, at: number): string | undefined {
  const typeAt = entry[at] === 0xd7 ? at + 1 : at + 2
  const isOther = entry[typeAt] !== 0 || (entry[at] === 0xc7 && entry[at + 1] !== 8)
  if (isOther) return undefined
  const nanoseconds = String(entry.readUInt32BE(typeAt + 5)).padStart(9, '0')
  return `${entry.readUInt32BE(typeAt + 1)}.${nanoseconds}`
}

function numberAt(entry: Buffer, at: number): string | undefined {
  const value = unpack(entry.subarray(at, messagePackEnd(entry, at)))
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

function eventOf(bytes: Buffer): Fields {
  const value = plainValue(unpack(bytes))
  if (!isEventObject(value)) throw invalid('expected a map as the record')
  return value as Fields
}

function unpack(bytes: Buffer): unknown {
  try {
    return unpackr.unpack(bytes)
  } catch (cause) {
    throw invalid(`cannot be read: ${(cause as Error).message}`)
  }
}

/** As `parseEvent` would have read it. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return integerValue(value)
  if (typeof value === 'number') return doubleValue(value)
  if (value instanceof Map) {
    const fields = newFields()
    for (const [name, member] of value) fields[textOf(name)] = plainValue(member)
    return fields
  }
  if (Array.isArray(value)) return value.map(plainValue)
  if (value instanceof Uint8Array) return textOf(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function textOf(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value)
  return isUtf8(value) ? Buffer.from(value).toString() : bytesValue(value)
}

function invalid(detail: string): ProblemError {
  return new ProblemError('field_invalid', detail, { field: 'entry' })
}
