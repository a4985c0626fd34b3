import t from 'tap'
import type { CommittedFrame } from '../../../src/journal/journal.ts'
import { PendingRanges } from '../../../src/store/tail/pending.ts'
import { QueriesUnderWay } from '../../../src/store/view/queries-under-way.ts'

/** A frame of ten records. */
function frame(offset: number, bytes: number, file = 1): CommittedFrame {
  const firstSequence = offset
  const header = {
    payloadBytes: bytes,
    recordCount: 10,
    firstSequence,
    minTimestamp: 0,
    maxTimestamp: 0,
  }
  return { file, offset, bytes, header, streams: [] }
}

const placesOf = (ranges: readonly { file: number; offset: number; bytes: number }[]) =>
  ranges.map(({ file, offset, bytes }) => [file, offset, bytes])

t.test('frames that follow one another make one range, up to a size', async t => {
  const pending = new PendingRanges(new QueriesUnderWay())
  const large = 512 * 1024
  pending.add([frame(20, 80), frame(100, large), frame(100 + large, 7), frame(20, 5, 2)])
  pending.add([frame(40, 5, 2)]) // A gap: a frame between was damaged.
  t.equal(pending.bytes, 80 + large + 7 + 5 + 5)
  t.same(placesOf(pending.take(9)), [
    [1, 20, 80 + large],
    [1, 100 + large, 7],
    [2, 20, 5],
    [2, 40, 5],
  ])
  t.equal(pending.bytes, 0)
  t.ok(pending.isEmpty)
})

t.test('behind a cut a new range begins, and knows its first record', async t => {
  const pending = new PendingRanges(new QueriesUnderWay())
  pending.add([frame(20, 10)])
  pending.cut()
  pending.add([frame(30, 10), frame(40, 10)])
  const ranges = pending.take(2)
  t.same(placesOf(ranges), [
    [1, 20, 10],
    [1, 30, 20],
  ])
  t.match(ranges, [
    { firstSequence: 20, endSequence: 30 },
    { firstSequence: 30, endSequence: 50 },
  ])
})

t.test('what was put back comes first again', async t => {
  const pending = new PendingRanges(new QueriesUnderWay())
  pending.add([frame(20, 10), frame(20, 10, 2), frame(20, 10, 3)])
  const [first, second] = pending.take(2)
  t.equal(pending.bytes, 10)
  pending.putBack([second!])
  t.equal(pending.bytes, 20)
  t.same(placesOf([first!, ...pending.take(9)]), [
    [1, 20, 10],
    [2, 20, 10],
    [3, 20, 10],
  ])
})

t.test('a file cannot be deleted before its ranges are done or given up', async t => {
  const queries = new QueriesUnderWay()
  const pending = new PendingRanges(queries)
  pending.add([frame(20, 10), frame(20, 10, 2)])
  let isFree = false
  const passed = queries.whenPassed().then(() => {
    isFree = true
  })
  const nextTurn = () => new Promise(setImmediate)
  const [taken] = pending.take(1)
  await nextTurn()
  t.notOk(isFree)
  taken!.leave()
  await nextTurn()
  t.notOk(isFree, 'the second range is still there')
  pending.clear()
  await passed
  t.ok(isFree)
})
