import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type Aggregate, everyRecord } from '../../../src/language/ast.ts'
import { SeriesCollector } from '../../../src/query/series/series-collector.ts'
import type { SeriesRequest, SeriesResult, Store } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { isLong, longRuns, share } from '../../long-runs.ts'
import { arbitrarySelector, matchesPlainly } from '../../query/plain.ts'
import {
  arbitraryAsked,
  arbitraryBuckets,
  arbitraryStored,
  asked,
  comparable,
  type PlainSeries,
  type Stored,
  seriesPlainly,
} from '../../query/series/plain.ts'
import { appendTogether, openFilledStore, sampleOf } from '../random-store.ts'
import { neverAborted, openStoreOf } from '../store-in.ts'

const seriesSeen = ({ series }: SeriesResult, by: readonly string[]): PlainSeries[] =>
  series.map(({ labels, points }) => [by.map(label => labels[label]!), points])

t.test('every series is what a plain look at all records gives', async t => {
  const rows = sampleOf(arbitraryStored, 900, 7)
  const store = await openFilledStore(t, rows, 600, 50)

  const selector = fc.oneof({ weight: 3, arbitrary: fc.constant(everyRecord) }, arbitrarySelector)
  const offset = fc.constantFrom(0, 0, 100, -250)
  let pointCount = 0
  let skippedCount = 0
  let fromIndex = 0
  await forAllAsync(
    longRuns(400),
    arbitraryAsked,
    selector,
    arbitraryBuckets,
    offset,
    async (ask, selector, buckets, offsetMs) => {
      const aggregate: Aggregate = { kind: 'aggregate', ...ask, selector, offsetMs }
      const answer = await store.series({ aggregate, ...buckets }, neverAborted)
      const matching = rows.filter(({ record, stream }) => matchesPlainly(selector, record, stream))
      const expected = seriesPlainly(matching, ask, {
        ...buckets,
        origin: buckets.origin - offsetMs,
      })
      assert.deepEqual(comparable(seriesSeen(answer, ask.by)), comparable(expected.series))
      assert.equal(answer.skipped, expected.skipped)
      pointCount += expected.series.length
      skippedCount += expected.skipped
      fromIndex += answer.stats.sourcesFromIndex > 0 ? 1 : 0
    },
  )
  await forAllAsync(
    longRuns(100),
    arbitraryAsked,
    selector,
    arbitraryBuckets,
    fc.integer({ min: 1, max: 400 }),
    async (ask, selector, buckets, windowMs) => {
      const aggregate: Aggregate = { kind: 'aggregate', ...ask, selector, offsetMs: 0 }
      const answer = await store.series({ aggregate, ...buckets, windowMs }, neverAborted)
      for (let i = 0; i < buckets.pointCount; i++) {
        const origin = buckets.origin + (i + 1) * buckets.stepMs - windowMs
        const one = { aggregate, origin, stepMs: windowMs, pointCount: 1 }
        const alone = seriesSeen(await store.series(one, neverAborted), ask.by)
        const there = seriesSeen(answer, ask.by)
          .map(([labels, points]): PlainSeries => [labels, [points[i]]])
          .filter(([, [point]]) => point !== undefined)
        assert.deepEqual(comparable(there), comparable(alone))
      }
    },
  )
  t.ok(pointCount > share(1_000), `${pointCount} series were compared`)
  t.ok(skippedCount > share(1_000), `${skippedCount} values were skipped`)
  t.ok(fromIndex > 0 || !isLong, `${fromIndex} answers used the index`)
})

const stream = { service: 'a', environment: 'b' }
const append = (store: Store, timestamp: number, attributes: string[] = []) =>
  store.append({ timestamp, level: 'info', message: 'm', attributes }, stream)

const request = (ask: Partial<SeriesRequest> & Pick<Aggregate, 'operation'>): SeriesRequest => {
  const { operation, origin = 0, stepMs = 100, pointCount = 2, ...rest } = ask
  const aggregate = {
    ...asked({ operation }),
    kind: 'aggregate',
    selector: everyRecord,
    offsetMs: 0,
  } as const
  return { aggregate: { ...aggregate, ...rest.aggregate }, origin, stepMs, pointCount }
}

t.test('what scan threads have sent is given back when the answer is made', async t => {
  const store = await openStoreOf(t, t.testdir())
  await append(store, 100)
  const { release } = SeriesCollector.prototype
  t.teardown(() => Object.assign(SeriesCollector.prototype, { release }))
  let releases = 0
  Object.assign(SeriesCollector.prototype, {
    release(this: SeriesCollector) {
      releases++
      release.call(this)
    },
  })
  await store.series(request({ operation: 'count' }), neverAborted)
  t.equal(releases, 1)
})

t.test('sealed records that share a bucket are counted from the index alone', async t => {
  const store = await openStoreOf(t, t.testdir())
  for (let i = 0; i < 20; i++) await append(store, 100 + i)
  await store.settle()
  const inOne = await store.series(request({ operation: 'count' }), neverAborted)
  t.same(
    inOne.series.map(({ points }) => points),
    [[0, 20]],
  )
  t.match(inOne.stats, { blocksScanned: 0, sourcesFromIndex: 1 })

  const asRate = await store.series(request({ operation: 'rate' }), neverAborted)
  t.same(asRate.series[0]?.points, [0, 200], 'records per second')

  const inTwo = await store.series(request({ operation: 'count', origin: 10 }), neverAborted)
  t.same(inTwo.series[0]?.points, [10, 10])
  t.match(inTwo.stats, { blocksScanned: 1, sourcesFromIndex: 0 })
})

t.test('too many series and too many points are refused', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = Array.from({ length: 10_001 }, (_, i): Stored => {
    const record = { timestamp: 1, level: 'info', message: 'm', attributes: ['id', `id ${i}`] }
    return { record, stream }
  })
  await appendTogether(store, rows)
  const refused = { code: 'query_too_large' }
  const byId = { ...asked({ operation: 'count', by: ['id'] }) } as Aggregate
  for (const state of ['in the journal', 'in segments']) {
    const manySeries = { ...request({ operation: 'count' }), pointCount: 1 }
    const grouped = { ...manySeries, aggregate: { ...manySeries.aggregate, ...byId } }
    await t.rejects(store.series(grouped, neverAborted), refused, state)
    const counted = await store.series(manySeries, neverAborted)
    t.same(counted.series[0]?.points, [10_001])
    await store.settle()
  }
  const manyPoints = request({ operation: 'count', pointCount: 5_000_001 })
  await t.rejects(store.series(manyPoints, neverAborted), refused)
})

t.test('an aborted series throws the reason', async t => {
  const store = await openStoreOf(t, t.testdir())
  await append(store, 1)
  const reason = new Error('the client went away')
  const aborted = AbortSignal.abort(reason)
  await t.rejects(store.series(request({ operation: 'count', stepMs: 1 }), aborted), reason)
})
