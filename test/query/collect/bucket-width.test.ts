import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { roundBucketMs } from '../../../src/query/collect/bucket-width.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/time-units.ts'
import { forAll } from '../../for-all.ts'

t.test('the usual ranges are cut into widths that people read easily', async t => {
  const cuts = (rangeMs: number, widthMs: number) =>
    t.equal(roundBucketMs(rangeMs), widthMs, `${rangeMs} ms`)

  cuts(0, 1)
  cuts(1, 1)
  cuts(60, 1)
  cuts(61, 2)
  cuts(secondMs, 20)
  cuts(minuteMs, secondMs)
  cuts(15 * minuteMs, 15 * secondMs)
  cuts(hourMs, minuteMs)
  cuts(6 * hourMs, 10 * minuteMs)
  cuts(dayMs, 30 * minuteMs)
  cuts(7 * dayMs, 3 * hourMs)
  cuts(30 * dayMs, 12 * hourMs)
  cuts(365 * dayMs, 7 * dayMs)
  cuts(60 * 730 * dayMs, 730 * dayMs)
  cuts(60 * 730 * dayMs + 1, 2 * 730 * dayMs)
})

t.test('any range is cut into about 60 buckets, of a whole number of milliseconds', async () => {
  const range = fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 0, max: 400 * dayMs }),
    fc.integer({ min: 0, max: 2 * 8.64e15 }),
  )
  forAll({ numRuns: 1_000 }, range, rangeMs => {
    const widthMs = roundBucketMs(rangeMs)
    assert.ok(Number.isSafeInteger(widthMs) && widthMs >= 1)
    const count = rangeMs / widthMs
    assert.ok(count <= 60, `${count} buckets`)
    if (rangeMs > 60) assert.ok(count > 60 / 4, `${count} buckets`)
  })
})

t.test('a longer range never has narrower buckets', async () => {
  const range = fc.integer({ min: 0, max: 2 * 8.64e15 })
  forAll(range, range, (a, b) => {
    const [shorter, longer] = [Math.min(a, b), Math.max(a, b)]
    assert.ok(roundBucketMs(shorter) <= roundBucketMs(longer))
  })
})
