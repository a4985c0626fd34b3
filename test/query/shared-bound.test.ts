/** What scan threads learn of each other while they look for the first records. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { ScanQuery, ScanSource } from '../../src/query/scan-task.ts'
import { newSharedBound, SharedBound } from '../../src/query/shared-bound.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import { type PlaceOrder, TopK } from '../../src/query/top-k.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { arbitrarySelector, object } from './plain.ts'
import { makeSources } from './sources.ts'

const turn = {
  turnMs: Number.POSITIVE_INFINITY,
  longMs: Number.POSITIVE_INFINITY,
  cancelled: new Int32Array(1),
}

function scan(
  sources: readonly ScanSource[],
  query: ScanQuery,
  reader: SourceReader,
  sharedBound?: BigInt64Array,
) {
  const task = { query, sources, bound: undefined, sharedBound, rebuildsRecords: true, turn }
  return scanSources(task, reader)
}

t.test('threads that share what they have found find the same', async t => {
  const { sources } = makeSources(t.testdir())
  const reader = new SourceReader(1e9)
  const asked = object({
    limit: fc.integer({ min: 1, max: 12 }),
    order: fc.constantFrom<PlaceOrder>('asc', 'desc', 'latest'),
    startTime: fc.integer({ min: -1, max: 40 }),
    endTime: fc.integer({ min: 10, max: 61 }),
    after: fc.option(object({ timestamp: fc.nat(60), sequence: fc.nat(300) }), { nil: undefined }),
  })
  const inAnyOrder = fc.shuffledSubarray([...sources.keys()], { minLength: sources.length })
  // Most selectors of chance have fewer records than are wanted, and then nothing is shared.
  const selectors = fc.oneof(fc.constant(everyRecord), arbitrarySelector)
  forAll(longRuns(600), selectors, asked, inAnyOrder, (selector, query, order) => {
    const whole: ScanQuery = { ...query, selector, collector: undefined }
    const plain = scan(sources, whole, reader)
    const shared = newSharedBound()
    const first = new TopK(query.limit, query.order)
    let count = 0
    for (const number of order) {
      const found = scan([sources[number]!], whole, reader, shared)
      count += found.count
      for (const candidate of found.candidates) first.offer(candidate)
      assert.equal(found.records?.length, found.candidates.length)
    }
    assert.equal(count, plain.count)
    assert.deepEqual(first.toArray(), plain.candidates)
  })
})

t.test('a block behind what another thread has found stays closed', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources
    .filter(({ source }) => source.kind === 'block')
    .map(source => ({ ...source, isCounted: true }))
  for (const [order, nearest] of [
    ['asc', 0],
    ['desc', 60],
  ] as const) {
    const times = { startTime: 0, endTime: 60, after: undefined }
    const query = { selector: everyRecord, limit: 1, order, collector: undefined, ...times }
    const opened = (time: number) => {
      const shared = newSharedBound()
      new SharedBound(shared, order).note(time)
      return scan(blocks, query, new SourceReader(1e9), shared).stats.blocks
    }
    const behind = order === 'asc' ? -1 : 61
    t.ok(opened(nearest) > 0, 'a record of the same time may have arrived before')
    t.equal(opened(behind), 0)
  }
})

t.test('records that turn out to be behind what others have found are not made', async t => {
  const { sources } = makeSources(t.testdir())
  const times = { startTime: 0, endTime: 60, after: undefined }
  const query = { selector: everyRecord, order: 'asc', collector: undefined, ...times } as const
  const memory = newSharedBound()
  /** Another thread finds as much as is wanted when the last source has been taken. */
  const noting = new (class extends SourceReader {
    override taken(source: ScanSource): void {
      super.taken(source)
      if (source === sources.at(-1)) new SharedBound(memory, 'asc').note(2)
    }
  })(1e9)
  const lastOf = (found: ReturnType<typeof scan>) => {
    t.equal(found.records?.length, found.candidates.length)
    return found.candidates.at(-1)?.timestamp
  }
  const whole: ScanQuery = { ...query, limit: 100 }
  t.ok(lastOf(scan(sources, whole, new SourceReader(1e9)))! > 2)
  t.equal(lastOf(scan(sources, whole, noting, memory)), 2)
})

t.test('the nearest of the times that are noted is known', async t => {
  for (const [order, times, nearest] of [
    ['asc', [5, -3, 9], -3],
    ['desc', [5, 12, -9], 12],
  ] as const) {
    const memory = newSharedBound()
    const mine = new SharedBound(memory, order)
    t.equal(mine.time, undefined)
    for (const time of times) new SharedBound(memory, order).note(time)
    t.equal(mine.time, nearest)
  }
})
