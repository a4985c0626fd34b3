/**
 * Requests of the Model Context Protocol, carried out by its official SDK. It is loaded when the first of
 * them comes: 300 KB of code that no start should wait for.
 *
 * Of the revision of 2026-07-28 every request stands for itself; of those before each is answered by a server
 * of its own, so that there are no sessions either: any process behind a proxy can answer any request.
 */

import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Reply } from '../../reply/reply.ts'
import type { JsonRequest } from '../../route.ts'
import { assistantServer } from './assistant-server.ts'
import type { McpDependencies } from './mcp.ts'

export class AssistantHandler {
  readonly #dependencies: McpDependencies
  /** Whose request it is, by what the SDK hands through. */
  readonly #requests = new WeakMap<Request, JsonRequest>()
  readonly #modern: McpHttpHandler

  constructor(dependencies: McpDependencies) {
    this.#dependencies = dependencies
    this.#modern = createMcpHandler(
      ({ requestInfo }) => assistantServer(this.#requests.get(requestInfo!)!, dependencies),
      {
        legacy: 'reject',
        onerror: () => {}, // A client's mistake: it is told.
      },
    )
  }

  async handle(request: JsonRequest): Promise<Reply> {
    const web = webRequest(request)
    this.#requests.set(web, request)
    const { body: parsedBody } = request
    const isLegacy = await isLegacyRequest(web, parsedBody)
    const response = isLegacy
      ? await this.#answerLegacy(web, request)
      : await this.#modern.fetch(web, { parsedBody })
    return replyOf(response)
  }

  /** As JSON at once, where the SDK's own way would stream a single event. */
  async #answerLegacy(web: Request, request: JsonRequest): Promise<Response> {
    const server = assistantServer(request, this.#dependencies)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    const close = () => void server.close()
    web.signal.addEventListener('abort', close, { once: true })
    try {
      return await transport.handleRequest(web, { parsedBody: request.body })
    } finally {
      web.signal.removeEventListener('abort', close)
      await server.close()
    }
  }
}

/** What the SDK looks at: headers, and when the client goes. The body it gets parsed. */
function webRequest({ headers, browser, signal }: JsonRequest): Request {
  const { accept, mcpProtocolVersion, mcpMethod, mcpName } = headers
  const sent: [name: string, value: string][] = [
    ['accept', accept],
    ['content-type', browser.contentType],
    ['mcp-protocol-version', mcpProtocolVersion],
    ['mcp-method', mcpMethod],
    ['mcp-name', mcpName],
  ]
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: sent.filter(([, value]) => value !== ''),
    signal: signal(),
  })
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response
  const contentType = headers.get('content-type')
  if (contentType === null) return { status, body: '' }
  // A stream, too: whoever wants to hear of changes is told that there are none, and that is its end.
  return { status, contentType, body: await response.text() }
}
