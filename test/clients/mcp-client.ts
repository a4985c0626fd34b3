/** An assistant: the official client of the Model Context Protocol, over real HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import { adminKey } from '../service/service-process.ts'

/** How it says which revision it speaks: asks first, or as clients of 2025 did. */
export type Era = '2026' | '2025'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type ToolAnswer = any

export interface Assistant {
  readonly client: Client
  /** The answer of a tool that succeeds; fails the test otherwise. */
  ask(tool: string, args?: object): Promise<ToolAnswer>
  /** What a tool says that refuses. */
  refusal(tool: string, args?: object): Promise<ToolAnswer>
}

export async function connect(
  t: Test,
  url: string,
  { key = adminKey, era = '2026' as Era } = {},
): Promise<Assistant> {
  const mode = era === '2026' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  t.teardown(() => client.close())
  const call = async (name: string, args: object) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } })
    const [{ text = '' } = {}] = content as { text?: string }[]
    return { answer: JSON.parse(text), isError: isError === true }
  }
  return {
    client,
    async ask(tool, args = {}) {
      const { answer, isError } = await call(tool, args)
      if (isError) t.fail(`${tool}: ${JSON.stringify(answer)}`)
      return answer
    },
    async refusal(tool, args = {}) {
      const { answer, isError } = await call(tool, args)
      t.ok(isError, `${tool} refuses ${JSON.stringify(args).slice(0, 100)}`)
      return answer
    },
  }
}
