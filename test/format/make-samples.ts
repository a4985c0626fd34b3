/**
 * Makes the sample files of the current formats, once for each format: `node test/format/make-samples.ts`
 *
 * They are committed, and `samples.test.ts` reads them for ever: never make those of an older format
 * again, and never those of this one after its release. Existing files are not overwritten. What older
 * ones hold is said in `sample-records.ts`.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSegment } from '../../src/cli/inspect/segment.ts'
import { keyOf, openIngestIn } from '../ingest/retries/ingest-on-store.ts'
import { type StreamRecord, sealRecords, writeJournal } from '../segment/sealed.ts'

const directory = import.meta.dirname
const noon = Date.UTC(2026, 10, 20, 12)
const checkout = { service: 'checkout', environment: 'prod' }
const search = { service: 'Suche ✓', environment: 'a "test"' }

/** Enough records of one kind that every encoding is the best one for some column. */
const ordinary: StreamRecord[] = Array.from({ length: 800 }, (_, i) => {
  const id = (Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return {
    stream: checkout,
    timestamp: noon + Math.floor(i / 3) * 997,
    level: ['info', 'info', 'warn', 'error'][i % 4]!,
    message: `order ${1000 + ((i * 37) % 500)} of user-${i % 50} paid in ${(i * 7) % 100}.${i % 10} ms (${id})`,
    attributes: [
      ...['region', 'eu-central-1'],
      ...['path', `/api/v1/${['cart', 'orders', 'pay'][i % 3]}`],
      ...['duration_ms', String((i * i * 31) % 5_000)],
      ...['seconds', String((((i * i * 31) % 50_000) - 2_000) / 1_000)],
      ...['trace_id', `${id}${id}${id}${id}`],
      ...['note', '-+*~é '.repeat(1 + (i % 7)) + String.fromCodePoint(0x4e00 + ((i * 7919) % 900))],
      ...(i % 5 === 0 ? ['retry', String(i % 3)] : []),
    ],
  }
})

const unusual: StreamRecord[] = [
  ['', []],
  ['line\nbreak, tab\t, nul \0, quote "', ['', 'the name is empty']],
  ['Grüße, 你好, 👍🏽', ['__proto__', '', 'constructor', 'x', 'a.b', '["c",1]']],
  ['0', ['number', '-0', 'ключ', 'null']],
  ['00 007 1e5 18446744073709551616', ['number', '9007199254740993']],
  [`long: ${'0123456789abcdef '.repeat(100)}`, []],
].map(([message, attributes], i) => ({
  stream: search,
  timestamp: noon + i,
  level: 'info',
  message: message as string,
  attributes: attributes as string[],
}))

const early = { ...unusual[0]!, timestamp: -8.64e15, level: 'trace' }
const late = { ...unusual[1]!, timestamp: 8.64e15, level: 'panic' }

/** Of the same stream as the ordinary ones, and so of one run with them; no two are alike. */
const withoutTemplates: StreamRecord[] = ordinary.slice(0, 60).map((record, i) => {
  const words = Array.from({ length: 3 + (i % 5) }, (_, n) => wordOf(i * 8 + n))
  const attributes = i % 2 === 0 ? ['release', 'v2'] : []
  return { ...record, timestamp: record.timestamp + 400_000, message: words.join('/'), attributes }
})

/** Messages of the ordinary kind, and of another that the run has not had. */
const templatesAgain: StreamRecord[] = ordinary.slice(0, 200).map((record, i) => ({
  ...record,
  timestamp: record.timestamp + 500_000,
  message: i % 4 === 0 ? `session of user-${i % 50} opened` : record.message,
}))

makeOnce('v3.seg', path => {
  const lists = [ordinary, withoutTemplates, templatesAgain, unusual]
  sealRecords(path, 42, lists, {
    createdAt: noon + 60_000,
    replaces: { journals: [12, 13], segments: [40] },
    group: [42, 43],
  })
  const { blocks, skipIndexes } = describeSegment(path)
  const encodings = blocks.flatMap(({ columns }) => columns.map(({ encoding }) => encoding))
  const used = [...new Set(encodings)].sort().join(', ')
  assert.equal(
    used,
    'constant, dictionary, fixed-point, hex, integer, template, text',
    'every encoding',
  )
  const messages = blocks.map(({ columns }) => columns.find(({ role }) => role === 'message'))
  assert.equal(messages[1]?.encoding, 'text', 'a block without templates')
  assert.deepEqual(
    skipIndexes.map(({ blockCount }) => blockCount),
    [3, 1],
    'a run of several blocks',
  )
  return lists.flat()
})

makeOnce('v1.journal.log', path => {
  const lists = [ordinary.slice(0, 20), [early, ...unusual, late, ordinary[20]!]]
  writeJournal(path, 12, lists)
  return lists.flat()
})

await makeReceipts('v1-receipts.journal.log', 'v1.receipts')

/** A journal file whose records were sent under keys, and the receipts that are left of it when it is sealed. */
async function makeReceipts(journalName: string, receiptsName: string): Promise<void> {
  const [ofJournal, ofReceipts] = [journalName, receiptsName].map(name => join(directory, name))
  if (fs.existsSync(ofJournal!)) return
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-samples-'))
  const there = await openIngestIn(dataDir, { now: () => noon })
  await there.one('{"message":"one"}', 'key-1')
  await there.batch('{"message":"two"}\n{"message":\n{"message":"three"}', keyOf('key-2'))
  const document = '{"create":{"_index":"logs","_id":"1"}}\n{"message":"four"}\n'
  await there.batch(document, { format: 'bulk' })
  fs.copyFileSync(join(dataDir, 'journal/00000001.log'), ofJournal!)
  await there.store.settle()
  fs.copyFileSync(join(dataDir, 'receipts/00000001.receipts'), ofReceipts!)
  await there.close()
  fs.rmSync(dataDir, { recursive: true })
}

/** A word of letters, of more than can be told apart by their first. */
function wordOf(number: number): string {
  const hash = Math.imul(number + 1, 0x85ebca6b) >>> 0
  return [...hash.toString(26)]
    .map(digit => 'qwertzuiopasdfghjklyxcvbnm'[parseInt(digit, 26)])
    .join('')
}

/**
 * Makes a sample that is not there, and beside it the records as they went in, one a line: what the
 * file must give back.
 */
function makeOnce(name: string, make: (path: string) => readonly StreamRecord[]): void {
  const path = join(directory, name)
  if (fs.existsSync(path)) return
  try {
    const lines = make(path).map(record => `${JSON.stringify(record)}\n`)
    const records = path.replace(/\.log$/, '')
    fs.writeFileSync(`${records}.ndjson`, lines.join(''), { flag: 'wx' })
  } catch (error) {
    fs.rmSync(path, { force: true })
    throw error
  }
}
