/** A store that is tailed: how the tests of tails open it and what they put in. */
import type { Test } from 'tap'
import { BatchWriter } from '../../../src/journal/batch-writer.ts'
import { everyRecord, type Selector } from '../../../src/language/ast.ts'
import type { LogRecord, Stream } from '../../../src/record.ts'
import type { LocalStore } from '../../../src/store/local-store.ts'
import type { TailRequest } from '../../../src/store/store.ts'
import { neverAborted, openStoreOf } from '../store-in.ts'

export const stream: Stream = { service: 'api', environment: 'prod' }
export const startNow = { last: 0 } as const

export async function openStore(t: Test, flags: readonly string[] = []): Promise<LocalStore> {
  const store = await openStoreOf(t, t.testdir(), { flags })
  return store
}

export function open(
  store: LocalStore,
  start: TailRequest['start'],
  selector: Selector = everyRecord,
) {
  return store.tail({ selector, start }, neverAborted)
}

export function record(message: string, timestamp = 1_000): LogRecord {
  return { timestamp, level: 'info', message, attributes: [] }
}

export const append = (store: LocalStore, message: string, timestamp?: number) =>
  store.append(record(message, timestamp), stream)

/** Appends records `first`, `first + 1` and so on, all in one batch. */
export async function appendMany(store: LocalStore, first: number, count: number): Promise<void> {
  const writer = new BatchWriter()
  for (let i = 0; i < count; i++) writer.add(record(`m${first + i}`), stream)
  await store.appendBatches([writer.encode()])
}
