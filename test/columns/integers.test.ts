import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { packIntegers, unpackIntegers } from '../../src/columns/integers.ts'
import { forAll } from '../for-all.ts'

t.test('integers come back as they were packed, in the fewest bytes', async t => {
  const takes = (values: number[], width: number) => {
    const packed = packIntegers(values)
    t.equal(packed.length, width * values.length, `${values} take ${width} bytes each`)
    t.same([...unpackIntegers(packed, values.length)], values)
  }
  takes([0, 0, 0], 0)
  takes([0, 255], 1)
  takes([256], 2)
  takes([65_535, 1], 2)
  takes([65_536, 0], 4)
  takes([0xffffffff], 4)
  takes([0x100000000, 3], 8)
  takes([Number.MAX_SAFE_INTEGER], 8)
})

t.test('any integers come back, also from bytes that are not aligned', async () => {
  forAll(fc.array(fc.maxSafeNat(), { minLength: 1 }), fc.nat(7), (values, shift) => {
    const packed = packIntegers(values)
    const shifted = Buffer.alloc(packed.length + shift)
    packed.copy(shifted, shift)
    assert.deepEqual([...unpackIntegers(shifted.subarray(shift), values.length)], values)
  })
})

t.test('a length that fits no width is refused', async t => {
  const refuses = (bytes: number, count: number) =>
    t.throws(() => unpackIntegers(Buffer.alloc(bytes), count), RangeError)
  refuses(3, 1)
  refuses(5, 2)
  refuses(7, 7 * 3)
})
