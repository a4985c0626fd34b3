/** How assistants are told of the service: each reads another file, or takes a command. */

import type { Snippet } from './snippet.ts'

export interface AssistantFacts {
  /** Where the service is reached, without a path. */
  readonly origin: string
  /** The API key, or what stands for it. */
  readonly key: string
}

const json = (value: object) => JSON.stringify(value, null, 2)

/** Ready to be pasted. */
export function assistantsFor({ origin, key }: AssistantFacts): readonly Snippet[] {
  const url = `${origin}/mcp`
  const authorization = `Bearer ${key}`
  const server = { url, headers: { Authorization: authorization } }
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      intro: 'For the project in which it is run; with --scope user for all of them.',
      blocks: {
        'In a shell': `claude mcp add --transport http logstrata ${url} --header "Authorization: ${authorization}"`,
      },
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      intro:
        'Its file takes programs only: mcp-remote, which npx fetches, stands between. Settings > Developer > Edit Config opens the file; then quit it and start it again.',
      blocks: { 'claude_desktop_config.json': json(bridged(url, authorization)) },
    },
    {
      id: 'cursor',
      name: 'Cursor',
      intro:
        'For all projects; for one it is .cursor/mcp.json in it. Windsurf and Cline take the same form.',
      blocks: { '~/.cursor/mcp.json': json({ mcpServers: { logstrata: server } }) },
    },
    {
      id: 'vscode',
      name: 'VS Code',
      intro:
        'For one folder; the command “MCP: Open User Configuration” opens the file for all. Copilot asks in its agent mode.',
      blocks: { '.vscode/mcp.json': json({ servers: { logstrata: { type: 'http', ...server } } }) },
    },
    {
      id: 'codex',
      name: 'Codex',
      intro: 'The key is in a variable of the environment from which codex is started.',
      blocks: {
        'In a shell': `export LOGSTRATA_KEY=${key}\ncodex mcp add logstrata --url ${url} --bearer-token-env-var LOGSTRATA_KEY`,
      },
    },
  ]
}

/** The header is in a variable because some shells cut arguments at spaces. */
function bridged(url: string, authorization: string): object {
  const { protocol, hostname } = new URL(url)
  const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(hostname)
  const plain = protocol === 'http:' && !isLoopback ? ['--allow-http'] : []
  const header = ['--header', `Authorization:\${LOGSTRATA_AUTHORIZATION}`]
  return {
    mcpServers: {
      logstrata: {
        command: 'npx',
        args: ['-y', 'mcp-remote', url, ...plain, ...header],
        env: { LOGSTRATA_AUTHORIZATION: authorization },
      },
    },
  }
}
