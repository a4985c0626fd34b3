/**
 * A stand-in for the service: takes batches as CONTRACT 4 says, keeps what came, and answers otherwise
 * when a test tells it to.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { listening } from '../listening.ts'

export interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** The decoded body, without the last line feed. */
  readonly lines: readonly string[]
}

/** Answers one request itself and returns true, or returns false for the usual answer. */
export type Answering = (received: Received, response: ServerResponse, attempt: number) => boolean

export interface FakeService {
  readonly url: string
  readonly received: Received[]
  /** All lines of all requests, in order of arrival. */
  lines(): string[]
}

/** Runs until the test ends. `attempt` counts requests from 1. */
export async function fakeService(
  t: { teardown(stop: () => void): void },
  answering: Answering = () => false,
): Promise<FakeService> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) {
      parts.push(part)
    }
    const body = Buffer.concat(parts)
    const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const lines = plain.toString('utf8').split('\n').slice(0, -1)
    const one = { url: request.url ?? '', headers: request.headers, lines }
    received.push(one)
    if (!answering(one, response, received.length)) {
      reply(response, 200, judge(lines))
    }
  })
  const { url } = await listening(t, server)
  return {
    url,
    received,
    lines: () => received.flatMap(({ lines }) => lines),
  }
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, headers).end(JSON.stringify(body))
  return true
}

const unexpected = { code: 'json_invalid', detail: 'unexpected token' }

/** What the service says of each line: JSON is accepted, anything else rejected. */
function judge(lines: readonly string[]) {
  const errors = lines.flatMap((line, index) =>
    isJson(line) ? [] : [{ ...unexpected, index, position: { line: index + 1 } }],
  )
  return {
    accepted: lines.length - errors.length,
    rejected: errors.length,
    errors: errors.slice(0, 100),
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
