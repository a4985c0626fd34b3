/** The values of the attributes of a run of blocks, as its skip index has them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { offsetsFrom } from '../../../src/columns/plain.ts'
import { type BlockValues, encodeValues, RunValues } from '../../../src/segment/skip/run-values.ts'
import { forAll } from '../../for-all.ts'

const names = ['a', 'b', 'c'] as const
const counts = fc.dictionary(fc.string({ maxLength: 4 }), fc.integer({ min: 1, max: 9 }), {
  maxKeys: 5,
})
/** Of each block, how many records have each value of each attribute. */
const blocks = fc.array(
  fc.dictionary(fc.constantFrom(...names), counts, { noNullPrototype: true }),
  { minLength: 1, maxLength: 8 },
)
type Counts = Readonly<Record<string, number>>

function valuesOf(attributes: Readonly<Record<string, Counts>>): BlockValues {
  return new Map(
    Object.entries(attributes).map(([name, ofValues]) => {
      const texts = Object.keys(ofValues).map(text => Buffer.from(text))
      const offsets = offsetsFrom(texts.map(({ length }) => length))
      const bytes = Buffer.concat(texts)
      return [
        name,
        { texts: { offsets, bytes }, counts: Uint32Array.from(Object.values(ofValues)) },
      ]
    }),
  )
}

const enough = (count: number) => new Array<number>(count).fill(1_000)

t.test('each attribute has the values that its blocks have', async () => {
  forAll(blocks, blocks => {
    const values = new RunValues(
      encodeValues(blocks.map(valuesOf), names),
      enough(blocks.length),
      3,
    )
    // In any order, and again: an attribute is opened when it is first asked for.
    for (const name of ['c', 'a', 'b', 'c'] as const) {
      const own = values.of(names.indexOf(name))
      for (const [block, attributes] of blocks.entries()) {
        const found: [string, number][] = []
        own?.counts[block]?.forEach((count, i) => {
          if (count > 0) found.push([own.texts.textAt(i), count])
        })
        const expected = Object.entries(attributes[name] ?? {})
        assert.deepEqual(new Map(found), new Map(expected))
      }
    }
    assert.equal(values.of(3), undefined)
  })
})

t.test('what was not written so is refused', async t => {
  const bytes = encodeValues([valuesOf({ a: { x: 2, yy: 3 }, b: { z: 4 } })], ['a', 'b'])
  const refusal = (change: (integers: Uint32Array) => void, cut = 0, nameCount = 2) => {
    const own = Buffer.concat([bytes])
    change(new Uint32Array(own.buffer, own.byteOffset, own.length >> 2))
    const part = own.subarray(0, own.length - cut)
    return () => new RunValues(part, [5], nameCount)
  }
  const same = () => {}
  t.doesNotThrow(refusal(same))
  t.throws(refusal(same, 1), /another length/)
  t.throws(refusal(same, 0, 1), /not so many attributes/)
  t.throws(
    refusal(integers => integers.set([2], 3)),
    /no such attribute/,
  )
  t.throws(
    refusal(integers => integers.set([0], 3)),
    /no such attribute/,
    'twice',
  )
  t.throws(
    refusal(integers => integers.set([2], 1)),
    /no such attribute/,
    'out of order',
  )
  t.throws(
    refusal(integers => integers.set([9], 4)),
    /too short/,
  )
  t.throws(
    refusal(integers => integers.set([2], 5)),
    /another length/,
    'a longer text',
  )
  t.throws(
    refusal(integers => integers.set([3], 8)),
    /more values than the block has records/,
  )
  for (const length of [1, 3, 4, 8]) {
    t.throws(refusal(same, bytes.length - length), /too short/, `${length} bytes`)
  }
})
