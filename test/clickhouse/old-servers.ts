/**
 * Debian's servers of ClickHouse (18.16) as a cluster of two shards on loopback, and our statements for them:
 * they have neither values of statements apart from the text nor our newer settings.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Test } from 'tap'
import {
  Connection,
  type QueryParams,
  type Statement,
} from '../../src/store/clickhouse/connection.ts'
import { packed } from '../../src/store/clickhouse/native-columns.ts'
import { freePort } from '../alerts/free-port.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { until } from '../until.ts'

const program = '/usr/sbin/clickhouse-server'

/** Why there are none; undefined where they are. */
export const serversMissing = existsSync(program) ? undefined : 'clickhouse-server is not installed'

export interface OldServer {
  /** The same after `start`. */
  readonly connection: PlainConnection
  /** Ends it as `kill -9` does; resolves when it has ended. */
  kill(): Promise<void>
  /** Begins it again, on the same data and ports. Resolves when it answers. */
  start(): Promise<void>
}

interface Ports {
  readonly http: number
  readonly tcp: number
  readonly between: number
}

const users = `<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default></users></yandex>`

/** Both know the cluster `two`, of which each is a shard. They end with the test, and with this process. */
export async function startTwo(
  t: Test,
  directory: string,
): Promise<readonly [OldServer, OldServer]> {
  const ports: Ports[] = []
  while (ports.length < 2) {
    ports.push({ http: await freePort(), tcp: await freePort(), between: await freePort() })
  }
  const [one, two] = ports.map((own, at) => startOne(t, join(directory, `${at}`), own, ports))
  return Promise.all([one!, two!])
}

async function startOne(
  t: Test,
  directory: string,
  own: Ports,
  all: readonly Ports[],
): Promise<OldServer> {
  mkdirSync(directory)
  const config = join(directory, 'config.xml')
  writeFileSync(config, configOf(directory, own, all))
  writeFileSync(join(directory, 'users.xml'), users)
  const url = `http://127.0.0.1:${own.http}`
  const answers = () =>
    fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  let child: ChildProcess
  const start = async () => {
    child = spawn(program, [`--config-file=${config}`], { stdio: 'ignore' })
    endWithThisProcess(child)
    await until(answers)
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const connection = await Connection.open(`${url}/default`)
  t.teardown(async () => {
    await connection.close()
    await kill()
  })
  await start()
  return { connection: new PlainConnection(connection), kill, start }
}

function configOf(directory: string, { http, tcp, between }: Ports, all: readonly Ports[]): string {
  const shards = all.map(
    one => `<shard><replica><host>127.0.0.1</host><port>${one.tcp}</port></replica></shard>`,
  )
  return `<yandex>
    <logger><level>warning</level><log>${directory}/log</log><errorlog>${directory}/err</errorlog></logger>
    <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
    <interserver_http_port>${between}</interserver_http_port>
    <path>${directory}/data/</path><tmp_path>${directory}/tmp/</tmp_path>
    <user_files_path>${directory}/files/</user_files_path>
    <format_schema_path>${directory}/schemas/</format_schema_path>
    <mark_cache_size>16777216</mark_cache_size><timezone>UTC</timezone>
    <users_config>${directory}/users.xml</users_config><default_profile>default</default_profile>
    <default_database>default</default_database>
    <remote_servers><two>${shards.join('')}</two></remote_servers>
  </yandex>`
}

/** Those that 18.16 has. */
const knownSettings = new Set([
  ...['insert_deduplicate', 'min_insert_block_size_rows', 'min_insert_block_size_bytes'],
])

/** Of every statement: what a part of the shards says is no answer, and an insert is with them when it is answered. */
const ofCluster = { insert_distributed_sync: 1, skip_unavailable_shards: 0 } as const

/** The types of our blocks that 18.16 lacks, and what it has with the same bytes. */
const pair = 'Tuple(LowCardinality(String), String)'
const plainHeaders = [
  [packed('Timestamp', 'DateTime64(9)'), packed('Timestamp', 'Int64')],
  [
    packed('LogAttributes', 'Map(LowCardinality(String), String)'),
    packed('LogAttributes', `Tuple(Array(${pair}))`),
  ],
] as const

/** What happens to an insert: it is carried out, and nobody hears of it, or it is not. */
export type InsertFault = 'unanswered' | 'dropped'

/** Our connection, for statements of ours as such a server reads them. */
export class PlainConnection {
  readonly #connection: Connection
  /** Of the next inserts, in order. */
  readonly faults: InsertFault[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  command(query: string): Promise<void> {
    const settings = { allow_experimental_low_cardinality_type: 1 }
    return this.#connection.command({ query, settings })
  }

  rows<Row>(statement: Statement): Promise<Row[]> {
    return this.#connection.rows<Row>(plain(statement))
  }

  bytes(statement: Statement): Promise<Readable> {
    return this.#connection.bytes(plain(statement))
  }

  async insert(statement: Statement, body: Iterable<Buffer>): Promise<void> {
    const fault = this.faults.shift()
    if (fault !== 'dropped') await this.#connection.insert(plain(statement), plainBlocks(body))
    if (fault !== undefined) throw new Error(fault)
  }
}

/** Headers of columns come as chunks of their own. */
function* plainBlocks(body: Iterable<Buffer>): Generator<Buffer> {
  for (const chunk of body) {
    yield plainHeaders.find(([ours]) => ours.equals(chunk))?.[1] ?? chunk
  }
}

function plain({ query, params = {}, settings = {} }: Statement): Statement {
  const known = Object.entries(settings).filter(([name]) => knownSettings.has(name))
  const text = query.replace(/\{(\w+):[^}]+\}/g, (_, name: string) => written(params[name]!))
  return { query: text, settings: { ...Object.fromEntries(known), ...ofCluster } }
}

function written(value: QueryParams[string]): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`
  return `[${value.map(written).join(', ')}]`
}
