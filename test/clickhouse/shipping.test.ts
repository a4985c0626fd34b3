/** What is sent to ClickHouse is there once, whatever happens to the service, the engine and what is between. */
import t from 'tap'
import { realDisk } from '../../src/disk/real-disk.ts'
import { Health } from '../../src/health.ts'
import { journalPath, listJournalFiles } from '../../src/journal/files.ts'
import { ProblemError } from '../../src/problems.ts'
import { Connection } from '../../src/store/clickhouse/connection.ts'
import { shipFile } from '../../src/store/clickhouse/ship.ts'
import { countIn } from '../store/store-in.ts'
import { until } from '../until.ts'
import { crashLoop } from './crash.ts'
import type { Faults } from './engine/faults.ts'
import type { EngineProcess } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedPlaces } from './shared-engine.ts'
import { appendTo, openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const stream = { service: 'checkout', environment: 'test' }

/** The code of the problem with which something is refused. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof ProblemError ? error.code : String(error)
  }
}

/** Rows, and how many of them differ. */
async function rowsIn(engine: EngineProcess): Promise<string> {
  return (await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')).trim()
}

const faults: Readonly<Record<string, Faults>> = {
  'an insert that is carried out and not answered': { unansweredInserts: 3 },
  'an insert that is cut': { droppedInserts: 3 },
  'a proxy without a server behind it': { badGateways: 4 },
}

t.test('an attempt that fails is made again, and counts once', { skip }, async t => {
  const { engine, dataDir } = await sharedPlaces(t)
  const store = await openStoreOn(dataDir, engine.url)
  t.teardown(() => store.close())
  await store.settle()
  let sent = 0
  for (const [what, fault] of Object.entries(faults)) {
    // Of more days than are an insert each.
    await appendTo(store, 100, 40)
    sent += 100
    await engine.setFaults(fault)
    await store.settle()
    t.equal(await rowsIn(engine), `${sent}\t${sent}`, what)
    t.equal(await countIn(store), sent)
  }
  t.ok(store.stats().shipping!.failures > 0)
})

t.test(
  'the token alone, or the question alone, keeps rows from being doubled',
  { skip },
  async t => {
    const { engine, dataDir } = await sharedPlaces(t)
    const store = await openStoreOn(dataDir, engine.url)
    await engine.kill()
    await appendTo(store, 100, 40)
    await store.close()
    await engine.start()
    const connection = await Connection.open(engine.url)
    t.teardown(() => connection.close())
    const [file] = listJournalFiles(`${dataDir}/journal`)
    const task = {
      cluster: undefined,
      ...{ url: engine.url, frontEnd: 'one', receiptsDirectory: `${dataDir}/receipts` },
      journal: { path: journalPath(`${dataDir}/journal`, file!), file: file! },
    }
    const ship = (mayBeThere: boolean) => shipFile({ ...task, mayBeThere }, connection, realDisk)
    await ship(false)
    await ship(false)
    t.equal(await rowsIn(engine), '100\t100', 'the token')
    // Of many days one insert is all that are few: it is sent again, and known by its token.
    await engine.ask("DELETE FROM otel_logs WHERE TimestampTime >= '2023-11-20 00:00:00'")
    const left = await rowsIn(engine)
    await engine.ask('ALTER TABLE otel_logs MODIFY SETTING non_replicated_deduplication_window = 0')
    const { inserts } = await ship(true)
    t.ok(Number.parseInt(left, 10) < 100 && inserts > 0)
    t.equal(await rowsIn(engine), '100\t100', 'the question')
  },
)

t.test('a server that is full is waited for, and health says so', { skip }, async t => {
  const { engine, dataDir } = await sharedPlaces(t)
  const health = new Health()
  const store = await openStoreOn(dataDir, engine.url, { health })
  t.teardown(() => store.close())
  await engine.setFaults({ isFull: true })
  await appendTo(store, 50)
  const settled = store.settle()
  await until(() => store.stats().shipping!.failures >= 2)
  t.match(await health.text('clickhouse_failing'), /wait in the journal/)
  t.equal(await countIn(store), 50, 'the journal answers')
  await engine.setFaults({})
  await settled
  t.equal(await health.text('clickhouse_failing'), undefined)
  t.equal(await rowsIn(engine), '50\t50')
})

t.test('events wait on the local disk up to a bound', { skip }, async t => {
  const { engine, dataDir } = await sharedPlaces(t)
  const health = new Health()
  const flags = ['--clickhouse-journal-bytes', '1MiB']
  let store = await openStoreOn(dataDir, engine.url, { flags, health })
  await engine.kill()
  const message = 'x'.repeat(256 * 1024)
  const append = () => {
    const record = { timestamp: 0, level: 'info', message, attributes: [] }
    return store.append(record, stream)
  }
  for (let i = 0; i < 4; i++) await append()
  t.equal(await codeOf(async () => append()), 'journal_full')
  t.match(await health.text('journal_full'), /wait for ClickHouse/)
  t.equal(await codeOf(() => countIn(store)), 'clickhouse_unreachable')
  await store.close()
  store = await openStoreOn(dataDir, engine.url, { flags, health })
  t.teardown(() => store.close())
  t.equal(await codeOf(async () => append()), 'journal_full', 'after a start as well')
  await engine.start()
  await store.settle()
  await append()
  t.equal(await countIn(store), 5)
})

t.test('kill -9 of service and engine in turns loses and doubles nothing', { skip }, async t => {
  const report = await crashLoop(t.testdir({ engine: {}, data: {} }), 5)
  t.same(report.violations, [])
  t.equal(report.rows, report.distinctRows, 'no row is doubled')
  t.ok(report.rows >= report.acknowledged && report.acknowledged > 0)
})
