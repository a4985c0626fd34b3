import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { utcText } from '../../../src/query/export/utc-text.ts'
import { forAll } from '../../for-all.ts'

t.test('times become what toISOString makes of them, in whatever order they come', async t => {
  const near = fc.integer({ min: -1_500, max: 1_500 })
  const centre = fc.oneof(
    fc.constantFrom(0, 1.8e12, -62_167_219_200_000, 253_402_300_800_000, 8.64e15 - 1_500),
    fc.integer({ min: -8.64e15 + 1_500, max: 8.64e15 - 1_500 }),
  )
  const times = fc.array(fc.tuple(centre, near).map(([a, b]) => a + b))
  forAll(times, values => {
    const text = utcText()
    for (const value of values) assert.equal(text(value), new Date(value).toISOString())
  })
  t.pass()
})
