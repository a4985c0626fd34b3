import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { createHttpServer } from '../../src/http/server.ts'
import { connectRaw, postHead, readToEnd, statusOf, until } from './raw-client.ts'
import { ingestionSecret, standIns, startServer } from './stand-ins.ts'

const run = promisify(execFile)
const one = '/api/v1/webhook/event/log'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`

/** A server with one event under way, until `finish` is called. */
async function startBusy(t: Parameters<typeof startServer>[0]) {
  let finish = () => {}
  const held = new Promise<void>(resolve => {
    finish = resolve
  })
  const batch = async () => ({ accepted: 0, rejected: 0, errors: [] })
  const server = await startServer(t, { ingest: { one: () => held, batch } })
  const event = `${postHead(one, ingestionSecret, ['Content-Length: 2'])}{}`
  const socket = await connectRaw(server.port, event)
  await until(() => server.underWayCount === 1)
  return { server, finish, answer: readToEnd(socket) }
}

t.test('stopping answers what is under way, and then closes', async t => {
  const { server, finish, answer } = await startBusy(t)
  const stopped = server.stop(10_000)
  finish()
  t.equal(statusOf(await answer), 200)
  t.equal(await stopped, true)
  await t.rejects(fetch(`${server.url}/health`))
})

t.test('while stopping, new connections are refused and open ones told', async t => {
  const { server, finish } = await startBusy(t)
  const idle = await connectRaw(server.port, get('/health'))
  await once(idle, 'data')
  const stopped = server.stop(10_000)
  await t.rejects(fetch(`${server.url}/health`))
  const answer = readToEnd(idle)
  idle.write(get('/health'))
  const text = await answer
  t.equal(statusOf(text), 503)
  t.match(text, /"code":"stopping"/)
  t.match(text, /connection: close/i)
  t.match(text, /retry-after: 1/i)
  finish()
  t.equal(await stopped, true)
})

t.test('while stopping, an event that was refused is not taken', async t => {
  const { server, finish } = await startBusy(t)
  const idle = await connectRaw(server.port, get('/health'))
  await once(idle, 'data')
  const stopped = server.stop(10_000)
  const answer = readToEnd(idle)
  idle.write(`${postHead(one, ingestionSecret, ['Content-Length: 2'])}{}`)
  await until(() => [...server.answers()].some(({ status }) => status === 503))
  finish()
  t.equal(await stopped, true)
  t.equal(statusOf(await answer), 503)
})

t.test('stopping ends at its limit, whatever is under way', async t => {
  const { server, answer } = await startBusy(t)
  t.equal(await server.stop(10), false)
  t.equal(await answer, '', 'cut off: never a false 200')
})

t.test('stopping twice is stopping once', async t => {
  const server = await startServer(t)
  t.same(await Promise.all([server.stop(1_000), server.stop(1_000)]), [true, true])
  t.equal(await server.stop(1_000), true)
})

t.test('stopping closes idle connections', async t => {
  const server = await startServer(t)
  const idle = await connectRaw(server.port, get('/health'))
  await once(idle, 'data')
  const closed = once(idle, 'close')
  await server.stop(1_000)
  await t.resolves(closed)
})

t.test('a port that is taken is an error that says so', async t => {
  const server = await startServer(t)
  const listen = (host: string, port: number) =>
    createHttpServer({ ...standIns().dependencies, host, port })
  const refusal = { message: /^cannot listen on / }
  await t.rejects(listen('127.0.0.1', server.port), refusal)
  await t.rejects(listen('256.0.0.1', 0), refusal)
})

t.test('a port is not shared with a second service in silence', async t => {
  const { port, stop } = await startServer(t)
  await stop(0) // Linux never shares a port that it chose, so it must be asked for by number.
  const { dependencies } = standIns()
  const server = await createHttpServer({ ...dependencies, host: '127.0.0.1', port })
  t.teardown(() => server.stop(0))
  const script = fileURLToPath(new URL('./second-server.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [script, String(port)])
  t.match(stdout, /^cannot listen on /)
})
