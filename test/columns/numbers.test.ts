import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeNumbers, numberAt, openNumbers, unpackNumbers } from '../../src/columns/numbers.ts'
import { forAll } from '../for-all.ts'
import { chunksOf, throughMsgpack } from './reopen.ts'

function throughChunks(values: readonly number[]): number[] {
  const encoded = encodeNumbers(values)
  const meta = throughMsgpack(encoded.meta)
  const opened = [...openNumbers(meta, values.length, chunksOf(encoded))]
  const { base, distances } = unpackNumbers(meta, values.length, chunksOf(encoded))
  assert.deepEqual(
    Array.from(distances, distance => base + distance),
    opened,
  )
  for (const index of someOf(values)) {
    const single = numberAt(meta, values.length, index, chunksOf(encoded))
    assert.ok(single === undefined || single === opened[index], `${single}, not ${opened[index]}`)
  }
  return opened
}

/** Numbers of some of the values, the first and the last among them. */
function someOf({ length }: readonly number[]): number[] {
  const few = Array.from({ length: 20 }, (_, i) => Math.floor(((i + 1) * length) / 21))
  return length === 0 ? [] : [0, ...few, length - 1]
}

const limit = 2 ** 53

t.test('any integers within 2^53 come back', async () => {
  const integer = fc.oneof(
    fc.integer(),
    fc.integer({ min: -5, max: 5 }),
    fc.maxSafeInteger(),
    fc.constantFrom(limit, -limit, 8.64e15, -8.64e15),
  )
  const values = fc.oneof(
    fc.array(integer),
    fc.array(integer).map(list => list.toSorted((a, b) => a - b)),
    fc.array(integer, { size: 'xlarge', maxLength: 3_000 }),
    fc.tuple(fc.integer(), fc.array(fc.integer({ min: 0, max: 9 }))).map(([first, steps]) => {
      let value = first
      return steps.map(step => {
        value += step
        return value
      })
    }),
  )
  forAll(values, list => {
    assert.deepEqual(
      throughChunks(list),
      list.map(value => value + 0),
    )
  })
})

t.test('large lists of every width come back', async t => {
  const comesBack = (numberAt: (i: number) => number) => {
    const list = Array.from({ length: 5_000 }, (_, i) => numberAt(i))
    t.same(throughChunks(list), list)
  }
  for (let width = 0; width < 7; width++) comesBack(i => ((i * 7919) % 32) * 256 ** width)
  comesBack(i => (i % 2 === 0 ? limit : -limit))
  comesBack(i => 1_700_000_000_000 + i * 37 - (i % 11) * 40)
  comesBack(i => -limit + i)
  comesBack(i => i * 1_000_000 + ((i * 7919) % 251) * 300)
  comesBack(i => i * 2 ** 36 + ((i * 7919) % 251) * 2 ** 27)
})

t.test('what rises by less than 2^32 is unpacked in 32 bits', async t => {
  const unpacked = (values: number[]) => {
    const encoded = encodeNumbers(values)
    return unpackNumbers(encoded.meta, values.length, chunksOf(encoded)).distances
  }
  const rising = (step: number) => Array.from({ length: 5_000 }, (_, i) => i * step + (i % 7))
  t.ok(unpacked(rising(20)) instanceof Uint32Array)
  t.ok(unpacked(rising(800_000)) instanceof Uint32Array)
  t.ok(unpacked(rising(900_000)) instanceof Float64Array)
})

t.test('sequences and timestamps in order take a byte a value or none', async t => {
  const takes = (numberAt: (i: number) => number, bytes: number) => {
    const { chunks } = encodeNumbers(Array.from({ length: 10_000 }, (_, i) => numberAt(i)))
    t.equal(
      chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      bytes,
    )
  }
  takes(i => 8_000_000_000 + i, 0)
  takes(i => -i * 1_000, 0)
  takes(() => limit, 0)
  takes(i => 1_700_000_000_000 + i * 20 + ((i * 7919) % 19), 10_000)
})

t.test(
  'the bytes of a value are chunks of their own, but share one while they are few',
  async t => {
    const takes = (count: number, chunkCount: number) => {
      const list = Array.from({ length: count }, (_, i) => (i * 7919) % 60_000)
      t.equal(encodeNumbers(list).chunks.length, chunkCount, `${count} values`)
    }
    takes(100, 1)
    takes(5_000, 2)
  },
)

t.test('what is not an integer within 2^53 is refused', async t => {
  const refuses = (value: number) => t.throws(() => encodeNumbers([0, value]), RangeError)
  refuses(0.5)
  refuses(Number.NaN)
  refuses(Number.POSITIVE_INFINITY)
  refuses(limit + 2)
  refuses(-limit - 2)
})
