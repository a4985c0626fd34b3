import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { keepMarked } from '../../src/query/marks.ts'
import { forAll } from '../for-all.ts'

/** Marks that begin somewhere in their memory. */
function placed(marks: readonly number[], offset: number): Uint8Array {
  const memory = new Uint8Array(offset + marks.length + 5).fill(1)
  memory.set(marks, offset)
  return memory.subarray(offset, offset + marks.length)
}

t.test('marks are kept one by one, wherever they lie, and no others change', async () => {
  const pair = fc.tuple(fc.nat(1), fc.nat(1))
  const offset = fc.constantFrom(0, 1, 4, 6, 8)
  forAll(
    fc.array(pair, { size: '+1' }),
    offset,
    offset,
    fc.boolean(),
    (pairs, at, otherAt, isNegated) => {
      const marks = placed(
        pairs.map(([mark]) => mark),
        at,
      )
      const others = placed(
        pairs.map(([, other]) => other),
        otherAt,
      )
      keepMarked(marks, others, isNegated)
      assert.deepEqual(
        [...marks],
        pairs.map(([mark, other]) => (isNegated ? mark & (1 - other) : mark & other)),
      )
      assert.deepEqual(
        [...others],
        pairs.map(([, other]) => other),
      )
      const memory = new Uint8Array(marks.buffer)
      assert.ok(memory.subarray(0, at).every(mark => mark === 1))
      assert.ok(memory.subarray(at + pairs.length).every(mark => mark === 1))
    },
  )
})
