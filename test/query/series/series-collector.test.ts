import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { RecordColumns } from '../../../src/columns/record-columns.ts'
import { SeriesCollector } from '../../../src/query/series/series-collector.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { sealedBlocks } from '../../segment/sealed.ts'
import { batchOf } from './batches.ts'
import {
  type Asked,
  arbitraryAsked,
  arbitraryBuckets,
  arbitraryStored,
  asked,
  type Buckets,
  comparable,
  type Stored,
  seriesPlainly,
} from './plain.ts'

function inRange(columns: RecordColumns, { origin, stepMs, pointCount }: Buckets): Uint8Array {
  return Uint8Array.from({ length: columns.recordCount }, (_, row) => {
    const time = columns.timestamp(row)
    return time >= origin && time < origin + stepMs * pointCount ? 1 : 0
  })
}

const newCollector = (ask: Asked, buckets: Buckets) =>
  new SeriesCollector({ kind: 'series', ...ask, ...buckets })

function seriesOf(collector: SeriesCollector): unknown[] {
  const { by } = collector.request
  return comparable(
    collector.toSeries().map(({ labels, points }) => [by.map(label => labels[label]!), points]),
  )
}

/** Parts of the rows, each part for one of a few threads. */
const arbitraryParts = fc.array(
  fc.tuple(fc.nat(2), fc.array(arbitraryStored, { minLength: 1, maxLength: 40 })),
  { minLength: 1, maxLength: 8 },
)

t.test('collectors of any parts, added up in any order, are the collector of all', async t => {
  let seriesCount = 0
  forAll(
    longRuns(1_000),
    arbitraryAsked,
    arbitraryBuckets,
    arbitraryParts,
    (ask, buckets, parts) => {
      const threads = [0, 1, 2].map(() => newCollector(ask, buckets))
      for (const [thread, rows] of parts) {
        const columns = batchOf(rows)
        const selected = inRange(columns, buckets)
        if (selected.includes(1)) threads[thread]!.add(columns, selected)
      }
      const rows = parts.flatMap(([, part]) => part)
      const expected = seriesPlainly(rows, ask, buckets)
      for (const order of [threads, threads.toReversed()]) {
        const merged = newCollector(ask, buckets)
        for (const collector of order) merged.addPlain(structuredClone(collector.toPlain()))
        assert.deepEqual(seriesOf(merged), comparable(expected.series))
        assert.equal(merged.skippedCount, expected.skipped)
      }
      seriesCount += expected.series.length
    },
  )
  t.ok(seriesCount > share(1_000), `${seriesCount} series were compared`)
})

t.test('sealed records give what records in the journal give', async t => {
  const stream = { service: 'api', environment: 'prod' }
  const rows = fc.sample(arbitraryStored, { numRuns: 3_000, seed: 3 })
  const records = rows.map(({ record }) => ({ ...record, stream }))
  records.sort((a, b) => a.timestamp - b.timestamp)
  const lists = [records.slice(0, 2_900), records.slice(2_900, 2_901), records.slice(2_901)]
  const { columns: blocks } = sealedBlocks(t.testdir(), lists)
  const stored = records.map(record => ({ record, stream }))
  forAll(longRuns(150), arbitraryAsked, arbitraryBuckets, (ask, buckets) => {
    const collector = newCollector(ask, buckets)
    for (const block of blocks) {
      const selected = inRange(block, buckets)
      if (selected.includes(1)) collector.add(block, selected)
    }
    const expected = seriesPlainly(stored, ask, buckets)
    assert.deepEqual(seriesOf(collector), comparable(expected.series))
    assert.equal(collector.skippedCount, expected.skipped)
  })
})

const point = (operation: Asked['operation'], texts: readonly string[], quantile?: number) => {
  const rows = texts.map((text): Stored => {
    const record = { timestamp: 0, level: 'info', message: '', attributes: ['a', text] }
    return { record, stream: { service: 's', environment: 'e' } }
  })
  const buckets = { origin: 0, stepMs: 1_000, pointCount: 1 }
  const collector = newCollector(
    asked({ operation, unwrap: 'a', ...(quantile !== undefined && { quantile }) }),
    buckets,
  )
  const columns = batchOf(rows)
  collector.add(columns, inRange(columns, buckets))
  const merged = new SeriesCollector(collector.request)
  merged.addPlain(collector.toPlain())
  return merged.toSeries()[0]?.points[0]
}

t.test('quantiles are those of PromQL', async t => {
  const gives = (quantile: number, texts: readonly string[], expected: number) =>
    t.equal(point('quantile', texts, quantile), expected, `${quantile} of ${texts.join(' ')}`)

  gives(0.5, ['7'], 7)
  gives(0.5, ['1', '2'], 1.5)
  gives(0.5, ['3', '1', '2'], 2)
  gives(0.9, ['0', '10'], 9)
  gives(0, ['5', '-1', '3'], -1)
  gives(1, ['5', '-1', '3'], 5)
  gives(0.25, ['1', '1', '1', '9'], 1)
  gives(0.75, ['1', '1', '1', '9'], 3)
  gives(0.75, ['0', '1', '1.0', '1e0', '9'], 1)
})

t.test('sums lose nothing, whatever the order', async t => {
  t.equal(point('sum', ['1e16', '1', '-1e16']), 1)
  t.equal(point('sum', ['0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1']), 1)
  t.equal(point('sum', ['1e308', '1e308', '-1e308']), 1e308)
  t.equal(point('avg', ['1e308', '1e308', '-1e308', '-1e308']), 0)
})

t.test('no numbers have no result', async t => {
  for (const operation of ['sum', 'avg', 'min', 'max'] as const) {
    t.equal(point(operation, ['x', 'Infinity', '']), undefined, operation)
  }
  t.equal(point('quantile', ['x'], 0.5), undefined)
  t.equal(point('count_distinct', ['', '']), 0)
})

t.test('many labels of many values are told apart', async t => {
  const rows = Array.from({ length: 300 }, (_, i): Stored => {
    const attributes = ['a', `${i}`, 'b', `${i % 150}`, 'c', `${(i * 7) % 299}`]
    const record = { timestamp: i % 10, level: 'info', message: 'm', attributes }
    return { record, stream: { service: 's', environment: 'e' } }
  })
  const ask = asked({ operation: 'count', by: ['b', 'a', 'log_level', 'c'] })
  const buckets = { origin: 0, stepMs: 1, pointCount: 10 }
  const collector = newCollector(ask, buckets)
  const columns = batchOf([...rows, ...rows.slice(100)])
  collector.add(columns, inRange(columns, buckets))
  const expected = seriesPlainly([...rows, ...rows.slice(100)], ask, buckets)
  t.equal(expected.series.length, 300)
  t.same(seriesOf(collector), comparable(expected.series))
})

t.test('what would take too much memory is refused', async t => {
  const buckets = { origin: 0, stepMs: 1, pointCount: 1 }
  const cells = { groups: [[]], groupOf: Uint32Array.of(0, 0), bucketOf: Uint32Array.of(0, 0) }
  const skippedCount = 0

  const isRefused = (ask: Asked, states: (count: number) => object, max: number) => {
    const collector = newCollector(ask, buckets)
    collector.addPlain({ cells, states: states(max) })
    t.equal(collector.refusal, undefined, `${ask.operation} holds ${max}`)
    collector.addPlain({ cells, states: states(max) })
    t.equal(collector.refusal, undefined, 'the same again takes no more')
    collector.addPlain({ cells, states: states(max + 1) })
    t.type(collector.refusal, 'string', `${ask.operation} does not hold ${max + 1}`)
  }
  const numbers = (count: number) => ({
    values: Float64Array.from({ length: count }, (_, i) => i),
    counts: new Uint32Array(count).fill(1),
    starts: Uint32Array.of(0, 0, count),
    tables: [],
    skippedCount,
  })
  const texts = (count: number) => ({
    texts: Array.from({ length: count }, (_, i) => `${i}`),
    numbers: Uint32Array.from({ length: count }, (_, i) => i),
    starts: Uint32Array.of(0, 0, count),
    hasRecords: Uint8Array.of(0, 1),
  })
  isRefused(asked({ operation: 'quantile', unwrap: 'a', quantile: 1 }), numbers, 4_000_000)
  isRefused(asked({ operation: 'count_distinct', unwrap: 'a' }), texts, 250_000)
})
