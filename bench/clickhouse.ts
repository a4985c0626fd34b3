/**
 * ClickHouse as a peer: `query.ts --clickhouse DIR` asks it the same questions about the same records,
 * in the same phases, and holds its answers against the same oracle. DIR is where `npm install chdb@3.4.0`
 * was run by hand; it is no dependency of ours.
 *
 * It is a library and has no HTTP in its times. It has merged all its parts before the first question.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Answered, Told } from './clickhouse-child.ts'
import { storedBytes, toSql } from './clickhouse-sql.ts'
import { checkAnswer, type PreparedQuery, type Seen } from './measure.ts'
import type { BenchData } from './query-data.ts'
import type { Subject } from './query-phases.ts'
import { benchDataDir } from './service.ts'

export interface ClickHouse {
  readonly subject: Subject
  /** How the data came to be there. */
  readonly origin: string
  readonly diskBytes: number
  restart(): Promise<Subject>
}

const childPath = fileURLToPath(new URL('./clickhouse-child.ts', import.meta.url))

/** Loads the records of `data` unless they are there from an earlier run. */
export async function openClickHouse(packageDir: string, data: BenchData): Promise<ClickHouse> {
  const dataDir = `${benchDataDir}clickhouse-${data.name}`
  const markerPath = `${dataDir}.marker`
  if (readMarker(markerPath) === data.recordsMarker) {
    const child = await start(packageDir, dataDir)
    return toPeer(child, 'loaded in an earlier run')
  }
  rmSync(markerPath, { force: true })
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  const child = await start(packageDir, dataDir)
  const { seed, count, files } = data
  const { elapsedMs } = await tell(child, { load: { seed, count, files: [...files] } })
  writeFileSync(markerPath, data.recordsMarker)
  const origin = `made, loaded and merged in ${(elapsedMs / 1000).toFixed(1)} s`
  return toPeer(child, origin)

  async function toPeer(child: ChildProcess, origin: string): Promise<ClickHouse> {
    const { rows } = await tell(child, { statements: { count: storedBytes } })
    return {
      subject: toSubject(child, dataDir),
      origin,
      diskBytes: seenIn(rows).count!,
      restart: async () => toSubject(await start(packageDir, dataDir), dataDir),
    }
  }
}

async function start(packageDir: string, dataDir: string): Promise<ChildProcess> {
  const child = fork(childPath, [packageDir, dataDir], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  await nextMessage(child)
  return child
}

function toSubject(child: ChildProcess, dataDir: string): Subject {
  return {
    pid: child.pid!,
    dataDir,
    time: query => timeQuery(child, query),
    timeNothing: async () => {
      const { elapsedMs } = await tell(child, { statements: { count: 'SELECT 0 AS count' } })
      return elapsedMs
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

/** Throws when the answer is not the right one. */
async function timeQuery(child: ChildProcess, query: PreparedQuery): Promise<number> {
  const asked = query.next()
  const { elapsedMs, rows } = await tell(child, { statements: toSql(query, asked.query) })
  const { timestamps, ...others } = asked.expected
  const isForRecords = rows.records !== undefined && timestamps !== undefined
  const expected = isForRecords ? asked.expected : others
  checkAnswer(query, { query: asked.query, expected }, seenIn(rows))
  return elapsedMs
}

function seenIn({ count, groups = '', records = '' }: Answered['rows']): Seen {
  const figures = new Map(
    rowsOf<{ key: string; figure: number | string }>(groups).map(({ key, figure }) => [
      key,
      Number(figure),
    ]),
  )
  return {
    count: count === undefined ? undefined : Number(rowsOf<{ count: string }>(count)[0]!.count),
    groups: figures,
    figures,
    timestamps: rowsOf<{ ms: number | string }>(records).map(({ ms }) => Number(ms)),
  }
}

function rowsOf<T>(lines: string): T[] {
  return lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)
}

async function tell(child: ChildProcess, told: Told): Promise<Answered> {
  const answered = nextMessage(child)
  child.send(told)
  return (await answered) as Answered
}

/** Throws when the process ends instead. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process of ClickHouse ended with ${code}`)
  })
  const [message] = await Promise.race([once(child, 'message', { signal }), ended])
  waiting.abort()
  ended.catch(() => {})
  return message
}

function readMarker(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
