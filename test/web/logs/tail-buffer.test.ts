import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { AnswerRecord } from '../../../src/web/api/records.ts'
import { TailBuffer } from '../../../src/web/logs/tail-buffer.ts'

function record(id: string, timestamp = 0): AnswerRecord {
  return { id, timestamp, log_level: 'info', message: id, attributes: {} }
}

function filled(max: number, count: number, now = 0): TailBuffer {
  const buffer = new TailBuffer(max)
  for (let i = 0; i < count; i++) buffer.add(record(`${i}`), now)
  return buffer
}

const ids = ({ shown }: { shown: readonly AnswerRecord[] }) => shown.map(({ id }) => id)

t.test('the newest stand first, and only so many are kept', async t => {
  const buffer = filled(3, 2)
  t.same(ids(buffer.look(0)), ['1', '0'])
  buffer.add(record('2'), 0)
  buffer.add(record('3'), 0)
  t.same(ids(buffer.look(0)), ['3', '2', '1'])
})

t.test('records stand in order of their time, whenever they arrive', async () => {
  const batches = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 5 }), { maxLength: 6 })
  fc.assert(
    fc.property(batches, fc.integer({ min: 5, max: 20 }), (all, max) => {
      const buffer = new TailBuffer(max)
      const arrived: AnswerRecord[] = []
      let shown: readonly AnswerRecord[] = []
      for (const times of all) {
        for (const time of times) {
          arrived.push(record(`${arrived.length}`, time))
          buffer.add(arrived.at(-1)!, 0)
        }
        ;({ shown } = buffer.look(0))
      }
      // As in an answer: the latest first, and of the same time the one that arrived last.
      const expected = arrived.toReversed().sort((a, b) => b.timestamp - a.timestamp)
      assert.deepEqual(ids({ shown }), ids({ shown: expected.slice(0, max) }))
    }),
  )
})

t.test('while it is paused nothing shown changes; after that all that waited is there', async t => {
  const buffer = filled(10, 1)
  const before = buffer.look(0)
  buffer.pause()
  buffer.add(record('1'), 0)
  const paused = buffer.look(0)
  t.equal(paused.shown, before.shown, 'the very same list')
  t.match(paused, { isPaused: true, waiting: 1 })
  buffer.resume()
  const resumed = buffer.look(0)
  t.same(ids(resumed), ['1', '0'])
  t.match(resumed, { isPaused: false, waiting: 0 })
})

t.test('what waits has a bound, and what is left out is counted', async t => {
  const buffer = new TailBuffer(3)
  buffer.pause()
  for (let i = 0; i < 7; i++) buffer.add(record(`${i}`), 0)
  buffer.addDropped(10)
  t.match(buffer.look(0), { waiting: 3, dropped: 14 })
  buffer.resume()
  t.same(ids(buffer.look(0)), ['6', '5', '4'])
})

t.test('the rate is that of the last five seconds, without what was there before', async t => {
  const buffer = filled(100, 10, 1_000)
  buffer.add(record('old'), 1_000, false)
  t.equal(buffer.look(1_000).rate, 2)
  for (let i = 0; i < 20; i++) buffer.add(record(`b${i}`), 4_000)
  t.equal(buffer.look(4_000).rate, 6)
  t.equal(buffer.look(6_500).rate, 4)
  t.equal(buffer.look(60_000).rate, 0)
})

t.test('clearing empties it', async t => {
  const buffer = filled(10, 3)
  buffer.look(0)
  buffer.addDropped(1)
  buffer.clear()
  t.match(buffer.look(0), { shown: [], waiting: 0, dropped: 0 })
})
