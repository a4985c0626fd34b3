/** A real store in a directory of the test, with small files so that there are many ranges. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { Test } from 'tap'
import { readConfig } from '../../src/config/config.ts'
import type { Health } from '../../src/health.ts'
import { everyRecord } from '../../src/language/ast.ts'
import type { QueryMetrics } from '../../src/store/answer/query-engine.ts'
import { realGround, type StoreGround } from '../../src/store/ground.ts'
import { type LocalStore, openLocalStore } from '../../src/store/local-store.ts'
import type { AnswerRecord, SelectRequest, Store } from '../../src/store/store.ts'

export interface StoreInOptions {
  readonly flags?: readonly string[]
  /** One when left out: a thread that begins takes a tenth of a second of a core. */
  readonly scanThreads?: number
  readonly onFatal?: (error: Error) => void
  readonly now?: () => number
  /** Lines of the log, parsed, are pushed here. */
  readonly log?: Record<string, unknown>[]
  readonly ground?: StoreGround
  readonly health?: Health
  readonly metrics?: QueryMetrics
  readonly ownMetrics?: QueryMetrics
}

/** Counts nothing. */
export const uncounted: QueryMetrics = {
  noteQuery() {},
  noteFailedQuery() {},
  noteDamagedBlocks() {},
}

/** The store of a test, closed with it. */
export async function openStoreOf(
  t: Test,
  dataDir: string,
  options: StoreInOptions = {},
): Promise<LocalStore> {
  const store = await openStoreIn(dataDir, options)
  t.teardown(() => store.close())
  return store
}

export function openStoreIn(dataDir: string, options: StoreInOptions = {}): Promise<LocalStore> {
  const { flags = [], scanThreads = 1, onFatal = () => {}, now = Date.now, log = [] } = options
  const { ground = realGround, health, metrics = uncounted, ownMetrics = uncounted } = options
  const config = readConfig(
    ['--data-dir', dataDir, '--scan-threads', String(scanThreads), ...flags],
    {},
  )
  const logger = pino({ level: 'info', base: null }, { write: line => log.push(JSON.parse(line)) })
  const parts = { config, logger, metrics, ownMetrics, now, onFatal, ground }
  return openLocalStore(health === undefined ? parts : { ...parts, health })
}

export const neverAborted = new AbortController().signal

/** Asks for the first records of all there are, in order of time. */
export const allRecords = {
  ...{ selector: everyRecord, startTime: -8.64e15, endTime: 8.64e15, limit: 1_000 },
  order: 'asc',
  cursor: undefined,
} as const satisfies SelectRequest

/** All records that are asked for, page by page. */
export async function recordsIn(
  store: Store,
  request: SelectRequest = allRecords,
): Promise<AnswerRecord[]> {
  const records: AnswerRecord[] = []
  let { cursor } = request
  do {
    const page = await store.select({ ...request, cursor }, neverAborted)
    assert.ok(page.records.length <= request.limit, 'a page is as long as asked')
    records.push(...page.records)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return records
}

/** The messages of all records there are, in order of time. */
export async function messagesIn(store: Store): Promise<string[]> {
  return (await recordsIn(store)).map(({ message }) => message)
}

/** How many records an answer counts that lists the first of them. */
export async function countIn(store: Store): Promise<number> {
  return (await store.select({ ...allRecords, limit: 1 }, neverAborted)).count
}
