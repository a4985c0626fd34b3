import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import { parseSingle } from '../../src/language/grammar.ts'
import type { ExecuteResult } from '../../src/query/execute.ts'
import { FirstRecords } from '../../src/query/first-records.ts'
import type { Plan } from '../../src/query/plan.ts'
import type { FoundRecord } from '../../src/query/rebuild.ts'
import { noStats, type ScanQuery } from '../../src/query/scan-task.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { appendParts, appendTogether, rangesFrom, type Stored } from '../store/random-store.ts'
import { neverAborted, openStoreOf } from '../store/store-in.ts'
import { matchesPlainly } from './plain.ts'

const levels = ['info', 'warn', 'error']
const services = ['a', 'b', 'c']

/** Few different times, so that the order of arrival matters; each message is there once. */
function storedFrom(first: number, count: number): Stored[] {
  return Array.from({ length: count }, (_, i) => {
    const n = first + i
    const timestamp = 1_000 + ((n * 7_919) % 61)
    const level = levels[((n * 31) % 7) % 3]!
    const record = { timestamp, level, message: `message ${n}`, attributes: ['n', `${n % 5}`] }
    const service = services[((n * 17) % 5) % 3]!
    return { record, stream: { service, environment: n % 2 === 0 ? 'live' : 'test' } }
  })
}

const selectors = [
  ...['logs', 'logs{log_level="error"}', 'logs{log_level="warn"}', 'logs{log_level!="error"}'],
  ...[
    'logs{service.name="a"}',
    'logs{service.name="b", log_level="error"}',
    'logs{environment="test"}',
  ],
  ...[
    'logs{service.name="a"} or logs{log_level="info"}',
    'logs{service.name=~"a|c", log_level=~"w.*"}',
  ],
  ...['logs{n="3"}', 'logs |= "message 1"', 'logs{log_level="none"}'],
].map(text => parseSingle(text).selector)

const inOrder = (order: 'asc' | 'desc') =>
  [
    [false, order],
    [true, order],
  ] as const

t.test('first records that are kept are those that are found', async t => {
  const store = await openStoreOf(t, t.testdir(), {
    flags: ['--journal-file-bytes', '4KiB'],
    scanThreads: 2,
  })
  const rows = storedFrom(0, 300)
  await appendParts(store, rows, 40)
  await store.settle()
  let asked = 0
  let known = 0
  const wholeRange = fc.constant({ startTime: 0, endTime: 9_999 })
  await forAllAsync(
    longRuns(300),
    fc.constantFrom(...selectors),
    fc.oneof(wholeRange, rangesFrom(990, 1_030, fc.integer({ min: 20, max: 80 }))),
    fc.constantFrom(1, 2, 7, 120),
    async (selector, range, limit) => {
      // What is stored meanwhile is sealed into other blocks, and compacted with what was there.
      if (++asked % 25 === 0) {
        const more = storedFrom(rows.length, 20)
        rows.push(...more)
        await appendTogether(store, more)
        if (asked % 50 === 0) await store.settle()
      }
      const matching = rows
        .filter(
          ({ record, stream }) =>
            range.startTime <= record.timestamp &&
            record.timestamp <= range.endTime &&
            matchesPlainly(selector, record, stream),
        )
        .sort((a, b) => a.record.timestamp - b.record.timestamp)
      for (const [again, order] of [...inOrder('asc'), ...inOrder('desc')]) {
        if (order === 'desc' && !again) matching.reverse()
        const expected = matching.slice(0, limit).map(({ record }) => record.message)
        const request = { selector, ...range, limit, order, cursor: undefined }
        const { count, records, nextCursor, stats } = await store.select(request, neverAborted)
        assert.equal(count, matching.length)
        assert.deepEqual(
          records.map(({ message }) => message),
          expected,
        )
        assert.equal(nextCursor !== undefined, matching.length > limit)
        const isUnread = stats.blocksScanned + stats.framesScanned === 0
        if (again && isUnread && records.length > 0) known++
        if (nextCursor === undefined || !again) continue
        const next = await store.select({ ...request, cursor: nextCursor }, neverAborted)
        assert.deepEqual(
          next.records.map(({ message }) => message),
          matching.slice(limit, 2 * limit).map(({ record }) => record.message),
        )
      }
    },
  )
  t.ok(known > share(50), `${known} answers needed no block`)
})

/** A plan whose records, of which there are so many, may be in these blocks of a segment. */
function planOf(count: number, blocks: readonly number[]): Plan {
  const searched = blocks.map(offset => {
    const directory = { offset, bytes: 1, crc: 1 }
    const source = { kind: 'block', segment: 3, directory, bytes: 9, skip: undefined } as const
    return { source, minTimestamp: 0, maxTimestamp: 9 }
  })
  return { count, scanned: [], searched, siftedCount: 0, stats: {} as Plan['stats'] }
}

function recordOf(message: string): FoundRecord {
  const stream = { service: 'a', environment: 'live' }
  return { timestamp: 5, level: 'info', message, attributes: [], stream, sequence: 1 }
}

const asked: ScanQuery = {
  ...{ selector: everyRecord, startTime: 0, endTime: 9, limit: 1, order: 'asc' },
  ...{ after: undefined, collector: undefined },
}

function resultWith(records: FoundRecord[]): ExecuteResult {
  return { count: 2, records, hasMore: true, stats: noStats(), damaged: [] }
}

t.test('what else decides is asked for anew', async t => {
  const first = new FirstRecords()
  first.keep(planOf(2, [7]), asked, resultWith([recordOf('one')]))
  t.match(first.resultOf(planOf(2, [7]), asked), {
    count: 2,
    hasMore: true,
    records: [{ message: 'one' }],
  })
  t.match(first.resultOf(planOf(1, [7]), asked), { count: 1, hasMore: false })
  t.equal(first.resultOf(planOf(2, [7]), { ...asked, order: 'desc' }), undefined)
  t.equal(first.resultOf(planOf(2, [7]), { ...asked, limit: 2 }), undefined)
  t.equal(first.resultOf(planOf(2, [7]), { ...asked, isExplained: true }), undefined)
  t.equal(first.resultOf(planOf(2, [7]), { ...asked, arrived: { after: 1, before: 9 } }), undefined)
  t.equal(first.resultOf(planOf(2, [7, 8]), asked), undefined)
})

t.test('what is damaged is not kept, nor what is long; the oldest goes first', async t => {
  const first = new FirstRecords()
  const damage = { source: planOf(2, [7]).searched[0]!.source, reason: 'crc' }
  first.keep(planOf(2, [7]), asked, { ...resultWith([recordOf('one')]), damaged: [damage] })
  first.keep(planOf(2, [7]), asked, resultWith([])) // A frame was damaged.
  first.keep(planOf(2, [7]), asked, resultWith([recordOf('x'.repeat(70_000))]))
  t.equal(first.resultOf(planOf(2, [7]), asked), undefined)
  for (let block = 0; block < 20; block++) {
    first.keep(planOf(2, [block]), asked, resultWith([recordOf('x'.repeat(60_000))]))
    t.ok(first.resultOf(planOf(2, [0]), asked), 'what is asked for again and again stays')
  }
  t.equal(first.resultOf(planOf(2, [1]), asked), undefined)
  t.ok(first.resultOf(planOf(2, [19]), asked))
})
