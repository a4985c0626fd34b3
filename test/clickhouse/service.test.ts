/** A service on ClickHouse, as it is started: what it drops, what it says of itself, what is restored of it. */

import t, { type Test } from 'tap'
import { dayMs } from '../../src/time-units.ts'
import { runClient } from '../cli/client-process.ts'
import { EventsOracle, metric, metricBecomes } from '../faults/events-oracle.ts'
import {
  adminKey,
  type ServiceProcess,
  type StartOptions,
  startServiceOf,
} from '../service/service-process.ts'
import { until } from '../until.ts'
import type { EngineProcess } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'

const skip = engineMissing ?? false
const retentionPath = '/api/v1/settings/retention'

interface Ground {
  readonly engine: EngineProcess
  readonly directory: string
  start(name: string, options?: StartOptions): Promise<ServiceProcess>
}

async function groundOf(t: Test): Promise<Ground> {
  const directory = t.testdir()
  const engine = await sharedEngine(t)
  const store = ['--store', 'clickhouse', '--clickhouse-url', `${engine.url}/default`]
  const quickly = ['--clickhouse-ship-after', '100ms', '--scan-threads', '1']
  return {
    engine,
    directory,
    start: (name, { flags = [], ...others } = {}) => {
      const all = [...store, ...quickly, ...flags]
      return startServiceOf(t, `${directory}/${name}`, { ...others, flags: all })
    },
  }
}

const allSent = (service: ServiceProcess) =>
  metricBecomes(service, 'clickhouse_waiting_bytes', bytes => bytes === 0)

async function countOn(service: ServiceProcess): Promise<number> {
  return (await service.query('count(logs)')).body.count
}

/** One event of each of the last `days` days of UTC, of its first second. */
async function sendDays(service: ServiceProcess, token: string, days: number): Promise<void> {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const events = Array.from({ length: days }, (_, back) => {
    return { message: 'of a day', time: today - back * dayMs }
  })
  await service.send(token, events, 'time')
}

/** What was dropped leaves an empty part for a moment. */
async function daysIn(engine: EngineProcess): Promise<number> {
  const days = `SELECT uniqExact(partition) FROM system.parts WHERE active AND rows > 0
    AND table = 'otel_logs'`
  return Number(await engine.ask(days))
}

t.test('days that retention does not allow are dropped', { skip }, async t => {
  const { engine, start } = await groundOf(t)
  const service = await start('data')
  await sendDays(service, await service.makeToken(), 6)
  await allSent(service)
  t.equal(await daysIn(engine), 6)
  // The settings know the days as they were when they were last looked at.
  await service.call('PUT', retentionPath, { body: { ageMs: 100 * dayMs, bytes: null } })
  await metricBecomes(service, 'segment_records', records => records === 6)

  const body = { ageMs: 3 * dayMs, bytes: null }
  const trial = await service.call('PUT', retentionPath, { body: { ...body, isTrial: true } })
  t.match(trial.body.deletes, { segments: 2, records: 2 })
  t.equal(await countOn(service), 6, 'a trial drops nothing')
  t.match((await service.call('PUT', retentionPath, { body })).body.deletes, { records: 2 })
  await until(async () => (await countOn(service)) === 4)
  t.equal(await daysIn(engine), 4, 'as partitions')
  await metricBecomes(service, 'deleted_segments_total', days => days === 2)
  t.equal(await metric(service, 'segment_records'), 4)

  await service.end()
  const again = await start('data', { flags: ['--retention-age', '2d'] })
  await until(async () => (await countOn(again)) === 3)
  t.equal(await daysIn(engine), 3, 'as a start says')
})

t.test('/metrics tells what is sent, what waits, and since when', { skip }, async t => {
  const { engine, start } = await groundOf(t)
  const service = await start('data')
  const token = await service.makeToken()
  await sendDays(service, token, 3)
  await allSent(service)
  t.equal(await metric(service, 'clickhouse_records_total'), 3)
  t.equal(await metric(service, 'clickhouse_inserts_total'), 3, 'each day is one')
  t.ok((await metric(service, 'clickhouse_bytes_total')) > 0)
  t.equal(await metric(service, 'clickhouse_failures_total'), 0)
  t.equal(await metric(service, 'clickhouse_lag_seconds'), 0)

  await engine.kill()
  await sendDays(service, token, 2)
  await metricBecomes(service, 'clickhouse_failures_total', failures => failures > 0)
  t.equal(await metric(service, 'clickhouse_waiting_files'), 1)
  t.ok((await metric(service, 'clickhouse_waiting_bytes')) > 0)
  t.ok((await metric(service, 'clickhouse_lag_seconds')) > 0)
  t.match(await service.query('count(logs)'), {
    status: 503,
    body: { code: 'clickhouse_unreachable' },
  })
  t.equal((await service.call('GET', '/ready')).status, 200)
  await engine.start()
  await allSent(service)
  t.equal(await metric(service, 'clickhouse_records_total'), 5)
  t.equal(await metric(service, 'clickhouse_lag_seconds'), 0)
  t.equal(await countOn(service), 5)
})

t.test('senders are told to wait when as many events wait as may', { skip }, async t => {
  const { engine, start } = await groundOf(t)
  const service = await start('data', { flags: ['--clickhouse-journal-bytes', '1MiB'] })
  const token = await service.makeToken()
  const post = (path: string, body: unknown) => service.call('POST', path, { token, body })
  await engine.kill()
  const one = { message: 'x'.repeat(200_000) }
  const answers: Awaited<ReturnType<typeof post>>[] = []
  do answers.push(await post('/api/v1/webhook/event/log', one))
  while (answers.at(-1)!.status === 200)
  const last = answers.pop()!
  t.match(last, { status: 429, body: { code: 'journal_full' } })
  t.ok(Number(last.headers.get('retry-after')) > 0)
  const bulk = await post('/elastic/_bulk', '{"create":{}}\n{}\n')
  t.match(bulk.body, { items: [{ create: { status: 429 } }] })
  t.equal((await service.call('GET', '/ready')).status, 503)

  await engine.start()
  await allSent(service)
  await service.send(token, one)
  t.equal(await countOn(service), answers.length + 1, 'all that was taken, and nothing else')
})

t.test('an answer that comes by half is none, and a slow one is whole', { skip }, async t => {
  const { engine, start } = await groundOf(t)
  const service = await start('data')
  await sendDays(service, await service.makeToken(), 4)
  await allSent(service)
  // Counted there; its records, too; fetched and read here.
  for (const query of ['count(logs)', 'logs |= "day"', 'logs | json | nothing=""']) {
    await engine.setFaults({ halves: 1 })
    const cut = await service.query(query)
    t.match(cut, { status: 503, body: { code: 'clickhouse_unreachable' } }, query)
    t.ok(Number(cut.headers.get('retry-after')) > 0)
    t.match(await service.query(query), { status: 200, body: { count: 4 } }, query)
    await engine.setFaults({ delayMs: 300 })
    t.match(await service.query(query), { status: 200, body: { count: 4 } }, `${query}, slowly`)
  }
})

t.test('what is restored goes on behind what was sent since', { skip }, async t => {
  const { engine, directory, start } = await groundOf(t)
  const oracle = new EventsOracle()
  const sent = async (service: ServiceProcess, token: string, name: string, count: number) => {
    await oracle.send(
      service,
      token,
      Array.from({ length: count }, (_, i) => `${name}-${i}`),
    )
  }
  const service = await start('data')
  const token = await service.makeToken()
  await sent(service, token, 'before', 10)
  await allSent(service)
  await engine.setFaults({ isFull: true })
  await sent(service, token, 'waiting', 5)
  const argv = ['backup', '--data-dir', `${directory}/data`, `${directory}/restored`]
  const { code, stderr } = await runClient(service.url, adminKey, argv)
  t.equal(code, 0, stderr)
  await engine.setFaults({})
  await sent(service, token, 'after', 7)
  await allSent(service)
  t.same(await oracle.violations(service), [])
  await service.end('SIGKILL')

  const restored = await start('restored')
  await sent(restored, token, 'restored', 3)
  await allSent(restored)
  t.same(await oracle.violations(restored), [], 'what waited in the backup is there once')
  const found = await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
  t.equal(found.trim(), '25\t25', 'no number is taken twice')
})

t.test('front ends of one primary share records and settings', { skip }, async t => {
  const { engine, start } = await groundOf(t)
  const environment = { LOGSTRATA_PRIMARY_KEY: 'key-of-the-front-ends' }
  const primary = await start('primary', { environment })
  const other = await start('other', {
    flags: ['--primary', primary.url],
    environment: { ...environment, LOGSTRATA_ADMIN_KEY: '' },
  })
  const token = await other.makeToken()
  for (const service of [primary, other]) await sendDays(service, token, 5)
  for (const service of [primary, other]) {
    await allSent(service)
    await until(async () => (await countOn(service)) === 10)
  }
  const body = { ageMs: 3 * dayMs, bytes: null }
  const changed = await other.call('PUT', retentionPath, { body })
  t.match(changed, { status: 200, body: { ageMs: 3 * dayMs } }, 'asked of the other')
  for (const service of [primary, other]) await until(async () => (await countOn(service)) === 8)
  t.equal(await daysIn(engine), 4)
  await metricBecomes(primary, 'deleted_segments_total', days => days === 1)
  t.equal(await metric(other, 'deleted_segments_total'), 0, 'the other does not')

  await primary.end('SIGKILL')
  await sendDays(other, token, 1)
  t.equal(await countOn(other), 9, 'and goes on without it')
})
