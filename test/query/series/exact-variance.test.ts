import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ExactVariances } from '../../../src/query/series/exact-variance.ts'
import { forAll } from '../../for-all.ts'

function varianceOf(values: readonly number[]): number | undefined {
  const variances = new ExactVariances()
  variances.grow(1)
  for (const value of values) variances.add(0, value)
  return variances.at(0)
}

t.test('a variance is the exact one, rounded once, whatever the sizes of the numbers', async t => {
  const gives = (values: readonly number[], expected: number | undefined) =>
    t.equal(varianceOf(values), expected, values.join(' '))

  gives([], undefined)
  gives([7], 0)
  gives([1, 2, 3], 2 / 3)
  gives([0.1, 0.1, 0.1], 0)
  gives([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16], 22.5)
  gives([1e16, 1e16 + 2], 1)
  gives([2 ** 500, -(2 ** 500)], 2 ** 1000)
  gives([1e200, 3e200], Number.POSITIVE_INFINITY)
  gives([2 ** -500, -(2 ** -500), 0, 0], 2 ** -1001)
  gives([2 ** -537, 0], 0) // 2^-1076 is nearer to 0 than to the smallest number.
  gives([2 ** -536, -(2 ** -536)], 2 ** -1072)
  gives([2 ** 460, 2 ** 460, 5], 2 * (2 ** 920 / 9))
})

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const cents = fc.integer().map(value => value / 100)

t.test('it does not depend on the order, nor on what was added together first', async () => {
  const values = fc.array(fc.oneof(finite, cents), { minLength: 1, maxLength: 20 })
  forAll(values, fc.nat(20), (values, cut) => {
    const expected = varianceOf(values)
    assert.ok(expected! >= 0)
    assert.equal(varianceOf(values.toReversed()), expected)
    const merged = new ExactVariances()
    merged.grow(3)
    for (const part of [values.slice(cut), values.slice(0, cut)]) {
      const variances = new ExactVariances()
      variances.grow(2)
      for (const value of part) variances.add(1, value)
      merged.addPlain(structuredClone(variances.toPlain(2)), [0, 2])
    }
    assert.equal(merged.at(2), expected)
    assert.equal(merged.at(0), undefined)
  })
})

t.test('a number that is added several times at once counts as often', async () => {
  const counted = fc.array(fc.tuple(fc.oneof(finite, cents), fc.integer({ min: 1, max: 9 })))
  forAll(counted, pairs => {
    const variances = new ExactVariances()
    variances.grow(1)
    for (const [value, count] of pairs) variances.addTimes(0, value, count)
    const values = pairs.flatMap(([value, count]) => new Array<number>(count).fill(value))
    assert.equal(variances.at(0), varianceOf(values))
  })
})
