/**
 * A sender of single events that keeps to a schedule, as the senders of the world do, however slowly
 * it is answered: `node bench/paced.ts BASE_URL RING CONNECTIONS PER_SECOND SECONDS`.
 *
 * Event n is due n / PER_SECOND seconds after the start. It leaves on the first connection that is
 * free then; when none is, it waits, and its time runs: times are from when it was due to when it was
 * acknowledged, so that a service that stalls is charged for all that had to wait (what wrk2 calls
 * correcting for coordinated omission). Timers of Node wake each millisecond; an event may therefore
 * leave up to a millisecond late, which is in its time and is also told apart, as its delay.
 *
 * An event that holds `sentMark` has the time at which it leaves put there.
 *
 * Prints one line of JSON, a `PacedSummary`. Fails when an answer is not 2xx or a connection ends.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { percentile } from './table.ts'

/** Milliseconds since 1970 with three decimals, as other processes of this machine count them too. */
export const sentMark = '0000000000000.000'

export function clockMs(): number {
  return performance.timeOrigin + performance.now()
}

export interface PacedSummary {
  readonly acknowledged: number
  /** From the start to the last acknowledgement. */
  readonly seconds: number
  /** From due to acknowledged. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
  /** From due to sent. */
  readonly delayP50Ms: number
  readonly delayP99Ms: number
}

interface Connection {
  readonly socket: Socket
  /** The event that waits for its answer. */
  event: number
  received: string
}

export interface PacedOptions {
  readonly baseUrl: string
  /** Requests as they go over the wire, sent in turn, round and round. */
  readonly requests: readonly Buffer[]
  readonly connectionCount: number
  readonly perSecond: number
  readonly seconds: number
}

export async function sendPaced(options: PacedOptions): Promise<PacedSummary> {
  const { baseUrl, requests, connectionCount, perSecond } = options
  const eventCount = Math.round(perSecond * options.seconds)
  const times = new Float64Array(eventCount)
  const delays = new Float64Array(eventCount)
  const free = await Promise.all(Array.from({ length: connectionCount }, () => open(baseUrl)))
  const finished = Promise.withResolvers<void>()
  const marksAt = requests.map(request => request.indexOf(sentMark))

  let nextEvent = 0
  let acknowledged = 0
  const startedAt = performance.now()
  const dueAt = (event: number) => startedAt + (event / perSecond) * 1000

  const sendDue = () => {
    const now = performance.now()
    while (nextEvent < eventCount && dueAt(nextEvent) <= now && free.length > 0) {
      const connection = free.shift()! // All take turns, as all senders of the world do.
      connection.event = nextEvent
      delays[nextEvent] = now - dueAt(nextEvent)
      const request = requests[nextEvent % requests.length]!
      const markAt = marksAt[nextEvent % requests.length]!
      if (markAt !== -1) request.write(clockMs().toFixed(3), markAt, 'latin1')
      connection.socket.write(request)
      nextEvent++
    }
  }
  const connections = [...free]
  for (const connection of connections) {
    const fail = (cause?: Error) => finished.reject(new Error('a connection ended', { cause }))
    connection.socket.on('error', fail).on('close', () => fail())
    connection.socket.on('data', chunk => {
      connection.received += chunk.toString('latin1')
      const status = completeStatus(connection.received)
      if (status === undefined) return
      if (status < 200 || status > 299) {
        finished.reject(new Error(`an event was answered ${connection.received.slice(0, 500)}`))
        return
      }
      times[connection.event] = performance.now() - dueAt(connection.event)
      connection.received = ''
      free.push(connection)
      acknowledged++
      if (acknowledged === eventCount) finished.resolve()
      sendDue()
    })
  }
  const timer = setInterval(sendDue, 1)
  try {
    await finished.promise
  } finally {
    clearInterval(timer)
    for (const { socket } of connections) socket.removeAllListeners('close').destroy()
  }
  return {
    acknowledged,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    mostMs: percentile(times, 100),
    delayP50Ms: percentile(delays, 50),
    delayP99Ms: percentile(delays, 99),
  }
}

/** The requests of a ring's file: each line a token, a tab, and the event as JSON. */
export function readRequests(ringPath: string, host: string): Buffer[] {
  const lines = readFileSync(ringPath, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => {
    const [token, event] = line.split('\t') as [string, string]
    return Buffer.from(
      `POST /api/v1/webhook/event/log HTTP/1.1\r\nHost: ${host}\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(event)}\r\n\r\n${event}`,
    )
  })
}

/** The status of an answer that has come as a whole; undefined before. */
function completeStatus(received: string): number | undefined {
  const headerEnd = received.indexOf('\r\n\r\n')
  if (headerEnd === -1) return undefined
  const length = /\r\ncontent-length: *([0-9]+)/i.exec(received.slice(0, headerEnd))?.[1]
  if (length === undefined) throw new Error(`no content-length: ${received.slice(0, 500)}`)
  const isWhole = received.length >= headerEnd + 4 + Number(length)
  return isWhole ? Number(received.slice(9, 12)) : undefined
}

async function open(baseUrl: string): Promise<Connection> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return { socket, event: -1, received: '' }
}

if (import.meta.main) {
  const [baseUrl, ringPath, connectionCount, perSecond, seconds] = process.argv.slice(2)
  const summary = await sendPaced({
    baseUrl: baseUrl!,
    requests: readRequests(ringPath!, new URL(baseUrl!).host),
    connectionCount: Number(connectionCount),
    perSecond: Number(perSecond),
    seconds: Number(seconds),
  })
  process.stdout.write(`${JSON.stringify(summary)}\n`)
}
