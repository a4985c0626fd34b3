/** A store on an engine of its own, for tests. */
import { pino } from 'pino'
import { readConfig } from '../../src/config/config.ts'
import { Health } from '../../src/health.ts'
import {
  type ClickHouseStore,
  openClickHouseStore,
} from '../../src/store/clickhouse/clickhouse-store.ts'

export interface StoreOnOptions {
  readonly flags?: readonly string[]
  readonly health?: Health
  readonly now?: () => number
  /** Lines of the log, parsed, are pushed here. */
  readonly log?: Record<string, unknown>[]
}

const uncounted = { noteQuery() {}, noteFailedQuery() {}, noteDamagedBlocks() {} }

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
