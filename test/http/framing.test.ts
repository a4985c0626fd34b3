/**
 * Where a request ends: bytes in, answers out. Refused heads are answered 400 and their connection is
 * closed; nothing of them is carried out, nor anything that follows them.
 */

import { once } from 'node:events'
import net from 'node:net'
import t from 'tap'
import { readToEnd, sendRaw, statusOf, until } from './raw-client.ts'
import { ingestionSecret, keyOf, startServer } from './stand-ins.ts'

const one = '/api/v1/webhook/event/log'
const routes = [
  { path: one, secret: ingestionSecret },
  { path: '/api/v1/webhook/event/logs', secret: ingestionSecret },
  { path: '/api/v1/query/logs', secret: keyOf.viewer },
  { path: '/api/v1/dashboards/nobody', secret: keyOf.viewer }, // No operation takes a POST here.
] as const

const chunked = 'Transfer-Encoding: chunked'
const chunks = '2\r\n{}\r\n0\r\n\r\n'

function post(lines: readonly string[], body: string, { path, secret } = routes[0] as Target) {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    ...lines,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
type Target = { readonly path: string; readonly secret: string }

t.test('a head that does not say where its body ends is 400, and the end', async t => {
  const server = await startServer(t)
  const { port, ingested, selections } = server
  const isRefused = async (field: string, lines: readonly string[], body: string) => {
    for (const route of routes) {
      const received = await sendRaw(port, post(lines, body, route))
      const what = `${route.path}: ${lines.join(', ')}`
      t.equal(statusOf(received), 400, what)
      t.match(received, /^Connection: close\r\n/m, what)
      t.notMatch(received, 'Keep-Alive', what)
      t.match(received, /head_invalid/, what)
      t.match(received, `"field":"${field}"`, what)
      t.equal(received.split('HTTP/1.1 ').length, 2, 'one answer')
    }
  }
  await isRefused('Content-Length', ['Content-Length: 2', 'Content-Length: 3'], '{} ')
  await isRefused('Content-Length', ['Content-Length: 3', 'Content-Length: 2'], '{} ')
  await isRefused('Content-Length', ['Content-Length:'], '')
  await isRefused('Transfer-Encoding', ['Transfer-Encoding: chunked, identity'], chunks)
  await isRefused('Transfer-Encoding', ['Transfer-Encoding: gzip, chunked'], chunks)
  await isRefused('Transfer-Encoding', ['Transfer-Encoding: xchunked'], chunks)
  await isRefused('Transfer-Encoding', ['Transfer-Encoding: chunked;q=1'], chunks)
  await isRefused('Transfer-Encoding', [chunked, chunked], chunks)
  await isRefused('Transfer-Encoding', [chunked, 'Transfer-Encoding: identity'], chunks)
  await isRefused('Transfer-Encoding', ['Transfer-Encoding:'], '')
  await isRefused('Transfer-Encoding', ['Transfer-Encoding:', 'Content-Length: 2'], '{}')
  await isRefused('Content-Length', [chunked, 'Content-Length:'], chunks)
  await isRefused('Trailer', [chunked, 'Trailer: X-Sum'], chunks)
  await isRefused('Host', ['Host: other', 'Content-Length: 2'], '{}')

  const head = await sendRaw(port, 'HEAD /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  t.equal(statusOf(head), 400)
  t.match(head, /\r\n\r\n$/, 'an answer to HEAD has no body')
  t.same([ingested, selections], [[], []])
  t.equal(server.underWayCount, 0)
})

t.test('what uWebSockets refuses itself is 400, and the end', async t => {
  const { port, ingested, url } = await startServer(t)
  const isRefused = async (lines: readonly string[], body: string) => {
    const received = await sendRaw(port, post(lines, body))
    t.equal(statusOf(received), 400, `${lines.join(', ')}: ${JSON.stringify(body)}`)
    t.equal((await fetch(`${url}/health`)).status, 200)
  }
  await isRefused([chunked, 'Content-Length: 2'], chunks)
  await isRefused(['Content-Length: 2', chunked], '{}')
  await isRefused(['Transfer-Encoding: identity'], '{}')
  for (const length of ['-2', '+2', '0x2', '2, 3', '2;', '1e1', '9'.repeat(30)]) {
    await isRefused([`Content-Length: ${length}`], '{}')
  }
  for (const size of ['zz', '-2', '0x2', 'f'.repeat(20), '2;a="b"']) {
    await isRefused([chunked], `${size}\r\n{}\r\n0\r\n\r\n`)
  }
  t.same(ingested, [])
})

t.test('a clear head is taken, in one packet or cut anywhere behind its first line', async t => {
  const server = await startServer(t)
  const close = 'Connection: close'
  const isTaken = async (lines: readonly string[], body: string) => {
    const request = Buffer.from(post([close, ...lines], body))
    const cutFrom = request.indexOf('\r\n') + 2
    const places = Array.from({ length: request.length - cutFrom }, (_, index) => cutFrom + index)
    const answers = await Promise.all(places.map(place => sendCut(server.port, request, place)))
    for (const [index, received] of answers.entries()) {
      t.equal(statusOf(received), 200, `${lines}, cut at ${places[index]}`)
    }
    const whole = statusOf(await sendRaw(server.port, request))
    t.equal(whole, 200, lines.join(', '))
    const taken = server.ingested.splice(0).map(String)
    t.equal(taken.length, places.length + 1)
    t.same(new Set(taken), new Set(['{}']))
  }
  await isTaken(['Content-Length: 2'], '{}')
  await isTaken(['Content-Length: 2', 'Content-Length: 2'], '{}')
  await isTaken([chunked], chunks)
  await isTaken(['transfer-encoding: CHUNKED'], '0001\r\n{\r\n1\r\n}\r\n0\r\n\r\n')
})

t.test('what stands behind a refused head is not carried out', async t => {
  const { port, ingested } = await startServer(t)
  const smuggled = post(['Content-Length: 12'], '{"hidden":1}')
  for (const lines of [
    ['Content-Length: 2', `Content-Length: ${2 + smuggled.length}`],
    ['Content-Length: 2', 'Host: other'],
  ]) {
    await sendRaw(port, post(lines, `{}${smuggled}`))
  }
  for (const encoding of ['xchunked', 'chunked, identity']) {
    await sendRaw(port, post([`Transfer-Encoding: ${encoding}`], chunks + smuggled))
  }
  t.same(ingested, [])
})

t.test('of requests sent together none is carried out unless it is answered', async t => {
  const server = await startServer(t)
  const event = post(['Content-Length: 2'], '{}')
  const chunkedEvent = post([chunked], chunks)
  for (const request of [event.repeat(3), chunkedEvent.repeat(3), event + chunkedEvent]) {
    t.equal(await sendRaw(server.port, request), '', 'closed without an answer')
    t.same(server.ingested, [])
  }
  const query = post(
    ['Content-Length: 43'],
    '{"query":"logs","startTime":1,"endTime":2} ',
    routes[2],
  )
  t.equal(await sendRaw(server.port, event + query), '')
  t.same([server.ingested, server.selections], [[], []])

  // The client tries again, one by one, as RFC 9112, 9.3.2 wants it.
  for (let i = 1; i <= 3; i++) {
    const received = await sendRaw(server.port, event.replace('Host', 'Connection: close\r\nHost'))
    t.equal(statusOf(received), 200)
    t.equal(server.ingested.length, i, 'each is there once')
  }
  await until(() => server.underWayCount === 0)
})

t.test('an event with bytes behind it that are no request is not carried out', async t => {
  const { port, ingested } = await startServer(t)
  const trailers = post([chunked], '2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n')
  t.equal(statusOf(await sendRaw(port, trailers)), 505, 'trailers cannot be read over')
  const other = 'GET / HTTP/3\r\nHost: a\r\n\r\n'
  t.equal(statusOf(await sendRaw(port, post(['Content-Length: 2'], '{}') + other)), 505)
  t.same(ingested, [])
})

/** Sends `request` in two packets, of which the server has read the first before it gets the second. */
async function sendCut(port: number, request: Buffer, place: number): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const received = readToEnd(socket)
  socket.write(request.subarray(0, place))
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
  socket.write(request.subarray(place))
  return received
}
