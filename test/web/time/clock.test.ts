import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  clockText,
  dateTimeText,
  fullText,
  partsOf,
  precisionOf,
  timeOf,
} from '../../../src/web/time/clock.ts'
import { momentOf } from '../../../src/web/time/range.ts'

const time = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2100, 0) })

t.test('what is shown can be typed again, to the millisecond', async () => {
  fc.assert(
    fc.property(time, fc.constantFrom('utc', 'local'), (at, zone) => {
      const text = dateTimeText(at, zone)
      assert.equal(dateTimeText(momentOf(text, { now: 0, zone })!, zone), text)
      if (zone === 'utc') assert.equal(momentOf(text, { now: 0, zone }), at)
    }),
  )
})

t.test('the parts of a time make the time again', async () => {
  fc.assert(fc.property(time, at => assert.equal(timeOf(partsOf(at, 'utc'), 'utc'), at)))
})

t.test('times are shown in full', async t => {
  const at = Date.UTC(2026, 10, 20, 4, 3, 2, 7)
  t.equal(clockText(at, 'utc'), '04:03:02.007')
  t.equal(clockText(at, 'utc', 's'), '04:03:02')
  t.equal(precisionOf([1_000, 2_000]), 's')
  t.equal(precisionOf([1_000, 2_001]), 'ms')
  t.equal(fullText(at, 'utc'), '2026-11-20 04:03:02.007 UTC')
  t.equal(dateTimeText(Date.UTC(2026, 0, 2, 3, 4), 'utc'), '2026-01-02 03:04')
  t.match(fullText(at, 'local'), /^2026-11-\d\d \d\d:\d\d:02\.007 [+−]\d\d:\d\d$/)
})
