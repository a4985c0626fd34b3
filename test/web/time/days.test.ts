import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { daysOf, monthBy } from '../../../src/web/time/days.ts'

t.test('a month is whole weeks from Monday on, with all of its days', async () => {
  const date = fc.date({
    min: new Date('1970-02-01'),
    max: new Date('2099-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, date => {
      const day = date.toISOString().slice(0, 10)
      const days = daysOf(day)
      assert.equal(days.length % 7, 0)
      assert.equal(new Date(days[0]!).getUTCDay(), 1)
      assert.equal(new Set(days).size, days.length)
      const own = days.filter(one => one.startsWith(day.slice(0, 7)))
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
      assert.equal(own.length, last)
    }),
  )
})

t.test('another month has the same day, or ends before it', async t => {
  t.equal(monthBy('2026-01-31', 1), '2026-02-28')
  t.equal(monthBy('2028-01-31', 1), '2028-02-29')
  t.equal(monthBy('2026-01-15', -1), '2025-12-15')
})
