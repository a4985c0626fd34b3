/** A server with one streamed answer, and what a test needs to see of it. */

import { once } from 'node:events'
import type net from 'node:net'
import type { Test } from 'tap'
import type { Reply, ReplyStream } from '../../../src/http/reply/reply.ts'
import type { PlainRequest, Route } from '../../../src/http/route.ts'
import { createHttpServer } from '../../../src/http/server.ts'
import { connectRaw } from '../raw-client.ts'
import { standIns } from '../stand-ins.ts'

export interface StreamServerOptions {
  readonly isLive?: boolean
  readonly streamStallMs?: number
}

/** Answers `GET /stream` with what `make` gives, and counts the calls of its `return()`. */
export async function startStreamServer(
  t: Test,
  make: (request: PlainRequest) => ReplyStream,
  { isLive = false, streamStallMs = 30_000 }: StreamServerOptions = {},
) {
  const { dependencies, logged } = standIns()
  const seen = { returns: 0, nexts: 0, logged }
  const reply = (request: PlainRequest): Reply => ({
    status: 200,
    contentType: 'text/plain',
    isLive,
    stream: watched(make(request), seen),
  })
  const plain = { method: 'GET', access: 'open', body: 'none' } as const
  const routes: Route[] = [
    { ...plain, path: '/stream', handle: reply },
    { ...plain, path: '/small', handle: () => ({ status: 200, body: 'small' }) },
  ]
  const listening = { host: '127.0.0.1', port: 0, routes, streamStallMs }
  const server = await createHttpServer({ ...dependencies, ...listening })
  t.teardown(() => server.stop(0))
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}`, seen })
}

function watched(stream: ReplyStream, seen: { returns: number; nexts: number }): ReplyStream {
  return {
    [Symbol.asyncIterator]() {
      const iterator = stream[Symbol.asyncIterator]()
      return {
        next() {
          seen.nexts += 1
          return iterator.next()
        },
        async return() {
          seen.returns += 1
          return (await iterator.return?.()) ?? { done: true, value: undefined }
        },
      }
    },
  }
}

/** A client that asked for the stream and reads nothing until it is resumed. */
export async function connectDeaf(port: number): Promise<net.Socket> {
  const socket = await connectRaw(port, 'GET /stream HTTP/1.1\r\nHost: test\r\n\r\n')
  socket.pause()
  return socket
}

/** The chunks of an answer in chunked transfer coding that `received` begins with. */
export function decodeChunks(received: string): { body: string; isWhole: boolean } {
  let rest = received.slice(received.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const end = rest.indexOf('\r\n')
    const length = end === -1 ? Number.NaN : Number.parseInt(rest.slice(0, end), 16)
    if (Number.isNaN(length)) return { body, isWhole: false }
    if (length === 0) return { body, isWhole: true }
    body += rest.slice(end + 2, end + 2 + length)
    rest = rest.slice(end + 2 + length + 2)
  }
}

export const closing = (socket: net.Socket) => once(socket, 'close')
