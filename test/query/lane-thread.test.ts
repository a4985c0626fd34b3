import t, { type Test } from 'tap'
import { Kill, LaneThread } from '../../src/query/lane-thread.ts'

/** What the thread runs: tells when it rests, and does what else it is asked to. */
const program = `
const { workerData } = require('piscina')
let restCount = 0
const heard = []
module.exports = {
  echo: task => task,
  hold: held => { Atomics.wait(held, 0, 0) },
  holdAndCount: held => {
    Atomics.wait(held, 0, 0)
    return Atomics.load(workerData.taskCount, 0)
  },
  rest: () => { restCount++ },
  countRests: () => restCount,
  hear: what => { heard.push(what) },
  listHeard: () => heard,
}
`
const bounds = { turnMs: 50, longMs: 250 }
const whenever = new Kill()

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
  const first = thread.run('holdAndCount', held, whenever)
  const cancelled = new Kill()
  const second = thread.run('echo', 2, cancelled)
  const third = thread.run('echo', 3, whenever)
  t.equal(thread.queueSize, 2)
  cancelled.now()
  await t.rejects(second, { name: 'TaskKilled' })
  t.equal(thread.queueSize, 1)
  Atomics.store(held, 0, 1)
  Atomics.notify(held, 0)
  t.equal(await first, 2, 'the task under way can see that another waits')
  t.equal(await third, 3)
  t.equal(await thread.run('holdAndCount', held, whenever), 1)
})

t.test(
  'a task that is cancelled on the way ends its thread; the next ones get another',
  async t => {
    const thread = threadOf(t)
    const held = new Int32Array(new SharedArrayBuffer(4))
    const cancelled = new Kill()
    const first = thread.run('hold', held, cancelled)
    const second = thread.run('echo', 2, whenever)
    const killed = new Kill()
    killed.now()
    await t.rejects(thread.run('echo', 0, killed), { name: 'TaskKilled' })
    cancelled.now()
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
