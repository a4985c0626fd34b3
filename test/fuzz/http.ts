/**
 * Bytes that claim to be HTTP, on a socket of a real server. Whatever comes back is HTTP, no answer
 * says that the service made a mistake, the connection ends soon after we have ended our half, and in
 * the end nothing is under way.
 */
import assert from 'node:assert/strict'
import net from 'node:net'
import type { Random } from '../../bench/random.ts'
import { AuthFailures } from '../../src/http/access/auth-failures.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { ingestionSecret, keyOf, standIns } from '../http/stand-ins.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const paths = [
  ...['/health', '/ready', '/metrics', '/openapi.json', '/', '/docs', '/nowhere', '/health?a=b'],
  ...['/api/v1/webhook/event/log', '/api/v1/webhook/event/logs?timestamp_field=t'],
  ...['/api/v1/query/logs', '/api/v1/query/logs/histogram', '/api/v1/query?query=logs'],
  ...['/api/v1/dashboards', '/api/v1/dashboards/known', '/api/v1/dashboards/..%2f..%2fetc'],
  ...['/api/v1/dashboards/%ff', '/api/v1/label/%zz/values', '/api/v1/query?query=%ff&%=%'],
  ...['/api/v1/settings/ingestion-tokens', '/api/v1/session', '/../../etc/passwd', '/%00', '//'],
]
const methods = ['GET', 'POST', 'POST', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'TRACE', 'CONNECT', 'G']
const credentials = [ingestionSecret, ...Object.values(keyOf), 'nobody', '']
const payloads = [
  ...['', '{}', '{"a":1}', '{"query":"logs","startTime":0,"endTime":1}', '[1,2', 'x'.repeat(9_000)],
  ...['query=logs&time=1', '\x1f\x8b\x08', '{"dashboard":{}}'],
]
const words = [
  ...['\r\n', '\n', '\r', '\0', ' ', ':', '\t', '\r\n\r\n', 'Content-Length: 5\r\n', 'chunked'],
  ...['Content-Length: -1\r\n', 'Content-Length: 99999999999999999999\r\n', 'HTTP/1.1', 'HTTP/1.0'],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: identity\r\n', '0\r\n\r\n', 'ffffffff'],
  ...[
    'Expect: 100-continue\r\n',
    'Content-Encoding: gzip\r\n',
    'Host: b\r\n',
    'Content-Length: 2\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Upgrade: websocket\r\n',
  ],
  ...[
    'X: '.padEnd(5_000, 'x'),
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    'Cookie: session=a\r\n',
    '\xff',
  ],
]

/** No body of these is as large; a request that asks for more waits for it, until we end our half. */
const receivedBytesMax = 4 * 1024 * 1024

export async function makeHttp(): Promise<FuzzTarget> {
  const { dependencies, ingested, logged } = standIns()
  const bounds = { failuresMax: Infinity, windowMs: 1, addressesMax: 1, now: () => 0 }
  const authFailures = new AuthFailures(bounds) // Wrong credentials are of no interest here.
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    authFailures,
    ...dependencies,
  })
  const { eventBytesMax, batchBytesMax } = dependencies.config
  return {
    async tryOne(random) {
      const received = await answerTo(server.port, requestBytes(random))
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status)
      assert.ok(received === '' || /^HTTP\/1\.1 \d{3} /.test(received), 'the answer is no HTTP')
      assert.ok(!statuses.includes('500'), received.slice(0, 500))
      for (const body of ingested.splice(0)) {
        assert.ok(body.length <= Math.max(eventBytesMax, batchBytesMax))
      }
    },
    async end() {
      const last = await answerTo(server.port, Buffer.from(requestText('GET', '/health', [], '')))
      const giveUpAt = performance.now() + 15_000 // The idle timeout, at most.
      while (server.underWayCount > 0 && performance.now() < giveUpAt) {
        await new Promise(setImmediate)
      }
      const { underWayCount, bodyBytesHeld } = server
      await server.stop(1_000)
      assert.match(last, /^HTTP\/1\.1 200 /)
      assert.deepEqual({ underWayCount, bodyBytesHeld }, { underWayCount: 0, bodyBytesHeld: 0 })
      assert.deepEqual(logged, [], 'nothing was the fault of the service')
    },
  }
}

function requestBytes(random: Random): Buffer {
  const requests = Array.from({ length: 1 + random.skewedBelow(4) }, () => {
    const payload = random.pick(payloads)
    const isChunked = random.below(5) === 0
    const headers = [
      `Authorization: Bearer ${random.pick(credentials)}`,
      `Content-Type: ${random.pick(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])}`,
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(payload)}`,
      ...(random.below(4) === 0 ? ['Content-Encoding: gzip'] : []),
    ]
    const body = isChunked ? `${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n` : payload
    return requestText(random.pick(methods), random.pick(paths), headers, body)
  })
  const whole = Buffer.from(requests.join(''), 'latin1')
  return random.below(8) === 0 ? whole : mutate(whole, random, words)
}

function requestText(method: string, path: string, headers: readonly string[], body: string) {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: test', ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** Sends all, ends our half, and gives what comes until the server closes, or says that it will: of a
 *  refused body it may read no more, and then it sees our end only when its patience is over. */
function answerTo(port: number, request: Buffer): Promise<string> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', text => {
      if (received.length < receivedBytesMax) received += text
      if (/^Connection: close\r\n[\s\S]*\r\n\r\n/m.test(received)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
    socket.end(request)
  })
}
