/**
 * A table over two shards, on real servers: what we send goes to one of them whole, and what one of them cannot
 * say is no answer. Sent, asked and read by the service's own code; the columns are ours, in types of 18.16.
 */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { realDisk } from '../../src/disk/real-disk.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { journalPath } from '../../src/journal/files.ts'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import type { Statement } from '../../src/store/clickhouse/connection.ts'
import {
  allRows,
  collectedBy,
  countOf,
  firstRows,
  whereOf,
} from '../../src/store/clickhouse/fetch-statement.ts'
import { RowReader } from '../../src/store/clickhouse/row-reader.ts'
import { type Shipped, shipFile } from '../../src/store/clickhouse/ship.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { histogramQuestion } from '../../src/store/clickhouse/sql/histogram.ts'
import { dayMs } from '../../src/time-units.ts'
import { days, fileCount, firstDay, recordsOfFile, writeJournal } from './journal-of-days.ts'
import {
  type OldServer,
  type PlainConnection,
  plainColumns,
  serversMissing,
  startTwo,
} from './old-servers.ts'

const skip = serversMissing ?? false
const frontEnd = "o'ne"

async function makeTablesOn({ connection }: OldServer): Promise<void> {
  const shard = `CREATE TABLE otel_logs_shard ${plainColumns} ENGINE = MergeTree
    PARTITION BY toDate(TimestampTime, 'UTC') ORDER BY (ServiceName, TimestampTime, Timestamp)`
  await connection.command({ query: shard })
  const asked = `CREATE TABLE otel_logs ${plainColumns} ENGINE =
    Distributed(two, default, otel_logs_shard, cityHash64(FrontEnd, JournalFile))`
  await connection.command({ query: asked })
}

async function cluster(t: Test) {
  const directory = t.testdir({ journal: {}, receipts: {} })
  const servers = await startTwo(t, directory)
  for (const server of servers) await makeTablesOn(server)
  const files = await writeJournal(t, join(directory, 'journal'))
  const ship = (
    file: number,
    connection: PlainConnection,
    mayBeThere = false,
  ): Promise<Shipped> => {
    const journal = { file, path: journalPath(join(directory, 'journal'), file) }
    const receiptsDirectory = join(directory, 'receipts')
    const task = { url: '', cluster: undefined, journal, frontEnd, receiptsDirectory, mayBeThere }
    return shipFile(task, connection, realDisk)
  }
  return { servers, files, ship }
}

const whereOfAll = (selector: Selector = everyRecord) =>
  whereOf({ startTime: 0, endTime: firstDay + 100 * dayMs }, conditionOf(selector, false), {
    frontEnd,
    firstFile: fileCount + 1,
  })

async function countOn({ connection }: OldServer, selector?: Selector): Promise<number> {
  const [row] = await connection.rows<{ found: string }>(countOf(whereOfAll(selector)))
  return Number(row!.found)
}

/** The journal's files that a server has of its own. */
async function filesOn({ connection }: OldServer): Promise<number[]> {
  const query = 'SELECT DISTINCT JournalFile AS file FROM otel_logs_shard ORDER BY file'
  return (await connection.rows<{ file: number }>({ query })).map(({ file }) => file)
}

t.test('each file goes to one shard, and questions are answered by both', { skip }, async t => {
  const { servers, files, ship } = await cluster(t)
  const [one, two] = servers
  t.equal(files.length, fileCount)
  for (const file of files) t.equal((await ship(file, one.connection)).inserts, days)
  const [ofOne, ofTwo] = [await filesOn(one), await filesOn(two)]
  t.ok(ofOne.length > 0 && ofTwo.length > 0, 'both have some')
  t.same(
    [...ofOne, ...ofTwo].toSorted((a, b) => a - b),
    files,
    'no file is on both',
  )

  const all = fileCount * recordsOfFile
  for (const server of servers) t.equal(await countOn(server), all)
  const filters = [{ operator: '|=', text: 'm7 of' }] as const
  t.equal(await countOn(two, { ...everyRecord, filters }), fileCount)

  const question = histogramQuestion({ kind: 'histogram', bucketMs: dayMs })
  const rows = await two.connection.rows(collectedBy(whereOfAll(), question))
  const buckets = question.plainOf(rows) as [string, { first: number; counts: Float64Array }][]
  const firstBucket = Math.floor(firstDay / dayMs)
  const seen = buckets.map(
    ([level, { first, counts }]) => `${level} ${first - firstBucket} ${counts}`,
  )
  const of = (level: string, records: number) =>
    [0, 1, 2].map(day => `${level} ${day} ${fileCount * records}`)
  t.same(seen.toSorted(), [...of('error', 5), ...of('info', 15)])

  const fetched = async (statement: Statement) => {
    const sequences: number[] = []
    const reader = new RowReader(new BatchWriter(), sequence => sequences.push(sequence))
    for await (const chunk of await two.connection.bytes(statement)) reader.add(chunk)
    reader.end()
    return sequences
  }
  const everySequence = Array.from({ length: all }, (_, sequence) => sequence)
  t.same(
    (await fetched(allRows(whereOfAll()))).toSorted((a, b) => a - b),
    everySequence,
  )
  const behind = { timestamp: 0, sequence: 100 }
  const latest = await fetched(firstRows(whereOfAll(), 'latest', behind, 10))
  t.same(latest, everySequence.slice(90, 100).reverse(), 'in order, of both')
  const [row] = await two.connection.rows({
    query: 'SELECT Body, LogAttributes FROM otel_logs WHERE Sequence = 67',
  })
  t.same(row, { Body: 'm7 of 1', LogAttributes: [[['place', '1/7']]] }, 'as it was sent')
})

t.test('without one of the shards there is no answer, and nothing is lost', { skip }, async t => {
  const { servers, files, ship } = await cluster(t)
  const [one, two] = servers
  const half = files.slice(0, fileCount / 2)
  for (const file of half) await ship(file, one.connection)
  const sent = half.length * recordsOfFile
  t.ok((await filesOn(two)).length > 0)

  await two.kill()
  const refused = await countOn(one).catch((error: unknown) => error)
  t.match(refused, { name: 'ClickHouseFailed', isPassing: true }, 'it may pass')
  const rest = files.slice(half.length)
  // This server wants all shards for an insert, wherever its records go.
  for (const file of rest) {
    const reason = await ship(file, one.connection).catch((error: unknown) => error)
    t.match(reason, { isPassing: true })
  }

  await two.start()
  t.equal(await countOn(one), sent, 'what it had')
  for (const file of rest) t.equal((await ship(file, one.connection, true)).inserts, days)
  t.equal(await countOn(one), fileCount * recordsOfFile)
})

t.test('an insert that was carried out, and is sent again, counts once', { skip }, async t => {
  const { servers, files, ship } = await cluster(t)
  const [one, two] = servers
  for (const file of files) {
    // All three begin at once: two are carried out, and of one of these nobody hears.
    one.connection.faults.push('unanswered', 'dropped')
    await t.rejects(ship(file, one.connection))
    // Asked at the other server, whichever has it.
    t.equal((await ship(file, two.connection, true)).inserts, 1)
    t.equal((await ship(file, one.connection, true)).inserts, 0)
  }
  t.equal(await countOn(two), fileCount * recordsOfFile)
  const query = 'SELECT uniqExact(Sequence) AS found FROM otel_logs'
  const [row] = await two.connection.rows<{ found: string }>({ query })
  t.equal(Number(row!.found), fileCount * recordsOfFile)
})
