/**
 * The server that one request is answered by, as the SDK of the Model Context Protocol has it: it holds
 * nothing beyond the request. The SDK's own registry of tools wants schemas of another library; ours are
 * TypeBox's, as everywhere.
 */

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { type Role, roleAtLeast } from '../../../catalog/roles.ts'
import { version } from '../../../config/version.ts'
import { schemaJson } from '../../openapi/schema-json.ts'
import { type CallingRequest, callTool } from './call-tool.ts'
import { instructions, languageGuide } from './guide.ts'
import type { McpDependencies } from './mcp.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

const guideUri = 'logstrata://query-language'

/** What each resource is, beside its text. */
const guide = {
  uri: guideUri,
  name: 'query-language',
  title: 'The query language in short',
  description: 'How to write queries: read it before the first one.',
  mimeType: 'text/markdown',
}

let ownVersion: string | undefined

export function assistantServer(request: CallingRequest, dependencies: McpDependencies): Server {
  ownVersion ??= version()
  const server = new Server(
    { name: 'logstrata', title: 'Logstrata', version: ownVersion },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const own = tools.filter(({ access }) => roleAtLeast(roleOf(request), access))
  server.setRequestHandler('tools/list', () => ({ tools: own.map(toolJson) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params
    const tool = own.find(one => one.name === name)
    if (tool === undefined) {
      const detail = `there is no tool "${name.slice(0, 64)}" for this API key`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail)
    }
    const { json, isError } = await callTool(
      { tool, args, signal: mcpReq.signal },
      request,
      dependencies,
    )
    return { content: [{ type: 'text', text: json }], ...(isError && { isError }) }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [guide] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== guideUri) {
      const detail = `there is no resource "${uri.slice(0, 64)}"; resources/list has all`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail)
    }
    return { contents: [{ uri, mimeType: guide.mimeType, text: languageGuide }] }
  })
  return server
}

function roleOf({ caller }: CallingRequest): Role {
  return caller.apiKey?.role ?? 'viewer'
}

function toolJson({ name, title, description, schema, isReadOnly, isDestructive }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaJson(schema) as { type: 'object' },
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isReadOnly,
      openWorldHint: false,
    },
  }
}
