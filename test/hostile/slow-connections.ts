/**
 * Connections that cost their owner nothing and would each hold something of the service for ever:
 * headers that come byte by byte, bodies that do, clients that ask for much and never read it. A
 * connection that was closed is followed by another, so that their number stays.
 */
import fs from 'node:fs'
import net from 'node:net'

/** How often it is looked whether the service still has a connection, ms. */
const lookEveryMs = 1_000

/** Time between two bytes of a slow sender, ms. uWebSockets counts any byte as life. */
const byteEveryMs = 5_000

export const slowKinds = ['headers', 'body', 'reader'] as const
export type SlowKind = (typeof slowKinds)[number]

export interface SlowTarget {
  readonly url: string
  readonly token: string
  readonly key: string
}

/** How long connections lived until the service closed them, by kind, ms. */
export type Lifetimes = Readonly<Record<SlowKind, number[]>>

export interface SlowConnections {
  readonly lifetimes: Lifetimes
  /** How many are open. */
  openCount(): number
  /** Resolves when each of the first connections has been closed by the service. */
  readonly allClosedOnce: Promise<void>
  end(): void
}

/** A reader makes the service work for its answer first, and queries have bounds of their own: with
 *  more readers at a time others would be asked to come back. */
const readersMax = 20

/** Opens `count` connections of all kinds, and keeps as many open until `end`. */
export function holdSlowConnections(target: SlowTarget, count: number): SlowConnections {
  const lifetimes: Lifetimes = { headers: [], body: [], reader: [] }
  const sockets = new Set<net.Socket>()
  const firstClosed = Promise.withResolvers<void>()
  let left = count
  let isOver = false
  const open = (kind: SlowKind, isFirst: boolean) => {
    const startedAt = performance.now()
    const socket = connect(kind, target)
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      if (isOver) return
      lifetimes[kind].push(performance.now() - startedAt)
      if (isFirst && --left === 0) firstClosed.resolve()
      open(kind, false)
    })
  }
  // A socket that is never read does not notice that it was closed; Linux tells of the other end.
  const look = setInterval(() => {
    const held = heldPorts(Number(new URL(target.url).port))
    for (const socket of sockets) {
      const isConnected = socket.localPort !== undefined && !socket.connecting
      if (isConnected && socket.isPaused() && !held.has(socket.localPort!)) socket.destroy()
    }
  }, lookEveryMs)
  for (let i = 0; i < count; i++) {
    open(i < readersMax ? 'reader' : i % 2 === 0 ? 'headers' : 'body', true)
  }
  return {
    lifetimes,
    openCount: () => sockets.size,
    allClosedOnce: firstClosed.promise,
    end() {
      isOver = true
      clearInterval(look)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The clients' ports of the connections that a service at `port` of this machine has open. */
function heldPorts(port: number): Set<number> {
  const established = '01'
  const held = new Set<number>()
  for (const line of fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, remote, state] = line.trim().split(/\s+/)
    if (state !== established || portOf(local) !== port) continue
    held.add(portOf(remote))
  }
  return held
}

/** Of an address such as `0100007F:1F90`. */
function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16)
}

function connect(kind: SlowKind, { url, token, key }: SlowTarget): net.Socket {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  if (kind === 'reader') {
    // Asks again and again for what fills every buffer on the way, and takes nothing of it.
    const body = JSON.stringify({ query: 'logs', startTime: 0, endTime: 8.64e15, limit: 1_000 })
    socket.write(head('/api/v1/query/logs', key, body.length) + body)
    socket.pause()
    return socket
  }
  const request =
    kind === 'headers'
      ? head('/api/v1/webhook/event/log', token, 1_000)
      : `${head('/api/v1/webhook/event/log', token, 1_000)}{"message":"${'x'.repeat(900)}`
  // A body's headers come at once, and then one byte at a time; headers come so from the beginning.
  let at = kind === 'headers' ? 1 : request.indexOf('\r\n\r\n') + 5
  socket.write(request.slice(0, at))
  socket.resume()
  const timer = setInterval(() => socket.write(request[at++ % request.length]!), byteEveryMs)
  socket.on('close', () => clearInterval(timer))
  return socket
}

function head(path: string, secret: string, contentLength: number): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${contentLength}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
