import t, { type Test } from 'tap'
import { LaneThread } from '../../src/query/lane-thread.ts'

/** What the thread runs: tells when it rests, and does what else it is asked to. */
const program = `
let restCount = 0
const heard = []
module.exports = {
  echo: task => task,
  hold: held => { Atomics.wait(held, 0, 0) },
  rest: () => { restCount++ },
  countRests: () => restCount,
  hear: what => { heard.push(what) },
  listHeard: () => heard,
}
`
const bounds = { turnMs: 50, longMs: 250 }
const whenever = new AbortController().signal

function threadOf(t: Test, restMs?: number): LaneThread {
  const directory = t.testdir({ 'program.cjs': program })
  const options = { filename: `${directory}/program.cjs`, minThreads: 1 }
  const thread = new LaneThread(options, bounds, restMs)
  t.teardown(() => thread.close())
  return thread
}

t.test('tasks are done in the order in which they came, however many wait', async t => {
  const thread = threadOf(t)
  const done: number[] = []
  let next = 0
  const sendInTurn = async () => {
    while (next < 60) done.push(await thread.run<number>('echo', next++, whenever))
  }
  await Promise.all(Array.from({ length: 4 }, sendInTurn))
  t.same(done, Array.from(done.keys()))
})

t.test('a task that is cancelled while it waits leaves at once, the others stay', async t => {
  const thread = threadOf(t)
  const held = new Int32Array(new SharedArrayBuffer(4))
  const first = thread.run('hold', held, whenever)
  const cancelled = new AbortController()
  const second = thread.run('echo', 2, cancelled.signal)
  const third = thread.run('echo', 3, whenever)
  t.equal(thread.queueSize, 2)
  const { taskCount } = thread.turn(held)
  t.equal(Atomics.load(taskCount!, 0), 3, 'the task under way can see that others wait')
  cancelled.abort(new Error('no longer wanted'))
  await t.rejects(second, { message: 'no longer wanted' })
  t.equal(thread.queueSize, 1)
  Atomics.store(held, 0, 1)
  Atomics.notify(held, 0)
  await first
  t.equal(await third, 3)
  t.equal(Atomics.load(taskCount!, 0), 0)
})

t.test(
  'a task that is cancelled on the way ends its thread; the next ones get another',
  async t => {
    const thread = threadOf(t)
    const held = new Int32Array(new SharedArrayBuffer(4))
    const cancelled = new AbortController()
    const first = thread.run('hold', held, cancelled.signal)
    const second = thread.run('echo', 2, whenever)
    await thread.run('echo', 0, AbortSignal.abort()).catch(() => undefined)
    cancelled.abort()
    await t.rejects(first, { name: 'AbortError' })
    t.equal(await second, 2)
  },
)

t.test('what a thread is told it does in turn; one that does not run is told nothing', async t => {
  const thread = threadOf(t)
  const held = new Int32Array(new SharedArrayBuffer(4))
  const first = thread.run('hold', held, whenever)
  thread.tell('hear', 'a')
  const listed = thread.run('listHeard', undefined, whenever)
  thread.tell('hear', 'b')
  Atomics.store(held, 0, 1)
  Atomics.notify(held, 0)
  await first
  t.same(await listed, ['a'])

  const directory = t.testdir({ 'program.cjs': program })
  const options = { filename: `${directory}/program.cjs`, minThreads: 0, idleTimeout: 10_000 }
  const idle = new LaneThread(options, bounds)
  t.teardown(() => idle.close())
  idle.tell('hear', 'a')
  t.equal(idle.queueSize, 0)
  t.same(await idle.run('listHeard', undefined, whenever), [])
})

t.test('a thread without tasks rests, and works again afterwards', async t => {
  const thread = threadOf(t, 20)
  await thread.run('echo', 1, whenever)
  const countRests = () => thread.run<number>('countRests', undefined, whenever)
  const startedAt = Date.now()
  let rests = 0
  while (rests === 0 && Date.now() - startedAt < 10_000) {
    await new Promise(resolve => setTimeout(resolve, 60))
    rests = await countRests()
  }
  t.ok(rests > 0)
  t.equal(await thread.run('echo', 5, whenever), 5)
})
