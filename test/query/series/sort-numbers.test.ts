import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { sortNumbers } from '../../../src/query/series/sort-numbers.ts'
import { forAll } from '../../for-all.ts'

const number = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -5, max: 5 }),
    fc.nat(1_000).map(value => value / 100),
    // Numbers that differ in the lower half of their bits only.
    fc.nat(10_000).map(value => 1 + value * Number.EPSILON),
    fc.nat(10_000).map(value => -1 - value * Number.EPSILON),
  )
  .map(value => value + 0)

t.test('numbers of every size and sign come in order, few and many', async () => {
  const lists = fc.oneof(
    fc.array(number, { maxLength: 20 }),
    fc.array(number, { minLength: 980, maxLength: 1_500, size: 'max' }),
  )
  forAll({ numRuns: 200 }, lists, list => {
    // Inside of a larger array, whose other numbers must stay.
    const all = Float64Array.from([9, ...list, -9])
    sortNumbers(all.subarray(1, -1))
    assert.deepEqual([...all], [9, ...list.sort((a, b) => a - b), -9])
  })
})

t.test('many numbers with the same upper half of bits are sorted too', async t => {
  const values = Float64Array.from({ length: 5_000 }, (_, i) => 1 - i * Number.EPSILON)
  const expected = [...values].reverse()
  sortNumbers(values)
  t.same([...values], expected)
})
