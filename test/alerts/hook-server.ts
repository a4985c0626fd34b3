/** A receiver of the test's own, which answers as the test wants. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listening } from '../listening.ts'

export interface HookRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HookServer {
  readonly url: string
  readonly requests: HookRequest[]
  /** Answers the next requests, one each; those after them are answered 200. */
  readonly answers: ((response: ServerResponse) => void)[]
}

/** Closed when the test ends. */
export async function hookServer(t: Pick<Test, 'teardown'>): Promise<HookServer> {
  const requests: HookRequest[] = []
  const answers: HookServer['answers'] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    requests.push({ method, path: url, headers, body })
    const answer = answers.shift() ?? (one => one.end('ok'))
    answer(response)
  })
  const { url } = await listening(t, server)
  return { url: `${url}/hook`, requests, answers }
}

export const status = (code: number) => (response: ServerResponse) => {
  response.statusCode = code
  response.end(`this is ${code}`)
}
export const hang = () => {}

/** A receiver of kind `webhook`, told there. */
export const hookOf = ({ url }: HookServer, more: object = {}) => ({
  id: 'hook',
  name: 'Hook',
  kind: 'webhook',
  webhook: { url, ...more },
})
