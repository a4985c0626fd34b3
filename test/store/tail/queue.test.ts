import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { limits } from '../../../src/limits.ts'
import { TailQueue, type TailText } from '../../../src/store/tail/queue.ts'
import { forAll } from '../../for-all.ts'

const { tailQueueRecordsMax, tailQueueBytesMax } = limits

/** A text of records `first`, `first + 1`, …; it says which is its first. */
function textOf(first: number, count: number, bytes = 16): TailText {
  const text = Buffer.alloc(bytes)
  text.writeDoubleLE(first)
  return { count, text }
}

/** What is taken out, in order: the first record of each text, and of each gap its size, negative. */
function drain(queue: TailQueue): number[] {
  const taken: number[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    taken.push(item.text === undefined ? -item.count : Buffer.from(item.text).readDoubleLE())
  }
  return taken
}

t.test('texts come out as they came in', async t => {
  const queue = new TailQueue(() => t.fail('nothing is dropped'))
  t.ok(queue.isEmpty)
  for (let i = 0; i < 5; i++) queue.push(textOf(i * 10, 10))
  t.notOk(queue.isEmpty)
  t.same(drain(queue), [0, 10, 20, 30, 40])
  t.ok(queue.isEmpty)
})

t.test('beyond the bound of records the oldest go, and leave a gap', async t => {
  let dropped = 0
  const queue = new TailQueue(count => {
    dropped += count
  })
  const part = tailQueueRecordsMax / 4
  for (let i = 0; i < 6; i++) queue.push(textOf(i, part))
  t.same(drain(queue), [-2 * part, 2, 3, 4, 5])
  t.equal(dropped, 2 * part)
})

t.test('beyond the bound of bytes the oldest go, but never the last', async t => {
  const queue = new TailQueue(() => {})
  const half = tailQueueBytesMax / 2
  queue.push(textOf(0, 1, half))
  queue.push(textOf(1, 1, half))
  queue.push(textOf(2, 1, half))
  t.same(drain(queue), [-1, 1, 2])
  queue.push(textOf(3, 1, 10 * tailQueueBytesMax))
  t.same(drain(queue), [3])
})

t.test('what came earlier stands in front, within the same bounds', async t => {
  let dropped = 0
  const queue = new TailQueue(count => {
    dropped += count
  })
  queue.push(textOf(100, 10))
  queue.prepend([{ count: 7, text: undefined }, textOf(90, 10)])
  t.same(drain(queue), [-7, 90, 100])
  queue.push(textOf(200, tailQueueRecordsMax))
  queue.push({ count: 2, text: undefined })
  queue.prepend([textOf(190, 10)])
  t.same(drain(queue), [-10, 200, -2])
  t.equal(dropped, 7 + 2 + 10)
})

interface Push {
  readonly kind: 'text' | 'gap' | 'take'
  readonly count: number
}

t.test('every record comes out once or is counted, at its place and within the bound', async () => {
  const push: fc.Arbitrary<Push> = fc.record({
    kind: fc.constantFrom('text', 'text', 'text', 'gap', 'take'),
    count: fc.integer({ min: 0, max: tailQueueRecordsMax / 2 }),
  })
  forAll(fc.array(push, { maxLength: 40 }), fc.boolean(), (pushes, hasBacklog) => {
    let dropped = 0
    const queue = new TailQueue(count => {
      dropped += count
    })
    let pushed = hasBacklog ? 5_000 : 0
    let taken = 0
    let gaps = 0
    const take = () => {
      const item = queue.take()
      if (item?.text === undefined) gaps += item?.count ?? 0
      else assert.equal(Buffer.from(item.text).readDoubleLE(), taken)
      taken += item?.count ?? 0
      return item
    }
    const middle = hasBacklog ? Math.floor(pushes.length / 2) : 0
    for (const [i, { kind, count }] of pushes.entries()) {
      if (hasBacklog && i === middle) queue.prepend([textOf(0, 2_500), textOf(2_500, 2_500)])
      if (kind === 'take') {
        if (!hasBacklog || i >= middle) take()
        continue
      }
      queue.push(kind === 'gap' ? { count, text: undefined } : textOf(pushed, count))
      pushed += count
    }
    if (hasBacklog && pushes.length === 0) queue.prepend([textOf(0, 5_000)])
    let waiting = 0
    for (let item = take(); item !== undefined; item = take()) {
      if (item.text !== undefined) waiting += item.count
    }
    assert.equal(taken, pushed)
    assert.equal(gaps, dropped)
    assert.ok(waiting <= tailQueueRecordsMax)
  })
})
