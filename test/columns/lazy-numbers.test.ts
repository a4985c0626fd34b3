import t from 'tap'
import { LazyNumbers } from '../../src/columns/lazy-numbers.ts'
import { encodeNumbers, unpackNumbers } from '../../src/columns/numbers.ts'
import { chunksOf } from './reopen.ts'

/** Of 10,000: deltas of one byte, small and large, distances of three, and numbers too far apart for either. */
const lists = {
  times: Array.from({ length: 10_000 }, (_, i) => 1_700_000_000_000 + i * 20 + ((i * 7919) % 19)),
  steep: Array.from({ length: 10_000 }, (_, i) => i * 255 - Math.floor(i / 100) * 255),
  spread: Array.from({ length: 10_000 }, (_, i) => (i * 7_919_000) % 16_000_001),
  far: Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? 2 ** 53 : -(2 ** 53))),
}

/** Numbers, and how often all were unpacked and chunks were read. */
function watched(values: readonly number[]) {
  const encoded = encodeNumbers(values)
  const read: number[] = []
  let unpackedTimes = 0
  const unpack: typeof unpackNumbers = (...given) => {
    unpackedTimes++
    return unpackNumbers(...given)
  }
  const numbers = new LazyNumbers(encoded.meta, values.length, chunksOf(encoded, read), unpack)
  return { numbers, read, chunkCount: encoded.chunks.length, unpacked: () => unpackedTimes }
}

t.test('a few numbers are read by themselves, more make all be unpacked, once', async t => {
  for (const [name, values] of Object.entries(lists)) {
    const { numbers, read, chunkCount, unpacked } = watched(values)
    const asks = [9_999, 0, 5_000, 1, 4_321, 257, 1_028, 7, 42, 43, 9_998]
    const unpackedAfter = asks.map(index => {
      t.equal(numbers.at(index), values[index], `${name}, number ${index}`)
      return unpacked()
    })
    const isSingle = name !== 'far'
    t.same(unpackedAfter, isSingle ? [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1] : asks.map(() => 1), name)
    t.equal(read.length, chunkCount, `${name}: each chunk is read once`)
    const { base, distances } = numbers.all()
    t.ok(values.every((value, i) => base + distances[i]! === value))
    t.equal(unpacked(), 1)
  }
})

t.test('what is held is counted, and let go of', async t => {
  const { numbers, read } = watched(lists.spread)
  t.equal(numbers.heldBytes, 0)
  t.equal(numbers.at(17), lists.spread[17])
  t.equal(numbers.heldBytes, 30_000, 'three bytes a number, as they lie in the chunks')
  t.ok(numbers.makingMs > 0)
  t.equal(numbers.all().distances.byteLength, 40_000)
  t.equal(numbers.heldBytes, 40_000, 'the chunks are not held beside them')
  numbers.release()
  t.same([numbers.heldBytes, numbers.makingMs], [0, 0])
  t.equal(numbers.at(17), lists.spread[17])
  t.equal(read.length, 6, 'and read again')
  t.equal(numbers.heldBytes, 30_000)
})

t.test('a number that its description does not allow is none', async t => {
  const { meta, chunks } = encodeNumbers(lists.times)
  const [min, max, ...deltas] = meta as number[]
  const other = new LazyNumbers([min, max! - 5, ...deltas], 10_000, index => chunks[index]!)
  t.equal(other.at(0), lists.times[0])
  t.throws(() => other.at(9_999), /lies outside of its range/)
})
