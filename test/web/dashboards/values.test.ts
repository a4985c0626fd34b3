import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  chartBuckets,
  drawn,
  seriesName,
  statBuckets,
} from '../../../src/web/dashboards/model/buckets.ts'
import { reduced, reductionOf } from '../../../src/web/dashboards/model/reduce.ts'
import { reached, readThresholds, toneOf } from '../../../src/web/dashboards/model/thresholds.ts'

const range = fc
  .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 1e11 }))
  .map(([startTime, length]) => ({ startTime, endTime: startTime + length }))
const seconds = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 }))

t.test('the buckets of a chart hold the whole range, and are aligned', async () => {
  fc.assert(
    fc.property(range, seconds, (times, bucketSeconds) => {
      const { startTime, endTime, stepMs } = chartBuckets('stack', bucketSeconds, times)
      assert.equal(startTime % stepMs, 0)
      assert.equal(endTime % stepMs, 0)
      const begins = startTime - stepMs
      assert.ok(begins <= times.startTime && times.startTime < startTime)
      assert.ok(endTime >= times.endTime && endTime - stepMs < times.endTime + stepMs)
      assert.ok((endTime - startTime) / stepMs <= 1_502)
      if (bucketSeconds > 0) assert.equal(stepMs % (bucketSeconds * 1_000), 0)
    }),
  )
})

t.test('the buckets of a value end with the range and begin with it', async () => {
  fc.assert(
    fc.property(range, seconds, (times, bucketSeconds) => {
      const { startTime, endTime, stepMs } = statBuckets(bucketSeconds, times)
      assert.equal(endTime, times.endTime)
      const begin = startTime - stepMs
      assert.ok(begin <= times.startTime && begin > times.startTime - stepMs)
      assert.equal((endTime - startTime) % stepMs, 0)
    }),
  )
})

t.test('answers of several queries share one axis of time', async t => {
  const buckets = { startTime: 100, endTime: 300, stepMs: 100 }
  const answers = [
    [{ labels: { level: 'error' }, points: [{ time: 200, value: 5 }] }],
    [
      {
        labels: {},
        points: [
          { time: 100, value: 1 },
          { time: 300, value: Number.NaN },
        ],
      },
    ],
  ]
  const { times, series } = drawn(answers, ['bad', 'all'], buckets)
  t.same(times, [0, 100, 200])
  t.same(
    series.map(({ name, values }) => [name, values]),
    [
      ['bad: error', [undefined, 5, undefined]],
      ['all', [1, undefined, undefined]],
    ],
  )
  t.equal(seriesName({ 'service.name': '' }, '', false), 'no service.name')
})

t.test('values are reduced as their names say', async t => {
  const gives = (name: string, expected: number) =>
    t.equal(reduced([4, 1, 3, 8], reductionOf(name)), expected, name)

  gives('sum', 16)
  gives('AVG', 4)
  gives('mean', 4)
  gives('min', 1)
  gives('max', 8)
  gives('first', 4)
  gives('last', 8)
  gives('median', 3.5)
  gives('no such thing', 8)
  gives('constructor', 8)
  t.equal(reduced([], 'sum'), undefined)
})

t.test('thresholds come in several forms', async t => {
  t.same(readThresholds([80, { value: '20', color: '#2fbf4f' }, { label: 'no value' }, null]), [
    { value: 20, label: '', tone: 'good' },
    { value: 80, label: '', tone: 'warn' },
  ])
  t.same(readThresholds({ steps: [{ value: 1, color: 'red', label: 'x' }] }), [
    { value: 1, label: 'x', tone: 'bad' },
  ])
  t.same(readThresholds('nonsense'), [])
  const thresholds = readThresholds([1, 5])
  t.equal(reached(0.9, thresholds), undefined)
  t.equal(reached(5, thresholds)?.value, 5)
})

t.test('colours become what they mean', async t => {
  const means = (color: string, tone: string) => t.equal(toneOf(color), tone, color)

  means('red', 'bad')
  means('#ff0000', 'bad')
  means('#E02F44', 'bad')
  means('#FF9830', 'warn')
  means('#fade2a', 'warn')
  means('#73BF69', 'good')
  means('#0f0', 'good')
  means('#5794F2', 'plain')
  means('#888888', 'plain')
  means('url(javascript:x)', 'plain')
})
