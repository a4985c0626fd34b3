/** WebSockets: what comes of messages that are made, and of clients that read slowly or say too much. */
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { ReplyStream } from '../../../src/http/reply/reply.ts'
import type { Route } from '../../../src/http/route.ts'
import { createHttpServer } from '../../../src/http/server.ts'
import { limits } from '../../../src/limits.ts'
import { catalog, keyOf, standIns } from '../stand-ins.ts'

const authorization = `Bearer ${keyOf.viewer}`

async function startSocketServer(t: Test, make: () => ReplyStream, streamStallMs = 30_000) {
  const { dependencies, logged } = standIns()
  const route: Route = {
    method: 'GET',
    path: '/live',
    access: 'viewer',
    body: 'socket',
    handle: () => ({ status: 101, messages: make() }),
  }
  const listening = { host: '127.0.0.1', port: 0, routes: [route], streamStallMs }
  const apiKey = catalog.apiKeys.find(keyOf.viewer)!
  const sessions = { ...catalog.sessions, find: () => ({ secret: 'x', apiKey, expiresAt: 1 }) }
  const own = { catalog: { ...catalog, sessions } }
  const server = await createHttpServer({ ...dependencies, ...own, ...listening })
  t.teardown(() => server.stop(0))
  const connect = (headers: Record<string, string> = { authorization }) =>
    new WebSocket(`ws://127.0.0.1:${server.port}/live`, { headers } as never)
  return { server, logged, connect }
}

const closeOf = async (socket: WebSocket) => {
  const [event] = (await once(socket as never, 'close')) as [{ code: number; reason: string }]
  return [event.code, event.reason]
}

/** What `returned` tells when the iterator was told to end. */
function endless(message: string) {
  const { promise: returned, resolve } = Promise.withResolvers<void>()
  const seen = { made: 0 }
  async function* make() {
    try {
      for (;;) {
        seen.made++
        yield message
        await pause(0)
      }
    } finally {
      resolve()
    }
  }
  return { make, returned, seen }
}

t.test('messages come whole and in order, and the end is a clean one', async t => {
  const sent = ['one', Buffer.from('zwei ✓'), 'x'.repeat(3_000_000), 'last']
  const { server, connect } = await startSocketServer(t, async function* () {
    yield* sent
  })
  const socket = connect()
  const received: string[] = []
  socket.addEventListener('message', ({ data }) => received.push(data))
  t.same(await closeOf(socket), [1000, ''])
  t.same(received, sent.map(String))
  t.equal(server.underWayCount, 0)
  t.same(
    [...server.answers()].map(({ status, count }) => [status, count]),
    [[101, 1]],
  )
})

t.test('a client that goes ends the making of messages', async t => {
  const { make, returned } = endless('tick')
  const { server, connect } = await startSocketServer(t, make)
  const socket = connect()
  await once(socket as never, 'message')
  socket.close()
  await returned
  await pause(10)
  t.equal(server.underWayCount, 0)
})

t.test('messages that are waited for are given up when the client goes', async t => {
  const { promise: waited, resolve } = Promise.withResolvers<IteratorResult<string>>()
  const silent = {
    next: () => waited,
    async return() {
      resolve({ done: true, value: undefined })
      return { done: true, value: undefined } as const
    },
  }
  const { server, connect } = await startSocketServer(t, () => ({
    [Symbol.asyncIterator]: () => silent,
  }))
  const socket = connect()
  await once(socket as never, 'open')
  t.equal(server.underWayCount, 1)
  socket.close()
  await waited
  await pause(10)
  t.equal(server.underWayCount, 0)
})

t.test('no message is made while the client reads nothing, which is then cut off', async t => {
  const { make, returned, seen } = endless('x'.repeat(1_000_000))
  const { server } = await startSocketServer(t, make, 300)
  const socket = net.connect(server.port, '127.0.0.1')
  socket.pause()
  socket.write(
    `GET /live HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await returned
  t.ok(seen.made < 30, `${seen.made} messages were made`)
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'close')
  t.equal(server.underWayCount, 0)
})

t.test('a mistake is logged, and said', async t => {
  const { logged, connect } = await startSocketServer(t, async function* () {
    yield 'one'
    throw new Error('a mistake')
  })
  t.same(await closeOf(connect()), [1011, 'the service made a mistake'])
  t.match(logged, [{ err: { message: 'a mistake' } }])
})

t.test('the service says goodbye when it stops', async t => {
  const { make, returned } = endless('tick')
  const { server, connect } = await startSocketServer(t, make)
  const socket = connect()
  await once(socket as never, 'message')
  const closed = closeOf(socket)
  t.ok(await server.stop(5_000))
  t.same(await closed, [1001, 'the service is stopping'])
  await returned
})

t.test('a client that is quiet or talks is dealt with', async t => {
  t.ok(limits.socketIdleSeconds < 60, 'proxies close quiet connections after a minute')
  const { make } = endless('tick')
  const { connect } = await startSocketServer(t, make)
  const socket = connect()
  await once(socket as never, 'message')
  socket.send('x'.repeat(limits.socketMessageBytesMax))
  await once(socket as never, 'message')
  socket.send('x'.repeat(limits.socketMessageBytesMax + 1))
  t.same((await closeOf(socket))[0], 1006)
})

t.test('only who may gets one', async t => {
  const { make } = endless('tick')
  const { server, connect } = await startSocketServer(t, make)
  for (const headers of [{}, { authorization: 'Bearer nobody' }]) {
    const [event] = await once(connect(headers as never) as never, 'error')
    t.ok(event)
  }
  const plain = await fetch(`http://127.0.0.1:${server.port}/live`, { headers: { authorization } })
  t.equal(plain.status, 400)
  t.match(await plain.json(), { code: 'field_invalid', field: 'Upgrade' })
})

t.test('the cookie of a session counts on our own page only', async t => {
  const { make } = endless('tick')
  const { server, connect } = await startSocketServer(t, make)
  const cookie = `logstrata_session_${server.port}=x`
  const outcome = async (origin: string) => {
    const socket = connect({ cookie, origin })
    const [first] = await Promise.race(
      ['open', 'error'].map(async name => [name, await once(socket as never, name)]),
    )
    socket.close()
    return first
  }
  t.equal(await outcome('http://evil.example'), 'error')
  t.equal(await outcome('http://127.0.0.1:1'), 'error')
  t.equal(await outcome(`http://127.0.0.1:${server.port}`), 'open')
})
