import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import type { HistogramBucket, HistogramRequest, Store } from '../../src/store/store.ts'
import { forAllAsync } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitraryGrouping } from '../query/plain.ts'
import { matchingRows, openRandomStore, rangesFrom, type Stored } from './random-store.ts'
import { neverAborted, openStoreOf } from './store-in.ts'

/** Around 1970, in clusters, so that some blocks lie in one bucket and some in many. */
const timestamp = fc.oneof(
  fc.integer({ min: -3_000, max: 3_000 }),
  fc.integer({ min: -12, max: 12 }),
  fc.integer({ min: 2_000, max: 2_005 }),
)

const arbitraryRange = rangesFrom(-3_100, 3_000, fc.nat(6_000))

/** What the histogram must be, worked out in the plainest way. */
function bucketsPlainly(rows: readonly Stored[], request: HistogramRequest): HistogramBucket[] {
  const { startTime, endTime, bucketMs } = request
  const startOf = (time: number) => time - (((time % bucketMs) + bucketMs) % bucketMs)
  const byStart = Map.groupBy(matchingRows(rows, request), ({ record }) =>
    startOf(record.timestamp),
  )
  const buckets: HistogramBucket[] = []
  for (let start = startOf(startTime); start <= endTime; start += bucketMs) {
    const within = byStart.get(start) ?? []
    const levels: Record<string, number> = {}
    for (const { record } of within) levels[record.level] = (levels[record.level] ?? 0) + 1
    buckets.push({ start, count: within.length, levels })
  }
  return buckets
}

t.test('every histogram is what a plain count over all records gives', async t => {
  const { store, rows } = await openRandomStore(t, timestamp)
  let matched = 0
  await forAllAsync(
    longRuns(250),
    arbitraryGrouping,
    arbitraryRange,
    fc.integer({ min: 1, max: 1_000 }),
    async ({ selector }, range, bucketMs) => {
      const request = { selector, ...range, bucketMs }
      const answer = await store.histogram(request, neverAborted)
      assert.equal(answer.bucketMs, bucketMs)
      const expected = bucketsPlainly(rows, request)
      assert.deepEqual(answer.buckets.map(withoutZeroSigns), expected.map(withoutZeroSigns))
      matched += expected.some(({ count }) => count > 0) ? 1 : 0
    },
  )
  t.ok(matched > share(60), `${matched} histograms counted something`)
})

t.test('a bucket in which a source lies whole is filled from the index', async t => {
  const { store, rows } = await openRandomStore(t, timestamp)
  const times = rows.map(({ record }) => record.timestamp)
  const request = {
    selector: { kind: 'selector', matchers: [], filters: [] } as const,
    ...{ startTime: Math.min(...times), endTime: Math.max(...times) },
    bucketMs: 1_000_000,
  }
  const { buckets, stats } = await store.histogram(request, neverAborted)
  t.same(buckets.map(withoutZeroSigns), bucketsPlainly(rows, request).map(withoutZeroSigns))
  t.ok(stats.sourcesFromIndex > 0, `${stats.sourcesFromIndex} sources`)
})

/** Zero is zero: JSON knows no other. */
function withoutZeroSigns({ start, count, levels }: HistogramBucket): HistogramBucket {
  return { start: start + 0, count, levels }
}

const stream = { service: 'a', environment: 'b' }
const append = (store: Store, timestamp: number, level: string) =>
  store.append({ timestamp, level, message: 'm', attributes: [] }, stream)

t.test('sealed records that share a bucket are counted from the index alone', async t => {
  const store = await openStoreOf(t, t.testdir())
  for (let i = 0; i < 20; i++) await append(store, 1_000 + i, i % 4 ? 'info' : 'error')
  await store.settle()
  const ask = (startTime: number, endTime: number, bucketMs: number) =>
    store.histogram({ selector: everyRecord, startTime, endTime, bucketMs }, neverAborted)

  const inOne = await ask(900, 1_099, 100)
  t.same(inOne.buckets, [
    { start: 900, count: 0, levels: {} },
    { start: 1_000, count: 20, levels: { error: 5, info: 15 } },
  ])
  t.match(inOne.stats, { blocksScanned: 0, recordsScanned: 0, sourcesFromIndex: 1 })

  const inTwo = await ask(1_000, 1_019, 10)
  t.same(
    inTwo.buckets.map(({ count }) => count),
    [10, 10],
  )
  t.match(inTwo.stats, { blocksScanned: 1, sourcesFromIndex: 0 })

  const cut = await ask(1_005, 1_012, 100)
  t.same(cut.buckets, [{ start: 1_000, count: 8, levels: { error: 2, info: 6 } }])
})

t.test('the earliest and the latest time that there is have their buckets', async t => {
  const store = await openStoreOf(t, t.testdir())
  const last = 8.64e15
  for (const timestamp of [-last, -1, 0, last]) await append(store, timestamp, 'info')
  const bucketMs = 2 * 86_400_000 * 50_000
  const range = { startTime: -last, endTime: last }
  for (const state of ['in the journal', 'in segments']) {
    const { buckets } = await store.histogram(
      { selector: everyRecord, ...range, bucketMs },
      neverAborted,
    )
    t.same(
      buckets.filter(({ count }) => count > 0).map(({ start }) => start),
      [-last, -bucketMs, 0, last],
      state,
    )
    await store.settle()
  }
})

t.test('an aborted histogram throws the reason', async t => {
  const store = await openStoreOf(t, t.testdir())
  await append(store, 1, 'info')
  const request = { selector: everyRecord, startTime: 0, endTime: 9, bucketMs: 1 }
  const reason = new Error('the client went away')
  await t.rejects(store.histogram(request, AbortSignal.abort(reason)), reason)
})
