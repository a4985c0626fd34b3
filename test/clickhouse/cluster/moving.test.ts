/** `logstrata ship` to a cluster of two shards and back, and names of clusters that are none. */
import { join } from 'node:path'
import t from 'tap'
import { fakeTerminal } from '../../cli/fake-terminal.ts'
import { startService } from '../../service/service-process.ts'
import { fill, onFiles, segmentsIn, ship, shipUntil } from '../moving-runs.ts'
import { database, newServersMissing, sharedServers } from './new-servers.ts'

const skip = newServersMissing ?? false
const onTwo = ['--clickhouse-cluster', 'two']
const to = ['--to', 'clickhouse', ...onTwo]
const back = ['--from', 'clickhouse', '--delete', ...onTwo]

t.test('records move to both shards, and back', { skip }, async t => {
  const directory = t.testdir()
  const [one, two] = await sharedServers(t)
  const dataDir = join(directory, 'data')
  const before = await fill({ dataDir })
  const at = (server: typeof one) => ({ dataDir, engine: server, database })
  const rowsOn = async (server: typeof one) =>
    Number(await server.ask('SELECT count() FROM otel_logs_local'))

  t.equal((await shipUntil(at(one), to, 'move:sent')).code, 'SIGKILL')
  // What was sent before is known at another node.
  const there = await ship(at(two), to)
  t.equal(there.code, 0, there.complained)
  t.match(
    there.printed,
    new RegExp(`\ntogether\\s+${before.length}\\s+${before.length}\\s+agree\n$`),
  )
  t.same(segmentsIn(at(one)), [])
  const [ofOne, ofTwo] = [await rowsOn(one), await rowsOn(two)]
  t.equal(ofOne + ofTwo, before.length)
  t.ok(ofOne > 0 && ofTwo > 0, `${ofOne} and ${ofTwo}`)

  const returned = await ship(at(one), back)
  t.equal(returned.code, 0, returned.complained)
  t.same(await onFiles(at(one)), before)
  t.same([await rowsOn(one), await rowsOn(two)], [0, 0], 'days are dropped on all nodes')
})

t.test('a shard that is away ends a move, which goes on when it is back', { skip }, async t => {
  const directory = t.testdir()
  const [one, two] = await sharedServers(t)
  const dataDir = join(directory, 'data')
  const before = await fill({ dataDir })
  const place = { dataDir, engine: one, database }
  t.equal((await shipUntil(place, to, 'move:sent')).code, 'SIGKILL')
  const count = segmentsIn(place).length
  await two.kill()
  const without = await ship(place, [...to, '--patience', '500ms'])
  t.equal(without.code, 1)
  t.match(without.complained, /ClickHouse .*; when .*, run this again\n$/)
  t.equal(segmentsIn(place).length, count, 'nothing is removed')
  await two.start()
  t.equal((await ship(place, to)).code, 0)
  const found = await one.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
  t.equal(found, `${before.length}\t${before.length}`)
})

t.test('a cluster that the servers do not know is named', { skip }, async t => {
  const directory = t.testdir()
  const [one] = await sharedServers(t)
  const place = { dataDir: join(directory, 'data'), engine: one, database }
  await fill(place)
  const moved = await ship(place, ['--to', 'clickhouse', '--clickhouse-cluster', 'nowhere'])
  t.equal(moved.code, 1)
  t.match(
    moved.complained,
    /ClickHouse refuses: .*'nowhere'.*; when that is put right, run this again/,
  )
  t.ok(segmentsIn(place).length > 0)

  const store = ['--store', 'clickhouse', '--clickhouse-url', `${one.url}/${database}`]
  const started = startService(join(directory, 'other'), {
    flags: [...store, '--clickhouse-cluster', 'nowhere'],
  })
  await t.rejects(started, /ClickHouse is needed for the first start.*'nowhere'/)
  t.equal(await one.ask('SHOW TABLES'), '', 'nothing was made')
})

t.test('what is no name is refused, by flag and by environment', async t => {
  const place = { dataDir: t.testdir(), engine: { url: 'http://127.0.0.1:1' } }
  for (const name of [
    "lo'gs",
    'lo gs',
    'lo;gs',
    '{cluster',
    '{a}{b}',
    'two\n',
    'ö',
    'x'.repeat(129),
  ]) {
    const { code, complained } = await ship(place, [
      '--to',
      'clickhouse',
      '--clickhouse-cluster',
      name,
    ])
    t.equal(code, 2, name)
    t.match(
      complained,
      /--clickhouse-cluster .*a name such as logs, or a macro such as \{cluster\}/,
    )
    const terminal = fakeTerminal({ environment: { LOGSTRATA_CLICKHOUSE_CLUSTER: name } })
    const ofEnvironment = await ship(place, ['--to', 'clickhouse'], terminal)
    t.equal(ofEnvironment.code, 2, name)
    t.match(ofEnvironment.complained, /LOGSTRATA_CLICKHOUSE_CLUSTER .*a name such as logs/)
  }
})
