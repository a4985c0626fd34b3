import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  countOnes,
  countWithin,
  hasMark,
  markedRange,
  markWithin,
  nextMark,
} from '../../src/columns/codes.ts'
import type { Integers } from '../../src/columns/integers.ts'
import { forAll } from '../for-all.ts'

const widths: readonly (readonly [largest: number, make: (values: number[]) => Integers])[] = [
  [255, values => Uint8Array.from(values)],
  [32_767, values => Uint16Array.from(values)],
  [65_535, values => Uint16Array.from(values)],
  [2 ** 32 - 1, values => Uint32Array.from(values)],
  [Number.MAX_SAFE_INTEGER, values => Float64Array.from(values)],
]

t.test('values between two others are counted and marked in every width', async () => {
  const cases = fc
    .record({ width: fc.constantFrom(...widths), isShifted: fc.boolean() })
    .chain(({ width: [largest, make], isShifted }) => {
      const value = fc.oneof(fc.nat(largest), fc.constantFrom(0, 1, largest - 1, largest))
      return fc.tuple(fc.array(value, { maxLength: 9 }), value, value).map(([values, a, b]) => ({
        // In the middle of other memory, values are not at a place for pairs.
        values: isShifted ? make([0, ...values]).subarray(1) : make(values),
        within: { least: Math.min(a, b), greatest: Math.max(a, b) },
        largest,
      }))
    })
  forAll({ numRuns: 3_000 }, cases, fc.boolean(), ({ values, within, largest }, isInside) => {
    const { least, greatest } = within
    const isWithin = Array.from(values, value => least <= value && value <= greatest)
    assert.equal(countWithin(values, within, largest), isWithin.filter(Boolean).length)
    const hits = new Uint8Array(values.length)
    markWithin(values, within, isInside, hits)
    assert.deepEqual(
      [...hits],
      isWithin.map(one => Number(one === isInside)),
    )
  })
})

t.test('marks that are there stay', async t => {
  for (const [, make] of widths) {
    const hits = Uint8Array.of(1, 0, 0)
    markWithin(make([1, 2, 3]), { least: 2, greatest: 2 }, true, hits)
    t.same([...hits], [1, 1, 0])
  }
})

t.test('more values are counted than two counts in one integer hold', async t => {
  const values = new Uint16Array(400_001).fill(7)
  t.equal(countWithin(values, { least: 7, greatest: 7 }, 32_767), 400_001)
  t.equal(countWithin(values, { least: 8, greatest: 9 }, 32_767), 0)
})

t.test('marks are found and counted wherever they lie', async () => {
  const marks = fc.oneof(
    fc.array(fc.constantFrom(0, 1), { maxLength: 40 }),
    fc.array(fc.constant(1), { maxLength: 9 }),
    fc
      .tuple(fc.nat(30), fc.nat(9))
      .map(([none, last]) => [...Array(none).fill(0), 1, ...Array(last).fill(0)]),
  )
  // In the middle of other marks, as those of a block are of memory that is used again.
  const around = fc.array(fc.constantFrom(0, 1), { maxLength: 5 })
  forAll(marks, around, (list, others) => {
    const memory = Uint8Array.from([...others, ...list, ...others])
    const own = memory.subarray(others.length, others.length + list.length)
    const from = list.indexOf(1)
    assert.equal(hasMark(own), from !== -1)
    const range = from === -1 ? { from: 0, to: 0 } : { from, to: list.lastIndexOf(1) + 1 }
    assert.deepEqual(markedRange(own), range)
    for (let row = 0; row <= list.length; row++) {
      assert.equal(nextMark(own, row), list.indexOf(1, row))
    }
    assert.equal(countOnes(own), list.filter(mark => mark === 1).length)
  })
})
