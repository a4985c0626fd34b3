import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { base36 } from '../../src/query/base36.ts'
import { forAll } from '../for-all.ts'

t.test('integers become what toString makes of them, in whatever order they come', async t => {
  const near = fc.integer({ min: -5, max: 5 })
  const centre = fc.oneof(
    fc.constantFrom(0, 36, 36 ** 2, 36 ** 4, 2 * 36 ** 4, 1.8e12, 2 ** 31, 2 ** 53 - 6),
    fc.maxSafeInteger(),
  )
  const numbers = fc.array(fc.tuple(centre, near).map(([a, b]) => a + b))
  forAll(numbers, values => {
    const text = base36()
    for (const value of values) assert.equal(text(value), value.toString(36))
  })
  t.pass()
})
