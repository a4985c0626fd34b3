/**
 * Files of every format that was ever released are read here for ever. When one of these tests fails,
 * it is the code that must change, not the file.
 */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { batchesOfJournal } from '../../src/cli/inspect/journal.ts'
import { blocksOfSegment, describeSegment } from '../../src/cli/inspect/segment.ts'
import type { RecordColumns } from '../../src/columns/record-columns.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { digestNow, receiptKeyOf } from '../../src/ingest/retries/retry-key.ts'
import { receiptsOfBatch } from '../../src/journal/receipts.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import type { Selector } from '../../src/language/ast.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { scanSources } from '../../src/query/scan.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import { readFooter } from '../../src/segment/footer.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { verifyContents } from '../../src/segment/verify-contents.ts'
import { readReceiptFile } from '../../src/store/receipts/receipt-file.ts'
import { Receipts } from '../../src/store/receipts/receipts.ts'
import { comparable } from '../journal/records.ts'
import { matchesPlainly } from '../query/plain.ts'
import type { StreamRecord } from '../segment/sealed.ts'
import { checkout, journalLists, noon, recordsOfSample, samples, search } from './sample-records.ts'

const turn = {
  turnMs: Number.POSITIVE_INFINITY,
  longMs: Number.POSITIVE_INFINITY,
  cancelled: new Int32Array(new SharedArrayBuffer(4)),
}

const allTimes = { startTime: -8.64e15, endTime: 8.64e15 }

const sample = (name: string) => join(samples, name)

function expectedOf(records: readonly StreamRecord[]): unknown[] {
  return records.map(({ stream, ...record }, i) => {
    return { stream, sequence: i + 1, record: comparable(record) }
  })
}

function recordsOf(parts: Iterable<RecordColumns>): unknown[] {
  const records: unknown[] = []
  for (const columns of parts) {
    for (let row = 0; row < columns.recordCount; row++) {
      records.push({
        stream: columns.streams[columns.streamCodes[row]!],
        sequence: columns.sequence(row),
        record: comparable(columns.record(row)),
      })
    }
  }
  return records
}

/** What the large samples have in common, of whatever format. */
const fourBlocks = {
  recordCount: 1_066,
  blocks: [
    { stream: checkout, recordCount: 800, minSequence: 1, maxSequence: 800, skip: { block: 0 } },
    { stream: checkout, recordCount: 60, minTimestamp: noon + 400_000, skip: { block: 1 } },
    { stream: checkout, recordCount: 200, maxSequence: 1_060, skip: { block: 2 } },
    { stream: search, recordCount: 6, minSequence: 1_061, skip: { block: 0 } },
  ],
  runs: [{ blockCount: 3 }, { blockCount: 1 }],
}

/** What stands in the footer of each sample of a segment, its runs by the number of their blocks. */
const segments = [
  {
    name: 'v1.seg',
    format: 1,
    recordCount: 806,
    blocks: [
      {
        stream: checkout,
        recordCount: 800,
        minTimestamp: noon,
        maxTimestamp: noon + 266 * 997,
        minSequence: 1,
        maxSequence: 800,
        levelCounts: [
          ['info', 400],
          ['warn', 200],
          ['error', 200],
        ],
        skip: undefined,
      },
      { stream: search, recordCount: 6, skip: undefined },
    ],
    runs: [],
  },
  { name: 'v2.seg', format: 2, ...fourBlocks },
  {
    name: 'v2-values.seg',
    format: 2,
    recordCount: 206,
    blocks: [
      { stream: checkout, recordCount: 200, minSequence: 1, maxSequence: 200, skip: { block: 0 } },
      { stream: search, recordCount: 6, minSequence: 201, skip: { block: 0 } },
    ],
    runs: [{ blockCount: 1 }, { blockCount: 1 }],
  },
  // Skip indexes tell of kinds of messages in the second, of digits, too, in the third, of times in the last.
  ...['v3.seg', 'v3-patterns.seg', 'v3-digits.seg', 'v3-times.seg'].map(name => ({
    name,
    format: 3,
    ...fourBlocks,
  })),
]

/** Texts that are in all messages of a kind, in some, in a variable only, in none; and attributes. */
const questions = [
  selecting([{ operator: '|=', text: ' paid in ' }]),
  selecting([{ operator: '|=', text: 'session' }]),
  selecting([{ operator: '|=', text: 'user-17 ' }]),
  selecting([{ operator: '!=', text: 'order' }]),
  selecting([{ operator: '|=', text: 'kubelet' }]),
  selecting([{ operator: '|=', text: 'r-17 op' }]),
  selecting([{ operator: '|=', text: 'in 99' }]),
  selecting([], [{ label: 'release', operator: '=', value: 'v2' }]),
  selecting([], [{ label: 'retry', operator: '!=', value: '1' }]),
  selecting([], [{ label: 'seconds', operator: '=', value: '-1.969' }]),
  selecting([], [{ label: 'seconds', operator: '=~', value: '1\\d\\.5.*' }]),
  selecting([], [{ label: 'path', operator: '=~', value: '.*/(cart|pay)' }]),
]

function selecting(filters: Selector['filters'], matchers: Selector['matchers'] = []): Selector {
  return { kind: 'selector', matchers, filters }
}

for (const { name, format, recordCount, ...expectedFooter } of segments) {
  t.test(`${name}, a segment of format ${format}, is read`, async t => {
    const path = sample(name)
    t.equal(describeSegment(path).format, format)
    t.same(verifySegment(path), [])
    t.same(verifyContents(path), [])
    t.match(readFooter(path), {
      number: 42,
      createdAt: noon + 60_000,
      replaces: { journals: [12, 13], segments: [40] },
      group: [42, 43],
      ...expectedFooter,
    })
    const faults: never[] = []
    const expected = expectedOf(recordsOfSample(name))
    t.equal(expected.length, recordCount)
    t.same(recordsOf(blocksOfSegment(path, faults)), expected)
    t.same(faults, [])
  })

  t.test(`queries of ${name}, a segment of format ${format}, are answered`, async t => {
    const path = sample(name)
    const records = recordsOfSample(name)
    const reader = new SourceReader(1_000_000)
    const sources = readFooter(path).blocks.map(({ directory, blockBytes: bytes, skip }, i) => {
      const source = { kind: 'block', segment: 42, directory, bytes, skip } as const
      return { number: i, path, source, isCounted: false }
    })
    let told = 0
    for (const selector of questions) {
      for (const limit of [0, 3]) {
        const query = { selector, ...allTimes, limit, order: 'asc', after: undefined } as const
        const task = { sources, rebuildsRecords: true, bound: undefined, turn }
        const result = scanSources({ query: { ...query, collector: undefined }, ...task }, reader)
        const matching = records
          .filter(record => matchesPlainly(selector, record, record.stream))
          .sort((a, b) => a.timestamp - b.timestamp)
        t.equal(result.count, matching.length)
        const messages = result.records?.map(record => record?.message) ?? []
        t.same(
          messages,
          matching.slice(0, limit).map(({ message }) => message),
        )
      }
      const predicate = new Predicate(selector)
      told += sources.filter(source => reader.skip(source, predicate) !== undefined).length
    }
    reader.trim()
    t.equal(told > 0, format > 1, 'skip indexes tell of blocks')
  })
}

t.test('a journal file of format 1 is read', async t => {
  const faults: never[] = []
  const expected = expectedOf(journalLists.flat())
  t.equal(expected.length, 29)
  t.same(recordsOf(batchesOfJournal(sample('v1.journal.log'), faults)), expected)
  t.same(faults, [])
})

t.test('keys in a journal file of format 1 are read, and its records without them', async t => {
  const path = sample('v1-receipts.journal.log')
  const faults: never[] = []
  const records = recordsOf(batchesOfJournal(path, faults)) as { record: { message: string } }[]
  t.same(
    records.map(({ record }) => record.message),
    ['one', 'two', 'three', 'four'],
  )
  t.same(faults, [])
  const receipts = new Receipts({ countMax: 100, ageMsMax: 1_000, now: () => noon })
  recoverFile(path, 1, 0, ({ payload }) => receipts.note(receiptsOfBatch(payload)!))
  rememberedIn(t, receipts)
})

t.test('a file of receipts of format 1 is read', async t => {
  const read = readReceiptFile(sample('v1.receipts'), realDisk)
  if ('fault' in read) return t.fail(read.fault)
  t.match(read, { journal: 1, count: 3, newestTime: noon })
  const receipts = new Receipts({ countMax: 100, ageMsMax: 1_000, now: () => noon })
  for (const frame of read.frames) receipts.note(frame)
  rememberedIn(t, receipts)
})

/** The three keys of the samples, by what their senders sent. */
function rememberedIn(t: Test, receipts: Receipts): void {
  const find = (text: string, about: string, body: string) => {
    const retry = { kind: 'idempotency-key', text } as const
    return receipts.find(receiptKeyOf(retry, token, digestNow(about, Buffer.from(body))))
  }
  const token = { id: 'token-1' }
  t.match(find('key-1', 'event undefined', '{"message":"one"}'), { state: 'stored', accepted: 1 })
  t.match(find('key-1', 'event undefined', '{"message":"other"}'), { state: 'other' })
  const half = '{"message":"two"}\n{"message":\n{"message":"three"}'
  const known = find('key-2', 'events undefined', half)
  t.match(known, { state: 'stored', accepted: 2, answer: /"rejected":1/ })
  t.equal(receipts.count, 3)
}
