/** Tails whose thread fails, or whose clients go at the wrong moment. The thread is the test's. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { CommittedFrame } from '../../../src/journal/journal.ts'
import { everyRecord } from '../../../src/language/ast.ts'
import { limits } from '../../../src/limits.ts'
import { Tails } from '../../../src/store/tail/tail.ts'
import type { TailResult } from '../../../src/store/tail/task.ts'
import type { TailThread } from '../../../src/store/tail/thread.ts'
import { QueriesUnderWay } from '../../../src/store/view/queries-under-way.ts'
import { startNow } from './store.ts'

type Run = TailThread['run']

/** Tails over a thread that does as `run` says, and what they log. */
function tailsOver(t: Test, run: Run) {
  const log: Record<string, unknown>[] = []
  const tails = new Tails({
    thread: { run, start: () => undefined, close: async () => undefined },
    pathOf: file => `${file}.log`,
    queries: new QueriesUnderWay(),
    logger: pino({ base: null }, { write: line => log.push(JSON.parse(line)) }),
    nextSequence: 0,
  })
  t.teardown(() => tails.close())
  return { tails, log }
}

const findNothing = async () => ({ texts: [], nextSequence: 0 }) as never

function frame(firstSequence: number, bytes = 100): CommittedFrame {
  const times = { minTimestamp: 1, maxTimestamp: 1 }
  const header = { payloadBytes: bytes - 40, recordCount: 1, firstSequence, ...times }
  return { file: 1, offset: 16 + firstSequence * bytes, bytes, header, streams: [] }
}

const found = (query: number): TailResult => ({
  ranges: [[{ query, count: 1, text: undefined }]],
  damagedFrames: 0,
})

t.test('a thread that fails ends the tails with a reason, and the next tail works', async t => {
  let fails = true
  const { tails, log } = tailsOver(t, async ({ queries }) => {
    if (fails) throw new Error('the thread ended')
    return found(queries[0]!.number)
  })
  const tail = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([frame(0)])
  t.match(await tail.next(10_000), { kind: 'ended', reason: /made a mistake/ })
  t.match(log, [{ msg: 'tails were ended', err: { message: 'the thread ended' } }])
  t.equal(tails.clientCount, 0)
  fails = false
  const next = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([frame(1)])
  t.match(await next.next(10_000), { kind: 'dropped', count: 1 })
})

t.test('a tail goes on behind damaged frames, and the log says so', async t => {
  const { tails, log } = tailsOver(t, async ({ queries }) => ({
    ...found(queries[0]!.number),
    damagedFrames: 2,
  }))
  const tail = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([frame(0)])
  t.match(await tail.next(10_000), { kind: 'dropped', count: 1 })
  t.match(log, [{ damagedFrames: 2 }])
})

t.test('tails that are left hopelessly behind are ended', async t => {
  const { tails } = tailsOver(t, async () => {
    throw new Error('nothing of it is tried')
  })
  const tail = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([frame(0, limits.tailBehindBytesMax + 1)])
  t.match(await tail.next(10_000), { kind: 'ended', reason: /faster than/ })
  t.equal(tails.clientCount, 0)
})

t.test('a client that goes while its records are sought is given none', async t => {
  const asked = Promise.withResolvers<number>()
  const answer = Promise.withResolvers<TailResult>()
  const { tails, log } = tailsOver(t, async ({ queries }) => {
    asked.resolve(queries[0]!.number)
    return answer.promise
  })
  const tail = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([])
  tails.committed([frame(0)])
  const number = await asked.promise
  tail.close()
  answer.resolve(found(number))
  await nextTurn()
  t.equal(tails.clientCount, 0)
  t.match(await tail.next(0), { kind: 'ended' })
  t.same(log, [])
})

t.test('a tail whose backlog cannot be found is not left open', async t => {
  const { tails } = tailsOver(t, async () => found(0))
  const fails = async () => {
    throw new Error('the backlog is damaged')
  }
  const opened = tails.open({ selector: everyRecord, start: { last: 5 } }, fails)
  await t.rejects(opened, { message: 'the backlog is damaged' })
  t.equal(tails.clientCount, 0)
})

t.test('closing while the thread still works ends the tails without a complaint', async t => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<TailResult>()
  const { tails, log } = tailsOver(t, async () => {
    asked.resolve()
    return answer.promise
  })
  const tail = await tails.open({ selector: everyRecord, start: startNow }, findNothing)
  tails.committed([frame(0)])
  await asked.promise
  const closed = tails.close()
  answer.reject(new Error('the thread was ended'))
  await closed
  t.match(await tail.next(0), { kind: 'ended', reason: 'the service is stopping' })
  t.same(log, [])
})
