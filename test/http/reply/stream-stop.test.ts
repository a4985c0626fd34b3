import t from 'tap'
import { readToEnd, until } from '../raw-client.ts'
import { connectDeaf, decodeChunks, startStreamServer } from './stream-server.ts'

const never = new Promise<never>(() => undefined)

/** Resolves when `signal` aborts. */
const abortOf = (signal: AbortSignal) =>
  new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))

t.test('stopping ends a live stream cleanly and at once', async t => {
  const server = await startStreamServer(
    t,
    async function* ({ signal }) {
      yield 'first'
      await abortOf(signal())
    },
    { isLive: true },
  )
  const response = await fetch(`${server.url}/stream`)
  const stopped = server.stop(10_000)
  t.equal(await response.text(), 'first')
  t.equal(await stopped, true)
  t.equal(server.seen.returns, 1)
  t.same(server.seen.logged, [])
})

t.test('a stream that has begun is under way, and nobody waits for its answer', async t => {
  const server = await startStreamServer(
    t,
    async function* ({ signal }) {
      yield 'first'
      await abortOf(signal())
    },
    { isLive: true },
  )
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/stream`, { signal: leaving.signal })
  t.ok(response.ok)
  t.equal(server.underWayCount, 1)
  t.equal(server.awaitedCount, 0)
  leaving.abort()
  await until(() => server.underWayCount === 0)
  t.equal(server.awaitedCount, 0)
})

t.test('stopping ends a live stream that has not yet said anything', async t => {
  const server = await startStreamServer(
    t,
    async function* ({ signal }) {
      await abortOf(signal())
      yield 'too late'
    },
    { isLive: true },
  )
  const response = fetch(`${server.url}/stream`)
  await until(() => server.seen.nexts === 1)
  const stopped = server.stop(10_000)
  t.equal(await (await response).text(), '')
  t.equal(await stopped, true)
})

t.test('stopping ends a live stream whose client does not read', async t => {
  const server = await startStreamServer(
    t,
    async function* () {
      for (;;) yield 'x'.repeat(100_000)
    },
    { isLive: true },
  )
  const socket = await connectDeaf(server.port)
  await until(() => server.seen.nexts > 3)
  t.equal(await server.stop(10_000), true)
  t.equal(server.seen.returns, 1)
  socket.destroy()
})

t.test('stopping waits for a stream that ends by itself', async t => {
  const rest = Promise.withResolvers<void>()
  const server = await startStreamServer(t, async function* () {
    yield 'first '
    await rest.promise
    yield 'last'
  })
  const response = await fetch(`${server.url}/stream`)
  const stopped = server.stop(10_000)
  rest.resolve()
  t.equal(await response.text(), 'first last')
  t.equal(await stopped, true)
  t.equal(server.seen.returns, 0)
})

t.test('a stream that is cut by the limit of stopping is seen to be cut', async t => {
  const server = await startStreamServer(t, async function* () {
    yield 'first'
    await never
  })
  const socket = await connectDeaf(server.port)
  await until(() => server.seen.nexts === 2)
  t.equal(await server.stop(10), false)
  t.equal(server.seen.returns, 1)
  const received = readToEnd(socket)
  socket.resume()
  t.equal(decodeChunks(await received).isWhole, false)
})
