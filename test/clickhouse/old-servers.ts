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
  ClickHouseFailed,
  Connection,
  type QueryParams,
  type Statement,
} from '../../src/store/clickhouse/connection.ts'
import { packed } from '../../src/store/clickhouse/native-columns.ts'
import { freeServerPort } from '../alerts/free-port.ts'
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

/** What is run for another node has none of the statement's settings: so they are of the user. */
const allowed =
  '<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>'
const users = `<yandex><profiles><default>${allowed}</default></profiles><quotas><default></default></quotas><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default></users></yandex>`

/** Both know the cluster `two`, of which each is a shard. They end with the test, and with this process. */
export async function startTwo(
  t: Test,
  directory: string,
): Promise<readonly [OldServer, OldServer]> {
  const [one, two] = await startShards(t, directory, { replicas: 1 })
  return [one![0]!, two![0]!]
}

export interface ShardOptions {
  /** Of each of the two shards. */
  readonly replicas: number
  /** Where ZooKeeper listens on loopback. */
  readonly zooKeeper?: number
}

/** The replicas of each shard of the cluster `two`. They end with the test, and with this process. */
export async function startShards(
  t: Test,
  directory: string,
  { replicas, zooKeeper }: ShardOptions,
): Promise<readonly (readonly OldServer[])[]> {
  const shards: Ports[][] = [[], []]
  for (const shard of shards) {
    while (shard.length < replicas) {
      shard.push({
        http: await freeServerPort(),
        tcp: await freeServerPort(),
        between: await freeServerPort(),
      })
    }
  }
  const common = remoteServers(shards)
  const nodes: Node[] = []
  const started = shards.map((shard, at) => {
    const each = shard.map((own, replica) => {
      const keeper = zooKeeper === undefined ? '' : replicated(at, replica, zooKeeper)
      const place = { directory: join(directory, `${at}-${replica}`), shard: at, replica }
      return startOne(t, place, own, `${common}${keeper}`, nodes)
    })
    return Promise.all(each)
  })
  return Promise.all(started)
}

/** Whose macros tell its place. */
interface Place {
  readonly directory: string
  readonly shard: number
  readonly replica: number
}

interface Node extends Place {
  readonly connection: Connection
  isAway(): boolean
}

/** `internal_replication`: who inserts writes to one replica, which the others copy. */
function remoteServers(shards: readonly (readonly Ports[])[]): string {
  const written = shards.map(shard => {
    const replicas = shard.map(
      ({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`,
    )
    return `<shard><internal_replication>true</internal_replication>${replicas.join('')}</shard>`
  })
  return `<remote_servers><two>${written.join('')}</two></remote_servers>`
}

/** A replica that was killed is one again after its session. `database` is one of the server's own macros since; 18.16 has none. */
function replicated(shard: number, replica: number, port: number): string {
  return `<zookeeper><node><host>127.0.0.1</host><port>${port}</port></node>
    <session_timeout_ms>4000</session_timeout_ms></zookeeper>
    <interserver_http_host>127.0.0.1</interserver_http_host>
    <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
    <macros><shard>${shard}</shard><replica>${replica}</replica><database>default</database></macros>`
}

async function startOne(
  t: Test,
  place: Place,
  own: Ports,
  ofCluster: string,
  nodes: Node[],
): Promise<OldServer> {
  const { directory } = place
  mkdirSync(directory)
  const config = join(directory, 'config.xml')
  writeFileSync(config, configOf(directory, own, ofCluster))
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
  const isAway = () => child.exitCode !== null || child.signalCode !== null
  const kill = async () => {
    if (isAway()) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const connection = await Connection.open(`${url}/default`)
  t.teardown(async () => {
    await connection.close()
    await kill()
  })
  await start()
  nodes.push({ ...place, connection, isAway })
  return { connection: new PlainConnection(connection, nodes), kill, start }
}

function configOf(directory: string, { http, tcp, between }: Ports, ofCluster: string): string {
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
    ${ofCluster}
  </yandex>`
}

/** Those that 18.16 has. */
const knownSettings = new Set([
  ...[
    'insert_deduplicate',
    'skip_unavailable_shards',
    'min_insert_block_size_rows',
    'min_insert_block_size_bytes',
  ],
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

/** How long an insert waits for its replicas, ms. */
const quorumMs = 1_000

/** Our connection, for statements of ours as such a server reads them. */
export class PlainConnection {
  readonly #connection: Connection
  readonly #nodes: readonly Node[]
  /** Replicas that an insert of records is to be with. */
  quorum = 0
  #before: Promise<unknown> = Promise.resolve()
  /** Of the next inserts, in order. */
  readonly faults: InsertFault[] = []

  /** `nodes`: all of the cluster, once they have started. */
  constructor(connection: Connection, nodes: readonly Node[]) {
    this.#connection = connection
    this.#nodes = nodes
  }

  async command(statement: Statement): Promise<void> {
    const { query, settings = {} } = plain(statement)
    const known = plainDefinition(query)
    if (known === undefined) return
    await withCode(this.#connection.command({ query: known, settings }))
  }

  rows<Row>(statement: Statement): Promise<Row[]> {
    const { query, settings = {} } = plain(statement)
    if (query.includes('clusterAllReplicas(')) return this.#rowsOfEach<Row>(query, settings)
    return withCode(this.#connection.rows<Row>({ query, settings }))
  }

  /**
   * What asks each replica, which 18.16 cannot: by itself. The answers together are the one of the cluster as
   * long as rows are grouped by replica.
   */
  async #rowsOfEach<Row>(
    query: string,
    settings: NonNullable<Statement['settings']>,
  ): Promise<Row[]> {
    const leavesOut = settings.skip_unavailable_shards === 1
    const asked = this.#nodes.filter(node => !(leavesOut && node.isAway()))
    const ofEach = asked.map(({ connection, shard, replica }) => {
      const own = query
        .replace(/clusterAllReplicas\('two', currentDatabase\(\), (\w+)\)/g, 'default.$1')
        .replace(/clusterAllReplicas\('two', system, (\w+)\)/g, 'system.$1')
        .replaceAll("getMacro('shard')", `'${shard}'`)
        .replaceAll("getMacro('replica')", `'${replica}'`)
      return withCode(connection.rows<Row>({ query: own, settings }))
    })
    return (await Promise.all(ofEach)).flat()
  }

  bytes(statement: Statement): Promise<Readable> {
    return withCode(this.#connection.bytes(plain(statement)))
  }

  async insert(statement: Statement, body: Iterable<Buffer>): Promise<void> {
    const fault = this.faults.shift()
    if (fault !== 'dropped') await this.#insert(plain(statement), body)
    if (fault !== undefined) throw new Error(fault)
  }

  /** 18.16 has one insert with a quorum at a time. */
  #insert({ query, settings }: Statement, body: Iterable<Buffer>): Promise<void> {
    const insert = () => {
      const all = {
        ...settings,
        ...(this.quorum > 0 && { insert_quorum: this.quorum, insert_quorum_timeout: quorumMs }),
      }
      return withCode(this.#connection.insert({ query, settings: all }, plainBlocks(body)))
    }
    if (this.quorum === 0) return insert()
    const done = this.#before.then(insert)
    this.#before = done.catch(() => undefined)
    return done
  }
}

/** The columns of our table, in types of 18.16. Pairs are in a tuple of their own: an array of pairs would be
 *  two columns, in other bytes than ours are. */
export const plainColumns = `(
  Timestamp Int64, TimestampTime DateTime, TraceId String, SpanId String,
  ServiceName LowCardinality(String), Body String, ScopeName String, ScopeVersion LowCardinality(String),
  LogAttributes Tuple(Array(Tuple(LowCardinality(String), String))), Time Int64,
  Environment LowCardinality(String), Level LowCardinality(String), FrontEnd LowCardinality(String),
  Sequence UInt64, JournalFile UInt32, PatternNumber UInt64
)`

/** A definition without what 18.16 lacks; undefined when it would change that alone. */
function plainDefinition(query: string): string | undefined {
  // Columns that came later are among those of the table at once.
  if (/ (?:MODIFY SETTING|ADD COLUMN) /.test(query)) return undefined
  const ownColumns = /\(\s*Timestamp DateTime64[\s\S]*?\n {2}\)/
  return query
    .replace(ownColumns, plainColumns)
    .replace(/,?\s*\b(?:fsync_\w+|ttl_only_drop_parts) = 1/g, '')
    .replace(/\bSETTINGS\s*$/, '')
}

/** 18.16 writes its codes as the client does not read them. */
async function withCode<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const { message } = error as Error
    const code = /^Code: (\d+), /.exec(message)?.[1]
    if (code === undefined) throw error
    throw new ClickHouseFailed(message, code, { cause: error })
  }
}

/** Each chunk is a block: no text of the tests looks like the head of a column. */
function* plainBlocks(body: Iterable<Buffer>): Generator<Buffer> {
  for (const block of body) {
    let from = 0
    for (const [ours, plain] of plainHeaders) {
      const at = block.indexOf(ours, from)
      yield block.subarray(from, at)
      yield plain
      from = at + ours.length
    }
    yield block.subarray(from)
  }
}

function plain({ query, params = {}, settings = {} }: Statement): Statement {
  const known = Object.entries(settings).filter(([name]) => knownSettings.has(name))
  const text = query.replace(/\{(\w+):[^}]+\}/g, (_, name: string) => written(params[name]!))
  return { query: text, settings: { ...ofCluster, ...Object.fromEntries(known) } }
}

function written(value: QueryParams[string]): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`
  return `[${value.map(written).join(', ')}]`
}
