/**
 * Connections that are no HTTP, or hardly: heads that do not say where their body ends, chunks that are none,
 * and requests sent together. Each is closed by the service, and followed by another. And, for
 * comparison, connections that ask once and then are idle.
 */
import net from 'node:net'
import type { SlowTarget } from './slow-connections.ts'

export const rudeKinds = ['malformed', 'pipelined', 'idle'] as const
export type RudeKind = (typeof rudeKinds)[number]

/** Before a connection that was closed is followed by another, ms. */
const againAfterMs = 100

export interface RudeConnections {
  /** How many the service has closed. */
  closedCount(): number
  end(): void
}

/** Opens `count` connections of one kind, and keeps as many open until `end`. */
export function holdRudeConnections(
  kind: RudeKind,
  target: SlowTarget,
  count: number,
): RudeConnections {
  const requests = requestsOf(kind, target)
  const port = Number(new URL(target.url).port)
  const sockets = new Set<net.Socket>()
  let closedCount = 0
  let isOver = false
  const open = (index: number) => {
    if (isOver) return
    const socket = net.connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(requests[index % requests.length]!)
    socket.resume()
    socket.on('close', () => {
      sockets.delete(socket)
      if (isOver) return
      closedCount++
      setTimeout(open, againAfterMs, index + 1)
    })
  }
  for (let i = 0; i < count; i++) open(i)
  return {
    closedCount: () => closedCount,
    end() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

function requestsOf(kind: RudeKind, { token, key }: SlowTarget): readonly string[] {
  const event = (lines: string, body: string) =>
    `POST /api/v1/webhook/event/log HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\n${lines}\r\n\r\n${body}`
  const chunked = 'Transfer-Encoding: chunked'
  if (kind === 'idle') return ['GET /health HTTP/1.1\r\nHost: test\r\n\r\n']
  if (kind === 'malformed') {
    return [
      event('Content-Length: 2\r\nContent-Length: 3', '{} '),
      event('Transfer-Encoding: xchunked', '2\r\n{}\r\n0\r\n\r\n'),
      event(`${chunked}\r\nContent-Length: 2`, '{}'),
      event(chunked, 'zz\r\n{}\r\n0\r\n\r\n'),
      event(chunked, '2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n'),
      '\0\x01\x02\xff\r\n\r\n',
    ]
  }
  const body = '{"query":"count(logs)","startTime":0,"endTime":1}'
  const query =
    `POST /api/v1/query/logs HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  return [event('Content-Length: 2', '{}').repeat(100), query.repeat(100)]
}
