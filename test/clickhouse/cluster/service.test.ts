/**
 * The service on a cluster of two shards, real servers of ClickHouse 26.7 that speak with each other: what is
 * answered, and what becomes of records and questions when inserts go wrong, a shard is killed, or all are.
 */

import t, { type Test } from 'tap'
import { dayMs } from '../../../src/time-units.ts'
import { compareAll } from '../../differential/asking.ts'
import { arbitraryEvent } from '../../differential/events.ts'
import { makeSenders, type SentRecord, sendAll } from '../../differential/senders.ts'
import { metricBecomes } from '../../faults/events-oracle.ts'
import { seed } from '../../long-runs.ts'
import { type ServiceProcess, startServiceOf } from '../../service/service-process.ts'
import { sampleOf } from '../../store/random-store.ts'
import { until } from '../../until.ts'
import { database, type NewServer, newServersMissing, sharedServers } from './new-servers.ts'

const skip = newServersMissing ?? false

interface Ground {
  readonly servers: readonly [NewServer, NewServer]
  start(name?: string, flags?: readonly string[]): Promise<ServiceProcess>
}

async function groundOf(t: Test): Promise<Ground> {
  const directory = t.testdir()
  const servers = await sharedServers(t)
  const url = servers.map(server => `${server.url}/${database}`).join(',')
  const store = ['--store', 'clickhouse', '--clickhouse-url', url, '--clickhouse-cluster', 'two']
  const quickly = ['--clickhouse-ship-after', '100ms', '--scan-threads', '1']
  return {
    servers,
    start: (name = 'data', flags = []) =>
      startServiceOf(t, `${directory}/${name}`, { flags: [...store, ...quickly, ...flags] }),
  }
}

const allSent = (service: ServiceProcess) =>
  metricBecomes(service, 'clickhouse_waiting_bytes', bytes => bytes === 0)

async function countOn(service: ServiceProcess): Promise<number> {
  return (await service.query('count(logs)')).body.count
}

/** How many records each server has of its own. */
function rowsOn(servers: readonly NewServer[]): Promise<number[]> {
  const count = async (server: NewServer) =>
    Number(await server.ask('SELECT count() FROM otel_logs_local'))
  return Promise.all(servers.map(count))
}

/** Each is a journal file of its own, whose shard its number chooses. */
async function sendFiles(
  service: ServiceProcess,
  token: string,
  messages: readonly string[],
): Promise<void> {
  for (const message of messages) {
    await service.send(token, { message })
    await allSent(service)
  }
}

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${kind}${i}`)

t.test('answers are the plain ones, of records on both shards', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  let service = await start()
  const senders = await makeSenders(service)
  const sent: SentRecord[] = []
  const events = sampleOf(arbitraryEvent, 400, seed)
  // A file has what came in its time: so there are as many as there are pieces.
  for (let from = 0; from < events.length; from += 40) {
    sent.push(...(await sendAll(service, senders, events.slice(from, from + 40), seed)))
    await allSent(service)
  }
  const [ofOne, ofTwo] = await rowsOn(servers)
  t.equal(ofOne! + ofTwo!, sent.length)
  t.ok(ofOne! > 0 && ofTwo! > 0, `${ofOne} and ${ofTwo}`)

  const answersArePlain = () => compareAll(t, service, sent)
  await answersArePlain()

  await service.end('SIGKILL')
  for (const server of servers) await server.kill()
  for (const server of servers) await server.start()
  service = await start()
  await answersArePlain()
})

t.test('an insert that is sent again, over another server, counts once', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  const service = await start()
  const token = await service.makeToken()
  await sendFiles(service, token, ['first'])
  for (const message of names('m', 8)) {
    // It was carried out, then not, and the third attempt is told of.
    for (const { faults } of servers) faults.splice(0, 2, 'unanswered', 'dropped')
    await service.send(token, { message })
    await allSent(service)
    t.ok(servers.some(({ faults }) => faults.length < 2))
  }
  t.equal(await countOn(service), 9)
  const rows = await rowsOn(servers)
  t.equal(rows[0]! + rows[1]!, 9)
  t.ok(rows[0]! > 0 && rows[1]! > 0)
})

t.test('without a shard there is no answer, and nothing is lost', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  const [, two] = servers
  const service = await start()
  const token = await service.makeToken()
  let before = 0
  // Which of them a file goes to is by chance.
  while (before < 8 || (before < 40 && (await rowsOn(servers))[1] === 0)) {
    await sendFiles(service, token, [`before${before++}`])
  }
  const [, ofTwo] = await rowsOn(servers)
  t.ok(ofTwo! > 0)

  await two.kill()
  const refused = await service.query('logs')
  t.match(refused, { status: 503, body: { code: 'clickhouse_unreachable' } })
  for (const message of names('while', 6)) await service.send(token, { message })
  await two.start()
  await until(async () => (await service.query('logs')).status === 200)
  await allSent(service)
  t.equal(await countOn(service), before + 6)
  const rows = await rowsOn(servers)
  t.equal(rows[0]! + rows[1]!, before + 6)
})

t.test('a start needs no other node than the one it asks', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  const [one, two] = servers
  let service = await start()
  t.ok(one.onCluster.length > 4, 'the first start makes the tables on all nodes')
  await service.end()
  await two.kill()
  const known = one.onCluster.length
  service = await start()
  await service.send(await service.makeToken(), { message: 'journalled' })
  t.equal(one.onCluster.length, known, 'nothing is made on all nodes')
  await two.start()
  await allSent(service)
  t.equal(await countOn(service), 1)
})

t.test('a day is dropped on all nodes', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  const service = await start()
  const token = await service.makeToken()
  const today = Math.floor(Date.now() / dayMs) * dayMs
  for (let round = 0; round < 6; round++) {
    const events = [0, 1, 2, 3, 4].map(back => ({
      message: 'of a day',
      time: today - back * dayMs,
    }))
    await service.send(token, events, 'time')
    await allSent(service)
  }
  const days = 'SELECT uniqExact(toDate(TimestampTime)) FROM otel_logs_local'
  for (const server of servers) t.equal(await server.ask(days), '5')

  const body = { ageMs: 2 * dayMs, bytes: null }
  const path = '/api/v1/settings/retention'
  const trial = await service.call('PUT', path, { body: { ...body, isTrial: true } })
  t.match(trial.body.deletes, { segments: 2, records: 12 })
  await service.call('PUT', path, { body })
  for (const server of servers) await until(async () => (await server.ask(days)) === '3')
  t.equal(await countOn(service), 18)
})

t.test('two front ends on two nodes see each other’s', { skip }, async t => {
  const { servers, start } = await groundOf(t)
  const [, two] = servers
  const first = await start('first')
  const second = await start('second', ['--clickhouse-url', `${two.url}/${database}`])
  for (const service of [first, second]) {
    await sendFiles(service, await service.makeToken(), names('m', 4))
  }
  for (const service of [first, second]) t.equal(await countOn(service), 8)
  const numbers = 'SELECT count(), uniqExact(Number) FROM logstrata_front_ends'
  for (const server of servers) t.equal(await server.ask(numbers), '2\t2')
})
