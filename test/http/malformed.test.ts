import fc from 'fast-check'
import t from 'tap'
import { longRuns } from '../long-runs.ts'
import { connectRaw, postHead, readToEnd, sendRaw, statusOf, until } from './raw-client.ts'
import { ingestionSecret, startServer } from './stand-ins.ts'

const host = 'Host: test\r\n'
const close = 'Connection: close\r\n'
const one = '/api/v1/webhook/event/log'
const auth = `Authorization: Bearer ${ingestionSecret}\r\nContent-Type: application/json\r\n`
const post = `POST ${one} HTTP/1.1\r\n${host}${auth}`

t.test('requests that are no HTTP are refused, and the next good one is answered', async t => {
  const server = await startServer(t)
  const isRefused = async (name: string, request: string) => {
    const status = statusOf(await sendRaw(server.port, Buffer.from(request, 'latin1')))
    t.ok(status >= 400 && status < 600, `${name}: ${status}`)
    t.equal((await fetch(`${server.url}/health`)).status, 200, name)
    t.equal(server.underWayCount, 0, name)
  }

  await isRefused('bytes', '\x00\x01\x02\xff\r\n\r\n')
  await isRefused('line feeds alone', 'GET /health HTTP/1.1\nHost: a\n\n')
  await isRefused('HTTP/1.0', `GET /health HTTP/1.0\r\n${host}\r\n`)
  await isRefused('HTTP/3', `GET /health HTTP/3\r\n${host}\r\n`)
  await isRefused('the absolute form', `GET http://a/health HTTP/1.1\r\n${host}\r\n`)
  await isRefused('NUL in the path', `GET /hea\x00lth HTTP/1.1\r\n${host}${close}\r\n`)
  await isRefused(
    '5 KiB of headers',
    `GET /health HTTP/1.1\r\n${host}X: ${'x'.repeat(5_000)}\r\n\r\n`,
  )
  const headers = Array.from({ length: 101 }, (_, index) => `X${index}: 1\r\n`).join('')
  await isRefused('101 headers', `GET /health HTTP/1.1\r\n${host}${headers}\r\n`)
  const both = 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'
  await isRefused('two lengths of a body', `${post}${both}\r\n0\r\n\r\n`)
  await isRefused('a length below 0', `${post}Content-Length: -3\r\n\r\nabc`)
  await isRefused('a length in letters', `${post}Content-Length: two\r\n\r\n{}`)
  await isRefused('a huge length', `${post}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`)
  await isRefused(
    'a bad chunk size',
    `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  )
  await isRefused(
    'a huge chunk',
    `${post}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n{}`,
  )
  t.same(server.ingested, [])
})

t.test('requests in one packet are answered in turn, as far as answers come at once', async t => {
  const { port } = await startServer(t)
  const get = `GET /health HTTP/1.1\r\n${host}\r\n`
  const last = `GET /health HTTP/1.1\r\n${host}${close}\r\n`
  const received = await sendRaw(port, get.repeat(99) + last)
  t.equal(received.split('{"status":"ok"}').length - 1, 100)
})

t.test('an event sent behind one that is being stored closes the connection', async t => {
  const taken: string[] = []
  const { promise: held, resolve: finish } = Promise.withResolvers<void>()
  const server = await startServer(t, {
    ingest: {
      one: body => {
        taken.push(String(body))
        return held
      },
      batch: async () => ({ accepted: 0, rejected: 0, errors: [] }),
    },
  })
  const event = `${post}Content-Length: 2\r\n\r\n{}`
  const socket = await connectRaw(server.port, event)
  await until(() => taken.length === 1)
  socket.write(event)
  t.equal(await readToEnd(socket), '')
  finish()
  await until(() => server.underWayCount === 0)
  t.same(taken, ['{}'], 'the first was taken; the other never was')
})

t.test('a client that closes its sending half leaves nothing behind', async t => {
  const server = await startServer(t)
  const head = postHead(one, ingestionSecret, ['Content-Length: 10'])
  const socket = await connectRaw(server.port, `${head}{`)
  await until(() => server.underWayCount === 1)
  socket.end()
  await readToEnd(socket)
  await until(() => server.underWayCount === 0)
  t.same(server.ingested, [])
})

t.test('no mutation of a good request stops the service', async t => {
  const server = await startServer(t)
  const good = Buffer.from(`${post}${close}Content-Length: 7\r\n\r\n{"a":1}`)
  const mutation = fc.record({
    offset: fc.nat(good.length - 1),
    byte: fc.nat(255),
    kind: fc.constantFrom('replace', 'insert', 'cut', 'repeat'),
  })
  const mutate = (
    request: Buffer,
    { offset, byte, kind }: { [K in 'offset' | 'byte']: number } & { kind: string },
  ) => {
    const at = offset % request.length
    const [before, after] = [request.subarray(0, at), request.subarray(at)]
    if (kind === 'replace') {
      return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
    }
    if (kind === 'insert') {
      return Buffer.concat([before, Buffer.from([byte]), after])
    }
    return kind === 'cut'
      ? Buffer.concat([before, Buffer.from('\r\n')])
      : Buffer.concat([request, after])
  }
  const survives = fc.asyncProperty(
    fc.array(mutation, { minLength: 1, maxLength: 5 }),
    async mutations => {
      const request = mutations.reduce(mutate, good)
      const socket = await connectRaw(server.port, '')
      socket.end(request) // What is left incomplete ends here, rather than at the idle timeout.
      await readToEnd(socket)
      return (await fetch(`${server.url}/health`)).ok
    },
  )
  await t.resolves(fc.assert(survives, longRuns(300)))
  await until(() => server.underWayCount === 0)
  t.ok(server.ingested.every(body => body.length <= 1_000))
})
