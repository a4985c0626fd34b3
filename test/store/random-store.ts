/** A store with random records, the later ones in the journal and the others in segments. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import type { RecordsRequest, Store } from '../../src/store/store.ts'
import { arbitraryRecord, arbitraryStream, labelValue, matchesPlainly } from '../query/plain.ts'
import { openStoreIn } from './store-in.ts'

export interface Stored {
  readonly record: LogRecord
  readonly stream: Stream
}

export interface RandomStore {
  readonly store: LocalStore
  /** In order of arrival. */
  readonly rows: readonly Stored[]
}

/** 400 records in segments and 200 in the journal, of such times. */
export async function openRandomStore(
  t: Test,
  timestamps: fc.Arbitrary<number>,
): Promise<RandomStore> {
  const arbitraryStored: fc.Arbitrary<Stored> = fc
    .tuple(arbitraryRecord, arbitraryStream, timestamps)
    .map(([record, stream, timestamp]) => ({ record: { ...record, timestamp }, stream }))
  const lists = fc.array(arbitraryStored, { minLength: 600, maxLength: 600 })
  const [rows] = fc.sample(lists, { numRuns: 1, seed: 42 })
  const store = await openStoreIn(t.testdir(), {
    flags: ['--journal-file-bytes', '4KiB'],
    scanThreads: 2,
  })
  t.teardown(() => store.close())
  for (let i = 0; i < 400; i += 40) await appendTogether(store, rows!.slice(i, i + 40))
  await store.settle()
  for (let i = 400; i < 600; i += 40) await appendTogether(store, rows!.slice(i, i + 40))
  const { journalRecords, segmentRecords } = store.stats()
  t.ok(journalRecords > 0 && segmentRecords >= 400, 'some in the journal, some in segments')
  return { store, rows: rows! }
}

export async function appendTogether(store: Store, rows: readonly Stored[]): Promise<void> {
  const writer = new BatchWriter()
  for (const { record, stream } of rows) writer.add(record, stream)
  await store.appendBatches([writer.encode()])
}

/** The records that a request is about, found in the plainest way. */
export function matchingRows(
  rows: readonly Stored[],
  { selector, startTime, endTime }: RecordsRequest,
): Stored[] {
  return rows
    .filter(({ record }) => startTime <= record.timestamp && record.timestamp <= endTime)
    .filter(({ record, stream }) => matchesPlainly(selector, record, stream))
}

/** The value of each record that has the field. */
export function valuesOf(rows: readonly Stored[], field: string): string[] {
  return rows.flatMap(({ record, stream }) => {
    const { level, message, attributes } = record
    if (field === 'log_level') return [level]
    if (field === 'message') return [message]
    if (field === 'service.name') return [stream.service]
    if (field === 'environment') return [stream.environment]
    if (field === 'pattern') return [labelValue(field, record, stream)]
    const at = attributes.findIndex((text, i) => i % 2 === 0 && text === field)
    return at === -1 ? [] : [attributes[at + 1]!]
  })
}

/** Texts with their counts, the largest first, ties by text. */
export function countsOf(texts: readonly string[]): [text: string, count: number][] {
  return [...Map.groupBy(texts, text => text)]
    .map(([text, { length }]): [string, number] => [text, length])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
