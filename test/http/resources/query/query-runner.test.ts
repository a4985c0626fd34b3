import t from 'tap'
import {
  QueryRunner,
  type QueryRunnerOptions,
} from '../../../../src/http/resources/query/query-runner.ts'

const nobodyLeaves = new AbortController().signal
const runnerOf = (runningMax: number, more: Partial<QueryRunnerOptions> = {}) =>
  new QueryRunner({ runningMax, queueTimeoutMs: 10_000, ...more })
const bounds = { timeoutMs: 10_000, clientSignal: nobodyLeaves }

/** A piece of work that ends when it is told to, and not before. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isStarted = false
  const work = () => {
    isStarted = true
    return promise
  }
  return { work, resolve, reject, isStarted: () => isStarted }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

t.test('queries run up to the limit, the others in the order of arrival', async t => {
  const runner = runnerOf(2)
  const works = [held(), held(), held(), held()]
  const results = Promise.allSettled(works.map(({ work }) => runner.run(work, bounds)))
  const started = async () => {
    await turn()
    return works.map(({ isStarted }) => isStarted())
  }

  t.same(await started(), [true, true, false, false])
  works[1]?.resolve('b')
  t.same(await started(), [true, true, true, false])
  works[0]?.reject(new Error('a'))
  t.same(await started(), [true, true, true, true])
  works[2]?.resolve('c')
  works[3]?.resolve('d')
  t.same(
    (await results).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})

t.test('a query over its deadline is answered at once and keeps its turn to its end', async t => {
  const runner = runnerOf(1)
  const deaf = held()
  const next = held()
  await t.rejects(runner.run(deaf.work, { ...bounds, timeoutMs: 5 }), { code: 'query_timeout' })
  const result = runner.run(next.work, bounds)
  await turn()
  t.equal(next.isStarted(), false)
  deaf.resolve('too late')
  await turn()
  t.equal(next.isStarted(), true)
  next.resolve('done')
  t.equal(await result, 'done')
})

t.test('a turn that does not come before the deadline is an overload, not a timeout', async t => {
  const runner = runnerOf(1)
  const first = held()
  const late = held()
  const result = runner.run(first.work, bounds)
  const refused = runner.run(late.work, { ...bounds, timeoutMs: 5 })
  await t.rejects(refused, { code: 'queries_overloaded' })
  first.resolve('done')
  t.equal(await result, 'done')
  t.equal(late.isStarted(), false)
})

t.test('a client that leaves while it waits gives its place free', async t => {
  const runner = runnerOf(1)
  const works = [held(), held(), held()] as const
  const leaving = new AbortController()
  const first = runner.run(works[0].work, bounds)
  const left = runner.run(works[1].work, { ...bounds, clientSignal: leaving.signal })
  const last = runner.run(works[2].work, bounds)
  leaving.abort()
  await t.rejects(left, { name: 'AbortError' })
  works[0].resolve('first')
  works[2].resolve('last')
  t.same(await Promise.all([first, last]), ['first', 'last'])
  t.equal(works[1].isStarted(), false)
})

t.test('a client that had left before costs nothing', async t => {
  const runner = runnerOf(1)
  const { work, isStarted } = held()
  const gone = { ...bounds, clientSignal: AbortSignal.abort() }
  await t.rejects(runner.run(work, gone), { name: 'AbortError' })
  t.equal(isStarted(), false)
})

t.test('work that throws at once passes its turn on', async t => {
  const runner = runnerOf(1)
  const throwing = () => {
    throw new Error('at once')
  }
  await t.rejects(runner.run(throwing, bounds), { message: 'at once' })
  t.equal(await runner.run(async () => 'next', bounds), 'next')
})

t.test('a turn that does not come within the time for waiting is an overload', async t => {
  const runner = runnerOf(1, { queueTimeoutMs: 5 })
  const first = held()
  const late = held()
  const result = runner.run(first.work, bounds)
  await t.rejects(runner.run(late.work, bounds), {
    code: 'queries_overloaded',
    status: 503,
    extras: { retryAfterSeconds: 1 },
  })
  first.resolve('done')
  t.equal(await result, 'done')
  t.equal(late.isStarted(), false)
  t.equal(await runner.run(async () => 'next', bounds), 'next')
})

t.test('as many wait as there is memory for, and the next is an overload at once', async t => {
  const runner = runnerOf(1, { waitingMax: 2 })
  const works = [held(), held(), held()]
  const results = works.map(({ work }) => runner.run(work, bounds))
  await t.rejects(runner.run(held().work, bounds), { code: 'queries_overloaded' })
  for (const { resolve } of works) resolve('done')
  t.same(await Promise.all(results), ['done', 'done', 'done'])
})

t.test('turns go round among those who ask', async t => {
  const runner = runnerOf(1)
  const order: string[] = []
  const ask = (asker: string, name: string) =>
    runner.run(
      async () => {
        order.push(name)
        await turn()
      },
      { ...bounds, asker },
    )
  const many = Array.from({ length: 4 }, (_, i) => ask('many', `many ${i}`))
  const others = [ask('one', 'one 0'), ask('two', 'two 0'), ask('one', 'one 1')]
  await Promise.all([...many, ...others])
  t.same(order, ['many 0', 'many 1', 'one 0', 'two 0', 'many 2', 'one 1', 'many 3'])
})
