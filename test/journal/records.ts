/** Records for the journal's tests: arbitrary ones, and the plainest. */
import fc from 'fast-check'
import type { LogRecord, Stream } from '../../src/record.ts'

export const checkout: Stream = { service: 'checkout', environment: 'prod' }
export const search: Stream = { service: 'search', environment: 'prod' }

export function plainRecord(message: string, timestamp = 1_000): LogRecord {
  return { timestamp, level: 'info', message, attributes: ['n', message.length.toString()] }
}

/** The plainest with their stream, one for each message; their times count from 0. */
export function plainRecords(messages: readonly string[]) {
  return messages.map((message, i) => ({ ...plainRecord(message, i), stream: checkout }))
}

/** Well-formed text of every kind of character. */
export const arbitraryText = fc.string({ unit: 'grapheme', maxLength: 12 })

export const arbitraryRecord: fc.Arbitrary<LogRecord> = fc.record({
  timestamp: fc.oneof(
    fc.integer({ min: -50, max: 50 }),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  ),
  level: fc.constantFrom('info', 'warn', 'error'),
  message: arbitraryText,
  attributes: fc
    .uniqueArray(
      fc.tuple(
        fc.oneof(fc.constantFrom('', 'a', 'b', '__proto__', 'constructor'), arbitraryText),
        arbitraryText,
      ),
      { selector: ([name]) => name, maxLength: 5 },
    )
    .map(pairs => pairs.flat()),
})

/** The attributes of a record as a list of pairs in order of name: their order is no promise. */
export function comparable(record: LogRecord): unknown {
  const pairs: [string, string][] = []
  for (let i = 0; i < record.attributes.length; i += 2) {
    pairs.push([record.attributes[i]!, record.attributes[i + 1]!])
  }
  pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  const { timestamp, level, message } = record
  return { timestamp, level, message, attributes: pairs }
}
