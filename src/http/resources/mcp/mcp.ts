/** The Model Context Protocol: what assistants such as Claude Code and Cursor ask, with which tools. */

import { Type } from 'typebox'
import { CrossOrigin } from '../../access/cross-origin.ts'
import { requireOwnOrigin } from '../../access/own-page.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { rpcErrors } from './errors.ts'

export type McpDependencies = QueryDependencies & Pick<HttpDependencies, 'catalog' | 'logger'>

const id = Type.Union([Type.Null(), Type.String(), Type.Number()])

const asked = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(id),
    method: Type.String({ description: 'Such as `tools/call`.' }),
    params: Type.Optional(Type.Unknown()),
  },
  { $id: 'JsonRpcRequest', description: 'A request of JSON-RPC 2.0; without `id` a notification.' },
)

const answered = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(id),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Unknown()),
    method: Type.Optional(Type.String()),
    params: Type.Optional(Type.Unknown()),
  },
  {
    $id: 'JsonRpcAnswer',
    description: 'The answer to a request, or, in a stream, a notification, of JSON-RPC 2.0.',
  },
)

const about: Operation = {
  id: 'mcp',
  tag: 'Assistants',
  summary: 'The Model Context Protocol',
  description: `Streamable HTTP, without sessions: each request stands for itself, and is answered as JSON. The tools
are those of the caller's role: fields and values, patterns, what changed, search, count, context, trace, dashboards. Answers are
small: at most \`maxTokens\` tokens, then a cursor, and \`open\`, the address of the page that shows the same.
Revisions 2024-11-05 to 2026-07-28.`,
  headers: {
    'MCP-Protocol-Version': 'The revision of the protocol.',
    'Mcp-Method': 'From 2026-07-28 on: the method that the body has.',
    'Mcp-Name': 'From 2026-07-28 on: the name of the tool, or the address of the resource.',
  },
  body: {
    contents: {
      'application/json': {
        schema: Type.Union([asked, Type.Array(asked)], {
          description: 'A message, or, before revision 2025-06-18, several.',
        }),
      },
    },
  },
  answers: {
    200: {
      description: 'The answers to the requests.',
      contents: {
        'application/json': { schema: Type.Union([answered, Type.Array(answered)]) },
        'text/event-stream': { schema: Type.String(), events: { message: answered } },
      },
    },
    202: { description: 'There were only notifications.' },
  },
  problems: ['cross_site', 'field_invalid', 'not_acceptable'],
  sample: {
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  },
}

export function mcpRoute(dependencies: McpDependencies): DescribedRoute {
  const crossOrigin = new CrossOrigin(dependencies.config.corsOrigins)
  const loaded = async () => new (await import('./serve.ts')).AssistantHandler(dependencies)
  let handler: ReturnType<typeof loaded> | undefined
  return {
    method: 'POST',
    path: '/mcp',
    access: 'viewer',
    body: 'json',
    errors: rpcErrors,
    takesPages: true,
    about,
    async handle(request) {
      // A page that has got itself our address by DNS is no page of ours (the protocol's own demand).
      const { origin } = request.browser
      if (origin !== '' && !crossOrigin.allows(origin)) requireOwnOrigin(request.browser)
      handler ??= loaded()
      return (await handler).handle(request)
    },
  }
}
