/**
 * A stand-in for the operations that the commands ask, which answers as a test tells it to and keeps
 * what was asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Command, commands, runCommand } from '../../src/cli/commands.ts'
import type { Environment } from '../../src/config/settings.ts'
import { listening } from '../listening.ts'
import { type FakeTerminal, fakeTerminal } from './fake-terminal.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly parameters: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Of a JSON body; undefined without one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** An answer as JSON, or whatever the function writes. `attempt` counts requests from 1. */
export type Answering = (asked: Asked, response: ServerResponse, attempt: number) => unknown

export interface FakeApi {
  readonly url: string
  readonly asked: Asked[]
  /** Runs a command line against it, with a key in the environment. */
  run(argv: readonly string[], terminal?: Partial<RunOptions>): Promise<Ran>
}

export interface RunOptions {
  readonly environment: Environment
  readonly terminal: FakeTerminal
}

export interface Ran {
  readonly code: number
  readonly printed: string
  readonly complained: string
}

/** Runs until the test ends. What `answering` returns is sent as JSON, unless it is undefined. */
export async function fakeApi(
  t: { teardown(stop: () => void): void },
  answering: Answering,
): Promise<FakeApi> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
    const text = Buffer.concat(parts).toString()
    const one: Asked = {
      method: request.method ?? '',
      path: pathname,
      parameters: searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    asked.push(one)
    const answer = await answering(one, response, asked.length)
    if (answer !== undefined) response.end(JSON.stringify(answer))
  })
  const { url } = await listening(t, server)
  return {
    url,
    asked,
    run: (argv, { environment, terminal } = {}) =>
      run(
        argv,
        terminal ??
          fakeTerminal({
            environment: { LOGSTRATA_URL: url, LOGSTRATA_KEY: 'a-key', ...environment },
          }),
      ),
  }
}

/** Runs a command line as the program would. */
export async function run(
  argv: readonly string[],
  terminal: FakeTerminal,
  known: readonly Command[] = commands,
): Promise<Ran> {
  const code = await runCommand(argv, terminal, known)
  return { code, printed: terminal.printed(), complained: terminal.complained() }
}

/** Refuses as the service does. */
export function refuse(response: ServerResponse, status: number, problem: object): undefined {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ status, ...problem }))
}
