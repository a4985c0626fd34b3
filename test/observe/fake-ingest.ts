/** An address that takes events as the service does, and answers as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listening } from '../listening.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly events: readonly Record<string, unknown>[]
}

/** `answer`: status and headers for the request of this index. */
export async function fakeIngest(
  t: Pick<Test, 'teardown'>,
  answer: (index: number) => [status: number, headers?: Record<string, string>] = () => [200],
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const events = body.split('\n').map(line => JSON.parse(line))
    const [status, headers = {}] = answer(received.length)
    received.push({ path: request.url!, headers: request.headers, events })
    response.writeHead(status, headers).end('{}')
  })
  const { url } = await listening(t, server)
  return { url, received }
}
