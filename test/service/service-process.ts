/**
 * The real service as a process of its own, and a client that speaks to it over HTTP only: what whole
 * tests are made of.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { builtProgram, passedOn } from '../built.ts'
import { conforms, endChecks } from '../http/conforms.ts'
import { describedService } from './described-service.ts'
import { endWithThisProcess } from './end-with-this-process.ts'

export const adminKey = 'admin-key-of-the-tests'
const allTimes = { startTime: 0, endTime: 8.64e15 }
const ownProgram = await builtProgram()
const described = await describedService()

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** All that was printed so far. */
  readonly output: { stdout: string; stderr: string }
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  makeKey(role: string): Promise<string>
  makeToken(serviceName?: string, environment?: string): Promise<string>
  /** Sends one event, or several, all of which must be stored. `timeField`: the one that has their time. */
  send(token: string, events: object, timeField?: string): Promise<void>
  /** Queries over all times. */
  query(query: string, more?: object): Promise<Answer>
  /** The records of an export, of all times where `more` says no others. */
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape.
  exported(query: string, more?: object): Promise<any[]>
  /** Resolves with the exit code, or the signal's name if that ended it. */
  readonly exit: Promise<number | string>
  /** Sends a signal and resolves with the exit code, or the signal's name if that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | string>
}

export interface CallOptions {
  /** Credential; the admin key when absent, none when null. */
  readonly token?: string | null
  /** Sent as JSON, a string or bytes as they are. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface StartOptions {
  readonly flags?: readonly string[]
  readonly environment?: Record<string, string>
  /** Runs through this command, such as `['unshare', '-rm']`. */
  readonly through?: readonly string[]
  /** Instead of Node and the built program, such as `['npm', 'start', '--']`. */
  readonly command?: readonly string[]
}

/** Starts the service of a test, which ends with it. */
export async function startServiceOf(
  t: Test,
  dataDir: string,
  options: StartOptions = {},
): Promise<ServiceProcess> {
  const service = await startService(dataDir, options)
  t.teardown(() => service.end('SIGKILL'))
  return service
}

/** Starts the service and resolves when it listens. Rejects with its output when it does not. */
export async function startService(
  dataDir: string,
  options: StartOptions = {},
): Promise<ServiceProcess> {
  const child = spawnService(['--data-dir', dataDir, ...(options.flags ?? [])], options)
  const output = gatherOutput(child)
  const url = await listeningUrl(child, output)
  conforms(url, described)
  const exit = once(child, 'exit').then(([code, endedBy]) => {
    endChecks(url)
    return code ?? endedBy
  })

  const call: ServiceProcess['call'] = async (method, path, { token, body, headers } = {}) => {
    const credential = token === null ? {} : { authorization: `Bearer ${token ?? adminKey}` }
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...credential, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }

  return {
    url,
    pid: child.pid!,
    exit,
    output,
    call,
    async makeKey(role) {
      const body = { name: `the ${role} of the tests`, role }
      return (await call('POST', '/api/v1/settings/api-keys', { body })).body.key
    },
    async makeToken(serviceName = 'checkout', environment = 'test') {
      const body = { serviceName, environment }
      const answer = await call('POST', '/api/v1/settings/ingestion-tokens', { body })
      return answer.body.token
    },
    async send(token, events, timeField) {
      const path = `/api/v1/webhook/event/${Array.isArray(events) ? 'logs' : 'log'}`
      const parameters = timeField === undefined ? '' : `?timestamp_field=${timeField}`
      const answer = await call('POST', path + parameters, { token, body: events })
      const { accepted } = answer.body
      const count = Array.isArray(events) ? events.length : 1
      if (accepted !== count) throw new Error(`events were answered ${JSON.stringify(answer)}`)
    },
    query: (query, more = {}) =>
      call('POST', '/api/v1/query/logs', { body: { query, ...allTimes, ...more } }),
    async exported(query, more = {}) {
      const body = { query, ...allTimes, ...more }
      const answer = await call('POST', '/api/v1/query/logs/export', { body })
      const lines: string[] = answer.body.split('\n')
      assert.equal(lines.pop(), '', 'an export ends with a whole line')
      return lines.map(line => JSON.parse(line))
    },
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return exit
    },
  }
}

/** Starts the service's program with any arguments; standard input is closed. */
export function spawnService(argv: readonly string[], options: StartOptions = {}): ChildProcess {
  const program = options.command ?? [process.execPath, ownProgram, 'serve']
  const own = [...program, '--port', '0', ...argv]
  const [command, ...rest] = [...(options.through ?? []), ...own]
  // What it asks itself first is the subject of none, and half a second of a core for each start.
  const usual = { LOGSTRATA_ADMIN_KEY: adminKey, LOGSTRATA_WARM_UP: 'off' }
  const environment = { ...usual, ...options.environment }
  const child = spawn(command!, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...passedOn(), ...environment },
  })
  endWithThisProcess(child)
  return child
}

export function gatherOutput(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout!.on('data', chunk => {
    output.stdout += chunk
  })
  child.stderr!.on('data', chunk => {
    output.stderr += chunk
  })
  return output
}

async function listeningUrl(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  for await (const line of lines) {
    const match = /^listening on (https?:\/\/\S+)$/.exec(line)
    if (match) {
      lines.close()
      child.stdout!.resume()
      return match[1]!
    }
  }
  throw new Error(`the service did not start: ${output.stdout}${output.stderr}`)
}
