/**
 * Tables on a cluster of two shards with two replicas each, on real servers with ZooKeeper: made on all of them
 * by our own statements, filled and dropped by them, with columns in types of 18.16.
 */
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { realDisk } from '../../../src/disk/real-disk.ts'
import { journalPath } from '../../../src/journal/files.ts'
import { listSegments } from '../../../src/segment/files.ts'
import { isKnownTo, takeNumber } from '../../../src/store/clickhouse/front-ends.ts'
import { Layout } from '../../../src/store/clickhouse/layout.ts'
import { countKeptRows } from '../../../src/store/clickhouse/move/day-counts.ts'
import { readSegment } from '../../../src/store/clickhouse/move/segment-rows.ts'
import { sendSegment } from '../../../src/store/clickhouse/move/send-segment.ts'
import { dropPartitions, listPartitions } from '../../../src/store/clickhouse/partitions.ts'
import { type Shipped, shipFile } from '../../../src/store/clickhouse/ship.ts'
import { makeTables, tablesVersion } from '../../../src/store/clickhouse/tables.ts'
import { dayMs } from '../../../src/time-units.ts'
import { neverAborted, openStoreIn } from '../../store/store-in.ts'
import { until } from '../../until.ts'
import { days, firstDay, recordsOfFile, writeJournal } from '../journal-of-days.ts'
import { type OldServer, serversMissing, startShards } from '../old-servers.ts'
import { startZooKeeper, zooKeeperMissing } from './zookeeper.ts'

const skip = serversMissing ?? zooKeeperMissing ?? false
const layout = new Layout('two')
const logger = pino({ level: 'silent' })
const frontEnd = 'one'
const recordsOfSegment = 1_000
/** Since 1970. */
const dayOfSegment = Math.floor(firstDay / dayMs)

/** Between two attempts, which each of the servers has a part in; a replica is back after seconds. */
const attemptMs = 250

/** The first ones are sent while all servers are there, the others while one is away. */
const fileCountBefore = 6

async function cluster(t: Test) {
  const directory = t.testdir({ journal: {}, receipts: {} })
  const zooKeeper = await startZooKeeper(t, join(directory, 'zookeeper'))
  const shards = await startShards(t, directory, { replicas: 2, zooKeeper })
  const servers = shards.flat()
  for (const { connection } of servers) connection.quorum = 2
  const files = await writeJournal(t, join(directory, 'journal'))
  const ship = (file: number, { connection }: OldServer, mayBeThere = false): Promise<Shipped> => {
    const journal = { file, path: journalPath(join(directory, 'journal'), file) }
    const receiptsDirectory = join(directory, 'receipts')
    const task = { url: '', cluster: 'two', journal, frontEnd, receiptsDirectory, mayBeThere }
    return shipFile(task, connection, realDisk)
  }
  return { servers, files, ship }
}

/** A segment of one day that goes to a shard, as a move sends and counts it. */
async function segmentFor(t: Test, shard: number, asked: OldServer) {
  const dataDir = t.testdir({ data: {} })
  const store = await openStoreIn(dataDir)
  await store.appendWith(writer => {
    for (let i = 0; i < recordsOfSegment; i++) {
      const attributes = ['place', `${i}`]
      const record = { timestamp: firstDay, level: 'info', message: `m${i}`, attributes }
      writer.add(record, { service: 'checkout', environment: 'test' })
    }
  })
  await store.settle()
  await store.close()
  const { path, number } = listSegments(join(dataDir, 'segments'))[0]!
  const { units } = readSegment({ path, number }, join(dataDir, 'quarantine'), realDisk)
  const senders = Array.from({ length: 64 }, (_, i) => `segments${i}`)
  let sender = ''
  do sender = senders.pop()!
  while ((await shardOf(number, asked, sender)) !== shard)
  const segment = { path, number, units, sender, sequenceOffset: 0, layout }
  const send = ({ connection }: OldServer, mayBeThere = false) =>
    sendSegment({ ...segment, mayBeThere }, connection, realDisk, neverAborted, () => {})
  const count = ({ connection }: OldServer) =>
    countKeptRows(connection, 'FrontEnd = {sender:String}', { sender }, layout)
  return { send, count }
}

async function numberOn({ connection }: OldServer, query: string): Promise<number> {
  const [row] = await connection.rows<{ found: string }>({ query })
  return Number(row!.found)
}

const countOn = (server: OldServer) => numberOn(server, 'SELECT count() AS found FROM otel_logs')
const ownOn = (server: OldServer) =>
  numberOn(server, 'SELECT count() AS found FROM otel_logs_local')
const shardOf = (file: number, asked: OldServer, sender = frontEnd) =>
  numberOn(asked, `SELECT cityHash64('${sender}', toUInt32(${file})) % 2 AS found`)

const reasonOf = (error: unknown) => error
const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

t.test('tables on two shards of two replicas', { skip }, async t => {
  const { servers, files, ship } = await cluster(t)
  const [one, oneToo, two, twoToo] = servers as [OldServer, OldServer, OldServer, OldServer]
  let sent = 0
  const replicasHaveTheSame = async (t: Test) => {
    for (const server of servers) await until(async () => (await countOn(server)) === sent)
    const own = await Promise.all(servers.map(ownOn))
    t.same([own[0], own[2]], [own[1], own[3]])
    t.equal(own[0]! + own[2]!, sent, 'each record is on one shard')
    t.ok(own[0]! > 0 && own[2]! > 0)
  }

  await t.test('are made on all nodes, once', async t => {
    await makeTables(one.connection, layout)
    for (const { connection } of servers) {
      const query = `SELECT name, engine FROM system.tables
        WHERE database = 'default' ORDER BY name`
      t.same(await connection.rows({ query }), [
        { name: 'logstrata_front_ends', engine: 'ReplicatedMergeTree' },
        { name: 'logstrata_sent', engine: 'ReplicatedReplacingMergeTree' },
        { name: 'logstrata_versions', engine: 'ReplicatedMergeTree' },
        { name: 'otel_logs', engine: 'Distributed' },
        { name: 'otel_logs_local', engine: 'ReplicatedMergeTree' },
      ])
      const versions = 'SELECT uniqExact(version) AS found FROM logstrata_versions'
      await until(async () => (await numberOn({ ...one, connection }, versions)) === tablesVersion)
    }
    for (const { connection } of servers) await makeTables(connection, layout)
    await takeNumber(frontEnd, two.connection)
    for (const { connection } of servers) await until(() => isKnownTo(frontEnd, connection))
    t.equal(await takeNumber('another', oneToo.connection), 1, 'numbers are of all nodes')
  })

  await t.test('have each file on one shard, and there on both replicas', async t => {
    for (const file of files.slice(0, fileCountBefore)) {
      t.equal((await ship(file, one)).inserts, days)
      // As from another process that knows of nothing: the blocks are known.
      t.equal((await ship(file, twoToo)).inserts, days)
      sent += recordsOfFile
    }
    await replicasHaveTheSame(t)
  })

  await t.test('lose a day on all nodes', async t => {
    const before = await listPartitions(one.connection, layout)
    const ofDay = sent / days
    t.same(
      before.map(({ records }) => records),
      Array.from({ length: days }, () => ofDay),
      'of each shard once',
    )
    await dropPartitions(before.slice(0, 1), two.connection, layout, logger)
    sent -= ofDay
    await replicasHaveTheSame(t)
    t.equal((await listPartitions(one.connection, layout)).length, days - 1)
  })

  await t.test('have not what a move has left on one replica, until the other has it', async t => {
    const moved = await segmentFor(t, 1, one)
    const before = await ownOn(two)
    // 18.16 refuses an insert beforehand once the session of a replica has ended.
    await twoToo.kill()
    t.match(await moved.send(one).catch(reasonOf), { isPassing: true })
    t.equal(await ownOn(two), before + recordsOfSegment, 'where it was written')
    for (const asked of [one, two]) {
      t.match(
        await moved.send(asked, true).catch(reasonOf),
        { message: /^most replicas lack a part of /, isPassing: true },
        'a run that goes on waits',
      )
      t.match(
        await moved.count(asked).catch(reasonOf),
        {
          message: `most replicas lack ${recordsOfSegment} records that others have`,
          isPassing: true,
        },
        'nor are the days compared',
      )
    }
    t.equal(await ownOn(two), before + recordsOfSegment, 'and does not send it again')

    await twoToo.start()
    await until(() => succeeds(moved.send(one, true)), attemptMs)
    t.same(await moved.count(one), new Map([[dayOfSegment, recordsOfSegment]]))
    sent += recordsOfSegment
    await replicasHaveTheSame(t)
  })

  await t.test('are asked as long as each shard has a replica', async t => {
    await twoToo.kill()
    for (const server of [one, two]) t.equal(await countOn(server), sent)
  })

  await t.test('have what was sent while a replica was away, when it is back', async t => {
    const waiting = files.slice(fileCountBefore)
    const shardsOf = await Promise.all(waiting.map(file => shardOf(file, one)))
    const before = await ownOn(two)
    const first = waiting[shardsOf.indexOf(1)]!
    t.match(await ship(first, one).catch(reasonOf), { isPassing: true })
    t.ok((await ownOn(two)) > before, 'it has left something where it was written')
    t.match(
      await ship(first, one, true).catch(reasonOf),
      { message: /^insert \d+\/0\/\d+ is on 1 of 2 replicas$/ },
      'which is not enough, and is not sent again',
    )

    await twoToo.start()
    for (const file of waiting) {
      await until(() => succeeds(ship(file, one, true)), attemptMs)
      sent += recordsOfFile
    }
    await replicasHaveTheSame(t)
  })

  await t.test('are not answered for by half of the shards', async t => {
    await Promise.all([two.kill(), twoToo.kill()])
    const refused = await countOn(one).catch(reasonOf)
    t.match(refused, { name: 'ClickHouseFailed', isPassing: true })
    await Promise.all([two.start(), twoToo.start()])
    await replicasHaveTheSame(t)
  })
})
