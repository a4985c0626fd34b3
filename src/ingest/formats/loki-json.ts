/**
 * Loki's push API in JSON: `{"streams":[{"stream":{labels},"values":[["ns","line",{metadata}],…]},…]}`.
 *
 * Source: Loki 3.5, "HTTP API", ingest logs. An entry that cannot be read is refused alone; a body that
 * is not of this form outside of its entries is refused as a whole.
 */

import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { isEventObject } from '../event-time.ts'
import type { EventObject } from '../level.ts'
import { isRawNumber } from '../numbers.ts'
import { timeOf } from '../otlp/any-value.ts'
import { JsonCursor } from '../otlp/json-cursor.ts'
import { type OneEvent, outcomesOf } from './each-event.ts'
import type { Format, FormatContext } from './format.ts'
import { aroundOf, recordOfEntry } from './loki-entry.ts'

export const lokiJson: Format = {
  encodedPerByte: 2,
  read: (body, context) => outcomesOf(entriesOf(body, context)),
}

function* entriesOf(body: Buffer, context: FormatContext): Generator<OneEvent, void> {
  const cursor = new JsonCursor(body, limits.eventDepthMax, context.eventBytesMax)
  for (const name of cursor.members('body')) {
    if (name !== 'streams') {
      cursor.skip()
      continue
    }
    for (const _ of cursor.elements(name)) yield* entriesOfStream(cursor, context)
  }
  cursor.requireEnd()
}

function entriesOfStream(cursor: JsonCursor, context: FormatContext): Generator<OneEvent, void> {
  return cursor.described('streams', {
    about: 'stream',
    list: 'values',
    read: (value = {}) => labelsOf(value, 'stream'),
    element(labels) {
      const found = cursor.pass()
      const read = () => {
        if (found.end - found.start > context.eventBytesMax) {
          const detail = `expected an entry of at most ${context.eventBytesMax} bytes`
          throw new ProblemError('body_too_large', detail, { field: 'values' })
        }
        return recordOf(cursor.read(found), labels, context)
      }
      return [read]
    },
  })
}

function recordOf(value: unknown, labels: EventObject, context: FormatContext): LogRecord {
  const [time, line, metadata = {}] = Array.isArray(value) ? value : []
  if (typeof line !== 'string') {
    const detail =
      'expected [time, line] or [time, line, metadata], of which time and line are texts'
    throw new ProblemError('field_invalid', detail, { field: 'values' })
  }
  const around = aroundOf(labels)
  const own = labelsOf(metadata, 'metadata')
  for (const name in own) around[name] = own[name]
  return recordOfEntry({ line, time: timeOf(nanosecondsOf(time)), around }, context)
}

/** A text, as Loki wants it; the number that some senders write is taken too. */
function nanosecondsOf(value: unknown): bigint {
  const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const text = isRawNumber(value) ? value.rawJSON : plain
  if (/^\d{1,19}$/.test(text)) return BigInt(text)
  const detail = `expected nanoseconds since 1970 as a text, was ${JSON.stringify(value)}`
  throw new ProblemError('field_invalid', detail.slice(0, 200), { field: 'values' })
}

function labelsOf(value: unknown, field: string): EventObject {
  if (isEventObject(value)) return value
  throw new ProblemError('field_invalid', `"${field}" must be an object`, { field })
}
