import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ExactSums } from '../../../src/query/series/exact-sum.ts'
import { forAll } from '../../for-all.ts'

function sumOf(values: readonly number[]): number {
  const sums = new ExactSums(1)
  for (const value of values) sums.add(0, value)
  return sums.at(0)
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
/** Of very different sizes, and mostly with others that cancel them out. */
const arbitraryValues = fc
  .array(
    fc.oneof(
      finite,
      fc.integer().map(value => value / 100),
    ),
    { maxLength: 20 },
  )
  .chain(values =>
    fc.shuffledSubarray([...values, ...values.map(value => -value), ...values], { minLength: 0 }),
  )

t.test('a sum does not depend on the order, nor on what was added together first', async () => {
  forAll({ numRuns: 2_000 }, arbitraryValues, fc.nat(60), (values, cut) => {
    const expected = sumOf(values)
    assert.equal(sumOf(values.toReversed()), expected)
    assert.equal(sumOf(values.toSorted((a, b) => a - b)), expected)

    const merged = new ExactSums(3)
    for (const part of [values.slice(0, cut), values.slice(cut)]) {
      const sums = new ExactSums(2)
      for (const value of part) sums.add(1, value)
      merged.addPlain(structuredClone(sums.toPlain(2)), [0, 2])
    }
    assert.equal(merged.at(2), expected)
    assert.equal(merged.at(0), 0)
  })
})

t.test('what cancels out leaves exactly the rest', async () => {
  forAll({ numRuns: 2_000 }, fc.array(finite, { maxLength: 20 }), finite, (values, rest) => {
    const all = [...values, rest, ...values.map(value => -value)]
    assert.equal(sumOf(all) + 0, rest + 0)
  })
})

t.test('sums of integers are those of bigints', async () => {
  forAll({ numRuns: 2_000 }, fc.array(fc.maxSafeInteger(), { maxLength: 50 }), values => {
    const expected = values.reduce((sum, value) => sum + BigInt(value), 0n)
    assert.equal(sumOf(values) + 0, Number(expected))
  })
})

t.test('a sum is rounded once, ties to even', async t => {
  const gives = (values: readonly number[], expected: number) =>
    t.equal(sumOf(values), expected, values.join(' + '))

  const ulp = 2 ** -52
  gives([1, ulp / 2], 1)
  gives([1, ulp / 2, 2 ** -1074], 1 + ulp)
  gives([1 + ulp, ulp / 2], 1 + 2 * ulp)
  gives([1 + ulp, ulp / 2, -(2 ** -1074)], 1 + ulp)
  gives([2 ** -1074, 2 ** -1074], 2 ** -1073)
  gives([Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE], Number.MAX_VALUE)
  gives([Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY)
  gives([-Number.MAX_VALUE, -Number.MAX_VALUE], Number.NEGATIVE_INFINITY)
  gives([Number.MAX_VALUE, 2 ** 969], Number.MAX_VALUE)
  gives([Number.MAX_VALUE, 2 ** 970], Number.POSITIVE_INFINITY)
})
