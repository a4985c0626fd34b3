/** A receiver of the test's own, which answers as the test wants. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

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
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, requests, answers }
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
