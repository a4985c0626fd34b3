/**
 * Many connections that send the same body again and again, as soon as they are answered, or when the
 * answer says: `node bench/heavy-senders.ts BASE_URL TOKEN FILE CONNECTIONS SECONDS`.
 *
 * FILE holds the head's own lines (path, type, encoding) as one line of JSON, and then the body. Prints
 * one line of JSON, how often each status was answered; 0 is a connection that ended without an answer.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { HeavyBody } from './heavy-bodies.ts'

export interface HeavyOptions {
  readonly baseUrl: string
  readonly token: string
  readonly body: Omit<HeavyBody, 'kind'>
  readonly connections: number
  /** Each connection sends at least once, and no more after so many seconds; 0: once. */
  readonly seconds: number
}

/** Requests by the status of their answer. */
export type StatusCounts = Record<number, number>

export async function sendHeavy(options: HeavyOptions): Promise<StatusCounts> {
  const { baseUrl, token, body, connections, seconds } = options
  const { host, hostname, port } = new URL(baseUrl)
  const head =
    `POST ${body.path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: ${body.contentType}\r\nContent-Encoding: ${body.encoding}\r\n` +
    `Content-Length: ${body.body.length}\r\nConnection: close\r\n\r\n`
  const request = Buffer.concat([Buffer.from(head), body.body])
  const endAt = performance.now() + seconds * 1000
  const counts: StatusCounts = {}
  const sendInTurn = async () => {
    do {
      const { status, retryAfterSeconds } = await sendOnce(request, hostname, Number(port))
      counts[status] = (counts[status] ?? 0) + 1
      const waitMs = Math.min(retryAfterSeconds * 1000, endAt - performance.now())
      if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs))
    } while (performance.now() < endAt)
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn))
  return counts
}

function sendOnce(request: Buffer, host: string, port: number) {
  return new Promise<{ status: number; retryAfterSeconds: number }>(resolve => {
    let answer = ''
    const socket = connect({ host, port, noDelay: true })
    socket.on('error', () => {}) // It is closed then, too.
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('close', () => {
      const retryAfter = /^retry-after: *(\d+)/im.exec(answer)?.[1]
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)
      resolve({ status, retryAfterSeconds: Number(retryAfter ?? 0) })
    })
    socket.write(request)
  })
}

/** Writes what the program below reads. */
export function writeHeavyFile(path: string, { body, ...head }: HeavyBody): Promise<void> {
  return writeFile(path, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]))
}

if (import.meta.main) {
  const [baseUrl, token, file, connections, seconds] = process.argv.slice(2)
  const bytes = readFileSync(file!)
  const newline = bytes.indexOf('\n')
  const head = JSON.parse(String(bytes.subarray(0, newline))) as Omit<HeavyBody, 'body'>
  const counts = await sendHeavy({
    baseUrl: baseUrl!,
    token: token!,
    body: { ...head, body: bytes.subarray(newline + 1) },
    connections: Number(connections),
    seconds: Number(seconds),
  })
  process.stdout.write(`${JSON.stringify(counts)}\n`)
}
