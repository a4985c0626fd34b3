/** An engine of the tests and a store in this process that sends to it, in a directory that goes with them. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../src/config/config.ts'
import { openClickHouseStore } from '../src/store/clickhouse/clickhouse-store.ts'
import { startEngine } from '../test/clickhouse/engine-process.ts'

/** The engine runs; `open` may be called again when the store before is closed, `remove` at the end. */
export async function makeClickHouseDirectory() {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-clickhouse-'))
  const engine = await startEngine(join(directory, 'engine'))
  const config = readConfig(
    [
      ...['--data-dir', join(directory, 'data'), '--durability', 'written'],
      ...['--store', 'clickhouse', '--clickhouse-url', engine.url],
    ],
    {},
  )
  const open = () =>
    openClickHouseStore({
      ...{ config, logger: pino({ level: 'warn' }), now: Date.now, onFatal: () => {} },
      metrics: { noteQuery() {}, noteFailedQuery() {}, noteDamagedBlocks() {} },
    })
  const remove = async () => {
    await engine.kill()
    fs.rmSync(directory, { recursive: true })
  }
  return { engine, open, remove }
}
