import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { newSharedBound, SharedBound } from '../../src/query/shared-bound.ts'
import {
  type Candidate,
  comparePlaces,
  type Order,
  type PlaceOrder,
  TopK,
} from '../../src/query/top-k.ts'
import { forAll } from '../for-all.ts'

const orders: readonly PlaceOrder[] = ['asc', 'desc', 'latest']
const always = { startTime: Number.NEGATIVE_INFINITY, endTime: Number.POSITIVE_INFINITY }

/** Few times, so that many records share one; sequences are all different. */
const candidates = fc
  .array(fc.integer({ min: 0, max: 6 }), { minLength: 40, maxLength: 120 })
  .chain(times =>
    fc.shuffledSubarray([...times.keys()], { minLength: times.length }).map(order =>
      order.map((sequence): Candidate => {
        return {
          timestamp: times[sequence]!,
          sequence,
          source: 0,
          frameOffset: 0,
          frameBytes: 0,
          row: 0,
        }
      }),
    ),
  )

t.test('the first of an order are kept, whatever comes when', async () => {
  forAll(candidates, fc.constantFrom(...orders), fc.nat(8), (offered, order, limit) => {
    const first = new TopK(limit, order)
    for (const candidate of offered) first.offer(candidate)
    const plain = offered.toSorted((a, b) => comparePlaces(a, b, order)).slice(0, limit)
    assert.deepEqual(first.toArray(), plain)
  })
})

t.test('no record that may still be kept lies outside of the times to look at', async () => {
  forAll(
    candidates,
    fc.constantFrom(...orders),
    fc.integer({ min: 1, max: 3 }),
    (all, order, limit) => {
      const first = new TopK(limit, order)
      all.forEach((candidate, i) => {
        first.offer(candidate)
        const { startTime, endTime } = first.within(always)
        for (const later of all.slice(i + 1)) {
          const { timestamp } = later
          const isWithin = startTime <= timestamp && timestamp <= endTime
          if (first.mayKeep(later)) assert.ok(isWithin && first.mayKeepWithin(timestamp, timestamp))
        }
      })
    },
  )
})

t.test('a full first block narrows the times to look at', async t => {
  const first = new TopK(1, 'asc')
  for (let i = 0; i < 40; i++) {
    first.offer({
      timestamp: 100 + i,
      sequence: i,
      source: 0,
      frameOffset: 0,
      frameBytes: 0,
      row: i,
    })
  }
  t.same(first.within({ startTime: 50, endTime: 500 }), { startTime: 50, endTime: 100 })
})

t.test('what is learned of a time leaves out what is behind it, and nothing else', async () => {
  const limits = fc.integer({ min: 1, max: 8 })
  const ordersOfTime = fc.constantFrom<Order[]>('asc', 'desc')
  forAll(candidates, candidates, ordersOfTime, limits, (mine, theirs, order, limit) => {
    const shared = new SharedBound(newSharedBound(), order)
    // The same sequence is no record of both.
    const others = theirs.map(other => ({ ...other, sequence: other.sequence + 1000 }))
    const lanes = [mine, others].map(records => ({ records, first: new TopK(limit, order) }))
    const longest = Math.max(mine.length, others.length)
    for (let i = 0; i < longest; i++) {
      for (const { records, first } of lanes) {
        if (shared.time !== undefined) first.learn(shared.time)
        const candidate = records[i]
        if (candidate !== undefined) first.offer(candidate)
        const { bound } = first
        if (bound !== undefined) shared.note(bound.timestamp)
      }
    }
    const all = new TopK(limit, order)
    for (const { first } of lanes) for (const candidate of first.toArray()) all.offer(candidate)
    const plain = [...mine, ...others].sort((a, b) => comparePlaces(a, b, order)).slice(0, limit)
    assert.deepEqual(all.toArray(), plain)
    assert.equal(shared.time, lanes[0]!.first.bound && latest(lanes, order))
  })
})

t.test('what is kept and turns out to be behind others is let go of', async t => {
  const place = { source: 0, frameOffset: 0, frameBytes: 0, row: 0 }
  for (const [order, learned, left] of [
    ['asc', 3, [1, 2, 3]],
    ['desc', 3, [5, 4, 3]],
    ['latest', 3, [5, 4, 3, 2, 1]],
  ] as const) {
    const first = new TopK(9, order)
    for (const time of [4, 1, 5, 3, 2]) first.offer({ timestamp: time, sequence: time, ...place })
    first.learn(learned)
    const kept = first.toArray().map(({ timestamp }) => timestamp)
    t.strictSame(kept, left, order)
  }
})

/** The tightest of the times that the lanes know. */
function latest(lanes: readonly { readonly first: TopK }[], order: Order): number {
  const times = lanes.map(({ first }) => first.bound!.timestamp)
  return order === 'asc' ? Math.min(...times) : Math.max(...times)
}
