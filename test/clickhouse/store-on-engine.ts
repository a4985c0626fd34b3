/** A store on an engine of its own, for tests. */
import fc from 'fast-check'
import { pino } from 'pino'
import { readConfig } from '../../src/config/config.ts'
import { Health } from '../../src/health.ts'
import type { LogRecord } from '../../src/record.ts'
import {
  type ClickHouseStore,
  openClickHouseStore,
} from '../../src/store/clickhouse/clickhouse-store.ts'
import type { AnswerRecord, Store } from '../../src/store/store.ts'
import { uncounted } from '../store/store-in.ts'

export interface StoreOnOptions {
  readonly flags?: readonly string[]
  readonly health?: Health
  readonly now?: () => number
  /** Lines of the log, parsed, are pushed here. */
  readonly log?: Record<string, unknown>[]
}

/** Opens a store on `dataDir` that sends to the engine at `url`. */
export function openStoreOn(
  dataDir: string,
  url: string,
  { flags = [], health = new Health(), now = Date.now, log = [] }: StoreOnOptions = {},
): Promise<ClickHouseStore> {
  const own = ['--data-dir', dataDir, '--scan-threads', '1', '--store', 'clickhouse']
  const config = readConfig([...own, '--clickhouse-url', `${url}/default`, ...flags], {})
  const logger = pino({ level: 'info', base: null }, { write: line => log.push(JSON.parse(line)) })
  return openClickHouseStore({
    ...{ config, logger, metrics: uncounted, now, health },
    onFatal: () => {},
  })
}

/** Times that rows hold in other ways, and those of some days. */
export const timesOfRows = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1_700_000_000_000, max: 1_700_300_000_000 }) },
  fc.constantFrom(-8.64e15, -1, 0, 4_294_967_296_000, 9_223_372_036_855, 8.64e15),
)

/** A record whose attributes are in an order of their own, as rows do not keep that in which they came. */
export function plain({ attributes, ...record }: AnswerRecord) {
  return { ...record, attributes: Object.entries(attributes).sort() }
}

/** Appends so many records of `days` days, which differ by their messages. */
export async function appendTo(store: Store, count: number, days = 1): Promise<void> {
  const stream = { service: 'checkout', environment: 'test' }
  await store.appendWith(writer => {
    for (let i = 0; i < count; i++) {
      const timestamp = 1_700_000_000_000 + (i % days) * 86_400_000
      const record: LogRecord = { timestamp, level: 'info', message: `m${i}`, attributes: [] }
      writer.add(record, stream)
    }
  })
}
