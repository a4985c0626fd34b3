/** A store with random records, the later ones in the journal and the others in segments. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import type { RecordsRequest, Store } from '../../src/store/store.ts'
import { arbitraryRecord, arbitraryStream, labelValue, matchesPlainly } from '../query/plain.ts'
import { openStoreOf } from './store-in.ts'

/** Flags of a store, so that it has many files of few records. */
export const smallFiles = ['--journal-file-bytes', '4KiB']

export interface Stored {
  readonly record: LogRecord
  readonly stream: Stream
}

export interface RandomStore {
  readonly store: LocalStore
  /** In order of arrival. */
  readonly rows: readonly Stored[]
}

/** Ranges of times that begin within both bounds, and are as long as `length` says. */
export const rangesFrom = (min: number, max: number, length: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.integer({ min, max }), length)
    .map(([startTime, more]) => ({ startTime, endTime: startTime + more }))

/** Records of such times. */
export const storedAt = (timestamps: fc.Arbitrary<number>): fc.Arbitrary<Stored> =>
  fc
    .tuple(arbitraryRecord, arbitraryStream, timestamps)
    .map(([record, stream, timestamp]) => ({ record: { ...record, timestamp }, stream }))

/** So many of them, the same each time. */
export function sampleOf<T>(one: fc.Arbitrary<T>, count: number, seed = 42): T[] {
  const lists = fc.array(one, { minLength: count, maxLength: count })
  return fc.sample(lists, { numRuns: 1, seed })[0]!
}

/** 400 records in segments and 200 in the journal, of such times. */
export async function openRandomStore(
  t: Test,
  timestamps: fc.Arbitrary<number>,
): Promise<RandomStore> {
  const rows = sampleOf(storedAt(timestamps), 600)
  return { store: await openFilledStore(t, rows, 400, 40), rows }
}

/** A store in which the first `sealedCount` of `rows` are in segments, and the others in the journal. */
export async function openFilledStore(
  t: Test,
  rows: readonly Stored[],
  sealedCount: number,
  together: number,
): Promise<LocalStore> {
  const store = await openStoreOf(t, t.testdir(), { flags: smallFiles, scanThreads: 2 })
  await appendParts(store, rows.slice(0, sealedCount), together)
  await store.settle()
  await appendParts(store, rows.slice(sealedCount), together)
  const { journalRecords, segmentRecords } = store.stats()
  t.ok(journalRecords > 0 && segmentRecords >= sealedCount, 'some in the journal, some sealed')
  return store
}

/** Appends so many at a time. */
export async function appendParts(store: Store, rows: readonly Stored[], together: number) {
  for (let i = 0; i < rows.length; i += together) {
    await appendTogether(store, rows.slice(i, i + together))
  }
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
