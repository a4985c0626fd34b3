import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { BucketCounts } from '../../../src/query/collect/bucket-counts.ts'
import { forAll } from '../../for-all.ts'

const bucket = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -900, max: 900 }))
const additions = fc.array(fc.tuple(bucket, fc.nat(3)), { maxLength: 60, size: 'max' })

function addAll(all: readonly (readonly [number, number])[]): BucketCounts {
  const counts = new BucketCounts()
  for (const [at, count] of all) counts.add(at, count)
  return counts
}

/** Those that are not 0, by bucket, in the plainest way. */
function plainly(all: readonly (readonly [number, number])[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const [at, count] of all) if (count > 0) counts[at] = (counts[at] ?? 0) + count
  return counts
}

function countsOf(buckets: BucketCounts): Record<number, number> {
  const { first, counts } = buckets.toPlain()
  return plainly([...counts].map((count, i) => [first + i, count] as const))
}

t.test('counts are what was added, in whatever order buckets come', async () => {
  forAll(additions, all => assert.deepEqual(countsOf(addAll(all)), plainly(all)))
})

t.test('what travelled between threads adds up', async () => {
  forAll(additions, additions, (some, others) => {
    const sum = addAll(some)
    sum.addPlain(addAll(others).toPlain())
    assert.deepEqual(countsOf(sum), plainly([...some, ...others]))
  })
})

t.test('the plain form spans the first bucket that counts to the last', async t => {
  t.same(
    addAll([
      [7, 2],
      [5, 1],
      [90, 0],
    ]).toPlain(),
    {
      first: 5,
      counts: new Float64Array([1, 0, 2]),
    },
  )
  t.equal(new BucketCounts().toPlain().counts.length, 0)
})
