import t from 'tap'
import {
  EventStream,
  type EventStreamOptions,
} from '../../../../src/http/resources/query/event-stream.ts'
import type { Tail, TailEvent } from '../../../../src/store/store.ts'

/** A tail that gives these events, and then none. */
function tailOf(events: readonly TailEvent[]) {
  const left = [...events]
  const waits: number[] = []
  const tail = {
    isClosed: false,
    waits,
    position: '~7',
    async next(waitMs: number) {
      waits.push(waitMs)
      const event = left.shift()
      if (event === undefined) await new Promise(resolve => setTimeout(resolve, waitMs))
      return event
    },
    close() {
      tail.isClosed = true
    },
  }
  return tail satisfies Tail
}

const usual = { isStillGranted: () => true, grantLookMs: 5, heartbeatMs: 10 }

function streamOf(tail: Tail, more: Partial<EventStreamOptions> = {}): EventStream {
  return new EventStream({ ...usual, tail, ...more })
}

/** The next `count` chunks as text; fewer when the stream ends before. */
async function take(stream: EventStream, count: number): Promise<string[]> {
  const chunks: string[] = []
  while (chunks.length < count) {
    const { done, value } = await stream.next()
    if (done) return chunks
    chunks.push(Buffer.from(value).toString())
  }
  return chunks
}

const records = (text: string): TailEvent => ({ kind: 'records', text: Buffer.from(text) })

t.test('the hint when to come back is first, then the events, then the position', async t => {
  const tail = tailOf([records('a\n\n'), { kind: 'dropped', count: 3 }, records('b\n\n')])
  t.same(await take(streamOf(tail), 5), [
    'retry: 1000\n\n',
    'a\n\n',
    'event: dropped\ndata: {"count":3}\n\n',
    'b\n\n',
    ':\nid: ~7\n\n',
  ])
})

t.test('a quiet stream has a heartbeat with the position, now and then', async t => {
  const tail = tailOf([])
  // Often enough that a timer which is late on a busy machine does not count.
  const [, position, ...beats] = await take(streamOf(tail, { heartbeatMs: 150 }), 4)
  t.equal(position, ':\nid: ~7\n\n')
  t.same(beats, [position, position])
  t.equal(tail.waits[0], 0, 'the first comes at once')
  t.ok(tail.waits.length > 4, 'the credential is looked at in between')
})

t.test('a credential that is no longer good ends the stream, with a word', async t => {
  let isGood = true
  const tail = tailOf([records('a\n\n')])
  const stream = streamOf(tail, { isStillGranted: () => isGood, heartbeatMs: 1_000 })
  t.equal((await take(stream, 3)).length, 3)
  isGood = false
  t.same(await take(stream, 9), [': the credential is no longer valid\n\n'])
  t.ok(tail.isClosed)
})

t.test('the end of a tail is the end of the stream, with its reason', async t => {
  const tail = tailOf([{ kind: 'ended', reason: 'enough' }])
  t.same(await take(streamOf(tail), 9), ['retry: 1000\n\n', ': enough\n\n'])
})

t.test('who stops reading lets go of the tail, whether anything was read or not', async t => {
  const unread = tailOf([])
  t.match(await streamOf(unread).return(), { done: true })
  t.ok(unread.isClosed)
  const waiting = tailOf([])
  const stream = streamOf(waiting, { grantLookMs: 60_000, heartbeatMs: 60_000 })
  await take(stream, 2)
  await stream.return()
  t.ok(waiting.isClosed)
  t.match(await stream.next(), { done: true })
})
