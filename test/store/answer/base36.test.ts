import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Base36 } from '../../../src/store/answer/base36.ts'
import { forAll } from '../../for-all.ts'

/** Numbers one after the other, many of them near the one before, or where digits grow in number. */
const numbers = fc.array(
  fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -50, max: 50 }).map(n => 1_795_068_000_000 + n),
    fc.tuple(fc.nat(10), fc.integer({ min: -2, max: 2 })).map(([e, n]) => 36 ** e + n),
  ),
  { maxLength: 20 },
)

t.test('numbers are written as JavaScript writes them', async () => {
  forAll(numbers, some => {
    const digits = new Base36()
    for (const n of some) assert.equal(digits.textOf(n), n.toString(36))
  })
})
