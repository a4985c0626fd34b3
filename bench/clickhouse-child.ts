/**
 * ClickHouse as a library, in a process of its own: loads records when told to, answers statements. It
 * is told by messages of the process that forked it, `clickhouse.ts`; argv: the folder in which chdb is
 * installed, the data directory.
 */
import { createRequire } from 'node:module'
import { createTable, type Statements } from './clickhouse-sql.ts'
import { readLines } from './options.ts'
import { type MadeRecord, makeRecords } from './records.ts'
import { streams } from './streams.ts'

/** Asks for the load when it names records, else for the answer of the statements. */
export type Told =
  | { readonly load: { readonly seed: number; readonly count: number; readonly files: string[] } }
  | { readonly statements: Statements }

/** The rows of each statement as JSON lines; without any after a load. */
export interface Answered {
  readonly elapsedMs: number
  readonly rows: Readonly<Partial<Record<keyof Statements, string>>>
}

interface Session {
  query(sql: string, format?: string): string
}

const recordsPerInsert = 100_000
const [packageDir, dataDir] = process.argv.slice(2)
const chdb = createRequire(`${packageDir}/`)('chdb') as { Session: new (path: string) => Session }
const session = new chdb.Session(dataDir!)
// By name: what a session has by default need not be there in the next one.
session.query('CREATE DATABASE IF NOT EXISTS bench')
session.query('USE bench')
process.on('message', (told: Told) => {
  process.send!('load' in told ? load(told.load) : answer(told.statements))
})
process.once('disconnect', () => process.exit())
process.send!('ready')

function load(what: { seed: number; count: number; files: string[] }): Answered {
  const startedAt = performance.now()
  session.query(createTable)
  const from = what.files.length === 0 ? {} : { from: readLines(what.files) }
  let lines: string[] = []
  const insert = () => {
    session.query(`INSERT INTO logs FORMAT JSONEachRow\n${lines.join('\n')}\n`)
    lines = []
  }
  for (const record of makeRecords({ ...what, ...from })) {
    lines.push(rowOf(record))
    if (lines.length === recordsPerInsert) insert()
  }
  if (lines.length > 0) insert()
  session.query('OPTIMIZE TABLE logs FINAL')
  return { elapsedMs: performance.now() - startedAt, rows: {} }
}

function rowOf({ stream, timestamp, json }: MadeRecord): string {
  const { level, message, trace_id, ts: _, http, ...others } = JSON.parse(json)
  const { service, environment } = streams[stream]!
  const attributes = { ...others, 'http.status': http.status, 'http.method': http.method }
  return JSON.stringify({
    Timestamp: timestamp,
    TraceId: trace_id,
    SeverityText: level,
    ServiceName: service,
    Environment: environment,
    Body: message,
    LogAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, String(value)]),
    ),
  })
}

function answer(statements: Statements): Answered {
  const startedAt = performance.now()
  const rows = Object.fromEntries(
    Object.entries(statements).map(([name, sql]) => [name, session.query(sql, 'JSONEachRow')]),
  )
  return { elapsedMs: performance.now() - startedAt, rows }
}
