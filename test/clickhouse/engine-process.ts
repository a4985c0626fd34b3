/** An engine as a process of its own, with its own data directory: what it holds outlives its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import type { Faults } from './engine/faults.ts'

const program = join(import.meta.dirname, 'engine/server.ts')
/** Stripping types takes a fifth of what a start costs. */
const keptCode = `--import=${join(import.meta.dirname, '../kept-code.mjs')}`

export interface EngineProcess {
  /** The same after `start`. */
  readonly url: string
  readonly pid: number
  /** False from its end to its next start. */
  readonly isAlive: boolean
  /** All faults at once: those that are not named end. */
  setFaults(faults: Faults): Promise<void>
  /** Ends it as `kill -9` does; resolves when it has ended. */
  kill(): Promise<void>
  /** Begins it again, on the same data and port. Resolves when it listens. */
  start(): Promise<void>
  /** Runs a statement and resolves with what is answered. Rejects with the text of a refusal. */
  ask(sql: string, format?: string): Promise<string>
}

export interface EngineOptions {
  /** None is asked for when it is absent. */
  readonly password?: string
}

/** The engine of a test, which ends with it. */
export async function startEngineOf(
  t: Test,
  directory: string = t.testdir(),
  options: EngineOptions = {},
): Promise<EngineProcess> {
  const engine = await startEngine(directory, options)
  t.teardown(() => engine.kill())
  return engine
}

export interface Places {
  readonly engine: EngineProcess
  readonly dataDir: string
}

/** An engine and a data directory, both new. */
export async function placesOf(t: Test): Promise<Places> {
  const directory = t.testdir({ engine: {}, data: {} })
  const engine = await startEngineOf(t, `${directory}/engine`)
  return { engine, dataDir: `${directory}/data` }
}

/** Begins an engine on a directory. It ends with this process, or by `kill`. */
export async function startEngine(
  directory: string,
  { password = '' }: EngineOptions = {},
): Promise<EngineProcess> {
  let { child, url } = await listening(directory, '0', password)
  const { port } = new URL(url)

  return {
    url,
    get pid() {
      return child.pid!
    },
    get isAlive() {
      return isAlive(child)
    },
    async setFaults(faults) {
      await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    },
    async kill() {
      if (!isAlive(child)) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      ;({ child, url } = await listening(directory, port, password))
    },
    async ask(sql, format = 'TabSeparated') {
      const answer = await fetch(`${url}/?default_format=${format}`, {
        method: 'POST',
        body: sql,
        headers: { 'x-clickhouse-key': password },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
    },
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function listening(directory: string, port: string, password: string) {
  const child = spawn(process.execPath, [keptCode, program, directory, port, password], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', UV_THREADPOOL_SIZE: '16' },
  })
  endWithThisProcess(child)
  const lines = createInterface(child.stdout)
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the engine has ended with ${code ?? signal}`)
    }),
  ])) as [string]
  return { child, url }
}
