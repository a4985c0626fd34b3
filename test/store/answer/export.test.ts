import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../../src/language/ast.ts'
import type { Stream } from '../../../src/record.ts'
import type { AnswerRecord, ExportRequest, Store } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { parseCsv } from '../../query/csv.ts'
import { arbitraryGrouping } from '../../query/plain.ts'
import { appendParts, type Stored, sampleOf, smallFiles, storedAt } from '../random-store.ts'
import { neverAborted, openStoreIn, openStoreOf } from '../store-in.ts'

const always = { startTime: -8.64e15, endTime: 8.64e15, order: 'asc', format: 'ndjson' } as const
const checkout: Stream = { service: 'checkout', environment: 'prod' }

/** Records that differ in their message only, which is their number, padded. */
function numbered(count: number, timestampOf: (i: number) => number, padding = 0): Stored[] {
  return Array.from({ length: count }, (_, i) => ({
    record: {
      timestamp: timestampOf(i),
      level: 'info',
      message: `${i} ${'x'.repeat(padding)}`,
      attributes: ['n', `${i}`],
    },
    stream: checkout,
  }))
}

async function exported(store: Store, request: Partial<ExportRequest>): Promise<string> {
  const chunks: Uint8Array[] = []
  const text = store.exportText({ selector: everyRecord, ...always, ...request }, neverAborted)
  for await (const chunk of text) chunks.push(chunk.slice())
  return Buffer.concat(chunks).toString()
}

function parseNdjson(text: string): AnswerRecord[] {
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

function recordsOfCsv(text: string): AnswerRecord[] {
  const [names, ...lines] = parseCsv(text)
  assert.deepEqual(names, [
    'id',
    'timestamp',
    'log_level',
    'service.name',
    'environment',
    'message',
    'attributes',
  ])
  return lines.map(fields => {
    const [id, time, log_level, service, environment, message, attributes] = fields as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    assert.equal(fields.length, 7)
    const timestamp = Date.parse(time)
    const labels = { 'service.name': service, environment }
    const others = Object.entries(JSON.parse(attributes))
    const all = Object.fromEntries([...Object.entries(labels), ...others]) as Record<string, string>
    return { id, timestamp, log_level, message, attributes: all }
  })
}

const plain = (records: readonly AnswerRecord[]) =>
  records.map(({ attributes, ...record }) => ({
    ...record,
    attributes: Object.fromEntries(Object.entries(attributes)),
  }))

t.test('an export is what queries answer, in either form and order', async t => {
  const rows = sampleOf(storedAt(fc.integer({ min: 1_000, max: 1_060 })), 900)
  const store = await openStoreOf(t, t.testdir(), { flags: smallFiles, scanThreads: 2 })
  await appendParts(store, rows.slice(0, 300), 7)
  await store.settle()
  await appendParts(store, rows.slice(300, 600), 40)
  await store.settle()
  await appendParts(store, rows.slice(600), 3)
  const { journalRecords, segmentRecords } = store.stats()
  t.same([journalRecords > 0, segmentRecords >= 600], [true, true])

  let matched = 0
  await forAllAsync(
    longRuns(150),
    arbitraryGrouping,
    fc.tuple(fc.integer({ min: 990, max: 1_070 }), fc.nat(80)),
    fc.constantFrom('asc' as const, 'desc' as const),
    fc.constantFrom('ndjson' as const, 'csv' as const),
    async ({ selector }, [startTime, length], order, format) => {
      const request = { selector, startTime, endTime: startTime + length, order }
      const page = { ...request, limit: 1_000, cursor: undefined }
      const { records } = await store.select(page, neverAborted)
      const text = await exported(store, { ...request, format })
      const actual = format === 'csv' ? recordsOfCsv(text) : parseNdjson(text)
      assert.deepEqual(plain(actual), plain(records))
      matched += records.length
    },
  )
  t.ok(matched > share(5_000), `${matched} records in all answers`)
})

t.test('more records of one time than a task takes come in order, none twice', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = numbered(30_000, i => (i < 25_000 ? 5 : i))
  await appendParts(store, rows.slice(0, 20_000), 1_000)
  await store.settle()
  await appendParts(store, rows.slice(20_000), 1_000)
  const ascending = parseNdjson(await exported(store, {}))
  t.ok(ascending.every(({ attributes }, i) => attributes.n === `${i}`))
  t.equal(ascending.length, rows.length)
  const descending = parseNdjson(await exported(store, { order: 'desc' }))
  t.ok(descending.every(({ attributes }, i) => attributes.n === `${rows.length - 1 - i}`))
  t.equal(descending.length, rows.length)
})

t.test('more text than a task gives, and single records beyond, come whole', async t => {
  const store = await openStoreOf(t, t.testdir())
  await appendParts(
    store,
    numbered(200, i => i, 50_000),
    20,
  )
  await store.settle()
  await appendParts(
    store,
    numbered(2, i => 1_000 + i, 5_000_000),
    1,
  )
  const records = parseNdjson(await exported(store, {}))
  t.equal(records.length, 202)
  t.ok(records.every(({ timestamp }, i) => timestamp === (i < 200 ? i : 800 + i)))
  t.equal(records.at(-1)?.message.length, 5_000_002)
})

t.test('what arrives after the first chunk is not in it, whatever is sealed meanwhile', async t => {
  const store = await openStoreOf(t, t.testdir(), { flags: smallFiles, scanThreads: 2 })
  const rows = numbered(30_000, i => i)
  await appendParts(store, rows.slice(0, 10_000), 500)
  await store.settle()
  await appendParts(store, rows.slice(10_000), 500)
  const chunks: string[] = []
  const late = numbered(1, () => 29_999)
  for await (const chunk of store.exportText({ selector: everyRecord, ...always }, neverAborted)) {
    if (chunks.length === 0) {
      await appendParts(store, late, 1)
      await Promise.race([store.settle(), new Promise(resolve => setTimeout(resolve, 300))])
    }
    chunks.push(Buffer.from(chunk).toString())
  }
  t.ok(chunks.length > 2, `${chunks.length} chunks`)
  const records = parseNdjson(chunks.join(''))
  t.ok(records.every(({ attributes }, i) => attributes.n === `${i}`))
  t.equal(records.length, rows.length)
  await store.settle() // Files were kept for the export, and no longer.
})

t.test('an export that nobody reads any more ends its work and keeps no files', async t => {
  const store = await openStoreOf(t, t.testdir())
  await appendParts(
    store,
    numbered(30_000, i => i),
    1_000,
  )
  const aborted = new AbortController()
  const text = store.exportText({ selector: everyRecord, ...always }, aborted.signal)
  const iterator = text[Symbol.asyncIterator]()
  await iterator.next()
  aborted.abort()
  await t.rejects(
    async () => {
      while ((await iterator.next()).done !== true);
    },
    { name: 'AbortError' },
  )
  for await (const _ of store.exportText({ selector: everyRecord, ...always }, neverAborted)) break
  await store.settle() // Waits for everybody who still reads the journal's files.
  t.equal(store.stats().journalRecords, 0)
})

t.test('an expression that cannot be used is refused before anything comes', async t => {
  const store = await openStoreOf(t, t.testdir())
  const matchers = [{ label: 'a', operator: '=~' as const, value: '(' }]
  await t.rejects(exported(store, { selector: { ...everyRecord, matchers } }), {
    code: 'query_regex',
  })
})

t.test('an export that meets a damaged block fails, and the next one has all the rest', async t => {
  const dataDir = t.testdir()
  const before = await openStoreIn(dataDir)
  const streams = ['checkout', 'search', 'mail'].map(service => ({ service, environment: 'prod' }))
  const rows = numbered(3_000, i => i).map((row, i) => ({ ...row, stream: streams[i % 3]! }))
  await appendParts(before, rows, 100)
  await before.settle()
  await before.close()
  const directory = join(dataDir, 'segments')
  const [path] = fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.seg'))
    .map(name => join(directory, name))
  const bytes = fs.readFileSync(path!)
  // The first block's columns stand at the beginning.
  for (let at = 64; at < bytes.length / 5; at += 16) bytes[at]! ^= 0x10
  fs.writeFileSync(path!, bytes)

  const log: Record<string, unknown>[] = []
  const store = await openStoreOf(t, dataDir, { log })
  await t.rejects(exported(store, {}), { code: 'data_damaged' })
  t.match(JSON.stringify(log), 'a block is damaged')
  const left = parseNdjson(await exported(store, {}))
  t.equal(left.length, 2_000)
})
