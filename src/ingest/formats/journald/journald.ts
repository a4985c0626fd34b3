/**
 * Entries of systemd's journal, one after the other, as `systemd-journal-upload` and `journalctl -o export`
 * have them.
 *
 * - the event is `MESSAGE`; of an entry without one, all its fields.
 * - timestamp: `__REALTIME_TIMESTAMP`, µs since 1970.
 * - level: `PRIORITY`, 0 to 7, which stays an attribute too; else as of any event.
 * - attributes: all other fields by their names in the journal, but for `__CURSOR`, which says where the
 *   entry is in its sender's files.
 *
 * An entry with a `__CURSOR` counts once: a body that broke off is sent again from its beginning, and systemd
 * 252 begins each with the entry that it sent last. A cursor names an entry of its sender's journal and has
 * a hash of its fields. Nobody else must keep to that, so another entry under a known cursor is a new one.
 *
 * Source: systemd.journal-fields(7), systemd.io/JOURNAL_EXPORT_FORMATS.
 */

import { hash } from 'node:crypto'
import { orProblem, ProblemError } from '../../../problems.ts'
import type { LogRecord } from '../../../record.ts'
import { recordOfEnvelope } from '../../envelope.ts'
import { noTime, timeOfValue } from '../../event-time.ts'
import { readLevelText } from '../../level.ts'
import type { Fields } from '../../otlp/any-value.ts'
import { type OneEvent, outcomesOf, type StoredEvent } from '../each-event.ts'
import type { Format, FormatContext } from '../format.ts'
import { readFields } from './entry-fields.ts'
import { JournalEntryScanner } from './entry-scanner.ts'

export const journald: Format = {
  encodedPerByte: 2,
  read: (body, context) => outcomesOf(entriesOf(body, context)),
}

const timeField = '__REALTIME_TIMESTAMP'
const newline = 0x0a

/** The last entry may lack the empty line that ends it. What cannot be told apart any more is one problem. */
function* entriesOf(body: Buffer, context: FormatContext): Generator<OneEvent, void> {
  const scanner = new JournalEntryScanner()
  let count = 0
  for (let at = 0; at < body.length; count++) {
    const start = at
    const end = orProblem(() => scanner.endOf(body, start))
    if (end === -1 && !scanner.isWithinEntry) break
    yield () => {
      if (end instanceof ProblemError) throw end
      if (end === -1 && !scanner.mayEnd) throw torn()
      return eventOf(body.subarray(start, end === -1 ? body.length : end), context)
    }
    at = typeof end === 'number' && end !== -1 ? end : body.length
  }
  if (count === 0) throw new ProblemError('body_empty', 'expected entries, there are none')
}

function eventOf(entry: Buffer, context: FormatContext): LogRecord | StoredEvent {
  if (entry.length > context.eventBytesMax) {
    const detail = `expected an entry of at most ${context.eventBytesMax} bytes, was ${entry.length}`
    throw new ProblemError('body_too_large', detail)
  }
  const { __CURSOR: cursor, ...fields } = readFields(entry)
  const record = recordOf(fields, context)
  return isStored(cursor, entry, context) ? { stored: record } : record
}

function recordOf(fields: Fields, context: FormatContext): LogRecord {
  const { __REALTIME_TIMESTAMP: own, MESSAGE: message, ...others } = fields
  const { receivedAt } = context
  const time = own === undefined ? noTime(receivedAt) : timeOfValue(own, timeField, receivedAt)
  if (time.isUnreadable) others[timeField] = own
  if (message === undefined) {
    return recordOfEnvelope({ event: others, around: {}, time }, context)
  }
  const level = readLevelText('syslog', String(others.PRIORITY))?.level
  const around = level === undefined ? others : { ...others, level }
  return recordOfEnvelope({ event: message, around, time }, context)
}

/** Whether the entry is stored already. It is known with its content: another one is another entry. */
function isStored(cursor: unknown, entry: Buffer, { identify }: FormatContext): boolean {
  if (identify === undefined || typeof cursor !== 'string' || cursor === '') return false
  const content = withoutEmptyLines(entry)
  return identify(`journald ${cursor} ${hash('sha256', content)}`, content) === 'stored'
}

/** Those around an entry belong to how it was sent; the last of a body may lack its own. */
function withoutEmptyLines(entry: Buffer): Buffer {
  let start = 0
  let end = entry.length
  while (entry[start] === newline) start++
  while (end > start && entry[end - 1] === newline) end--
  return entry.subarray(start, end)
}

function torn(): ProblemError {
  return new ProblemError('journal_invalid', 'the body ends within a binary value')
}
