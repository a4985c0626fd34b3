/**
 * Two servers of ClickHouse 26.7 on loopback, each a shard of the cluster `two`: the library of the other
 * tests, as processes that know of each other (`server.c`). What it lacks of a server, `cluster-proxy.ts`
 * does.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t as root, type Test } from 'tap'
import { freePort } from '../../alerts/free-port.ts'
import { directoryOfProcess } from '../../directory-of-process.ts'
import { endWithThisProcess } from '../../service/end-with-this-process.ts'
import { until } from '../../until.ts'
import { engineMissing, enginePackage } from '../installed-engine.ts'
import { type ClusterProxy, startProxy } from './cluster-proxy.ts'

const library = join(enginePackage, '../node_modules/@chdb/lib-linux-x64-gnu/libchdb.so')
const compiler = ['cc', 'gcc'].find(name => spawnSync(name, ['--version']).status === 0)

/** Why there are none; undefined where they can be. */
export const newServersMissing =
  engineMissing ??
  (existsSync(library) ? undefined : 'there is no library of ClickHouse for this machine') ??
  (compiler === undefined ? 'there is no C compiler that could make a server' : undefined)

/** The database of the tests, on both: not the default one. */
export const database = 'logs'

export interface NewServer extends ClusterProxy {
  /** The rows of an answer of this server, without its proxy. Rejects with the text of a refusal. */
  ask(sql: string): Promise<string>
  /** Ends it as `kill -9` does; resolves when it has ended. Its proxy stays. */
  kill(): Promise<void>
  /** Begins it again where it has ended, on the same data and ports. Resolves when it answers. */
  start(): Promise<void>
}

interface Ports {
  readonly http: number
  readonly tcp: number
}

let shared: ReturnType<typeof startNewServers> | undefined

/**
 * Begun by the first test of this process that asks for them; they end with it. They have neither tables nor
 * faults: what a test makes is dropped behind it.
 */
export async function sharedServers(t: Test): Promise<readonly [NewServer, NewServer]> {
  shared ??= startNewServers()
  const servers = await shared
  t.teardown(async () => {
    for (const server of servers) {
      await server.start()
      server.faults.length = 0
      server.onCluster.length = 0
    }
    for (const server of servers) {
      const tables = (await server.ask('SHOW TABLES')).split('\n').filter(name => name !== '')
      for (const name of tables) await server.ask(`DROP TABLE ${name} SYNC`)
    }
  })
  return servers
}

async function startNewServers(): Promise<readonly [NewServer, NewServer]> {
  const directory = directoryOfProcess('new-servers')
  mkdirSync(directory)
  const program = join(directory, 'server')
  const source = join(import.meta.dirname, 'server.c')
  const built = spawnSync(compiler!, ['-O1', '-o', program, source, '-ldl'], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
  const ports: Ports[] = []
  while (ports.length < 2) ports.push({ http: await freePort(), tcp: await freePort() })
  const urls = ports.map(({ http }) => `http://127.0.0.1:${http}`)
  const [one, two] = ports.map((_, at) => startOne(program, directory, at, ports, urls))
  return Promise.all([one!, two!])
}

async function startOne(
  program: string,
  directory: string,
  at: number,
  ports: readonly Ports[],
  urls: readonly string[],
): Promise<NewServer> {
  const own = join(directory, `server-${at}`)
  mkdirSync(own)
  writeFileSync(join(own, 'config.xml'), configOf(at, ports))
  const argv = [library, `--config-file=${join(own, 'config.xml')}`, `--path=${join(own, 'data')}`]
  const listen = 'SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP'
  const stay = 'SELECT sleepEachRow(1) FROM system.numbers SETTINGS max_block_size = 1 FORMAT Null'
  const url = urls[at]!
  let child: ChildProcess | undefined
  const start = async () => {
    if (child !== undefined && isAlive(child)) return
    const query = `--query=CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic; ${listen}; ${stay}`
    const begun = spawn(program, [...argv, '--multiquery', query], {
      cwd: own,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child = begun
    endWithThisProcess(begun)
    await until(() => {
      if (!isAlive(begun)) throw new Error('the server has ended')
      return fetch(`${url}/ping`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
  }
  const kill = async () => {
    if (child === undefined || !isAlive(child)) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const ask = async (sql: string) => {
    const answer = await fetch(`${url}/?database=${database}`, { method: 'POST', body: sql })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text.trimEnd()
  }
  const proxy = await startProxy(root, url, urls)
  root.teardown(kill)
  await start()
  return { ...proxy, ask, kill, start }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function configOf(at: number, all: readonly Ports[]): string {
  const { http, tcp } = all[at]!
  const shards = all.map(
    one => `<shard><replica><host>127.0.0.1</host><port>${one.tcp}</port></replica></shard>`,
  )
  return `<clickhouse>
    <listen_host>127.0.0.1</listen_host><tcp_port>${tcp}</tcp_port><http_port>${http}</http_port>
    <timezone>UTC</timezone><mark_cache_size>16777216</mark_cache_size>
    <macros><shard>${at}</shard><replica>0</replica></macros>
    <remote_servers><two>${shards.join('')}</two></remote_servers>
  </clickhouse>`
}
