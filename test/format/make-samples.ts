/**
 * Makes the sample files of the current format, once for each format: `node test/format/make-samples.ts`
 *
 * They are committed, and `samples.test.ts` reads them for ever: never make those of an older format
 * again, and never those of this one after its release. Existing files are not overwritten.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import { describeSegment } from '../../src/cli/inspect/segment.ts'
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

const segmentPath = join(directory, 'v1.seg')
const journalPath = join(directory, 'v1.journal.log')
for (const path of [segmentPath, journalPath]) assert(!fs.existsSync(path), `${path} exists`)

sealRecords(segmentPath, 42, [ordinary, unusual], {
  createdAt: noon + 60_000,
  replaces: { journals: [12, 13], segments: [40] },
  group: [42, 43],
})
const { blocks } = describeSegment(segmentPath)
const encodings = blocks.flatMap(({ columns }) => columns.map(({ encoding }) => encoding))
const used = [...new Set(encodings)].sort().join(', ')
if (used !== 'constant, dictionary, hex, integer, template, text') {
  fs.rmSync(segmentPath)
  assert.fail(`a sample has every encoding, this one only ${used}`)
}
writeLines('v1.seg.ndjson', [...ordinary, ...unusual])

const journalLists = [ordinary.slice(0, 20), [early, ...unusual, late, ordinary[20]!]]
writeJournal(journalPath, 12, journalLists)
writeLines('v1.journal.ndjson', journalLists.flat())

/** The records as they went in, one a line: what the files must give back. */
function writeLines(name: string, records: readonly StreamRecord[]): void {
  const lines = records.map(record => `${JSON.stringify(record)}\n`)
  fs.writeFileSync(join(directory, name), lines.join(''), { flag: 'wx' })
}
