/**
 * The tables, made and brought up to date by us: the columns of OpenTelemetry's exporter for ClickHouse, so
 * that what reads its `otel_logs` reads ours, and those of our own behind them.
 */
import { patternIdPrefix } from '../../record.ts'
import { computedColumns, computingStatements } from './computed-columns.ts'
import { ClickHouseFailed, type Connection, unknownTable } from './connection.ts'
import { numbersTable, sentTable } from './front-ends.ts'
import type { Layout } from './layout.ts'
import { mergeStatements } from './merge-settings.ts'
import { wordIndexStatements } from './word-index.ts'

export const logsTable = 'otel_logs'
const versionsTable = 'logstrata_versions'

/** How many inserts back one that was sent before is known by its token. */
const insertsRemembered = 100_000

type Asked = Pick<Connection, 'rows' | 'command'>
type Statements = readonly string[]
type Migration = (
  layout: Layout,
  database: string,
  connection: Pick<Connection, 'rows'>,
) => Statements | Promise<Statements>

/**
 * Each entry takes the tables from one version to the next, and is never changed once it was released. A
 * statement may be run again: a start may be cut between two.
 */
const migrations: readonly Migration[] = [
  (layout, database) => [logsTableOfVersion1(layout), ...layout.askedTable(database)],
  frontEndTables,
  // An insert goes into one file, not into sixty that are synced each; merges make columns of their own.
  layout =>
    layout.alterLogs(`MODIFY SETTING min_bytes_for_wide_part = ${128 * 1024 * 1024}`, 'rows'),
  (layout, _, connection) => wordIndexStatements(layout, connection),
  // 0 is not told, as of rows that were there before; with its id for people.
  layout => [
    ...layout.alterLogs(
      'ADD COLUMN IF NOT EXISTS PatternNumber UInt64 DEFAULT 0 CODEC(ZSTD(1))',
      'columns',
    ),
    ...layout.alterLogs(`ADD COLUMN IF NOT EXISTS Pattern String ALIAS ${patternId}`, 'columns'),
  ],
  (layout, _, connection) => mergeStatements(layout, connection),
  (layout, _, connection) => computingStatements(layout, connection),
]

export const tablesVersion = migrations.length

/** Of `PatternNumber`; empty where it is not told. */
export const patternId = `if(PatternNumber = 0, '',
  concat('${patternIdPrefix}', substring(concat('0000000000000000', lower(hex(PatternNumber))), -16)))`

/** Makes what is missing. Throws ClickHouseFailed; an Error when a newer version has made the tables. */
export async function makeTables(connection: Asked, layout: Layout): Promise<void> {
  const version = await versionOf(connection)
  if (version > tablesVersion) {
    const text = `ClickHouse has tables of version ${version}, known is ${tablesVersion}`
    throw new Error(`${text}: a newer Logstrata has made them`)
  }
  if (version === tablesVersion) return
  await connection.command({
    query: `CREATE TABLE IF NOT EXISTS ${versionsTable}${layout.onCluster} (
      version UInt32, at DateTime DEFAULT now()
    ) ENGINE = ${layout.smallEngine(versionsTable, 'MergeTree')} ORDER BY version
    SETTINGS fsync_after_insert = 1`,
  })
  const [asked] = await connection.rows<{ name: string }>({
    query: 'SELECT currentDatabase() AS name',
  })
  for (let next = version; next < tablesVersion; next++) {
    const missing = () => migrations[next]!(layout, asked!.name, connection)
    for (const query of await missing()) {
      try {
        await connection.command({ query })
      } catch (error) {
        // Another front end that starts may have done it meanwhile.
        if (!(error instanceof ClickHouseFailed) || (await missing()).includes(query)) throw error
      }
    }
    await connection.command({
      query: `INSERT INTO ${versionsTable} (version) VALUES (${next + 1})`,
    })
  }
}

/** Asked before anything is made: what is on a cluster is made on all of its nodes, and one may be away. */
async function versionOf(connection: Pick<Connection, 'rows'>): Promise<number> {
  try {
    const query = `SELECT max(version) AS version FROM ${versionsTable}`
    const [found] = await connection.rows<{ version: number }>({ query })
    return Number(found?.version ?? 0)
  } catch (error) {
    if (error instanceof ClickHouseFailed && error.code === unknownTable) return 0
    throw error
  }
}

function frontEndTables(layout: Layout): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${numbersTable}${layout.onCluster} (
      Number UInt32, FrontEnd String, at DateTime DEFAULT now()
    ) ENGINE = ${layout.smallEngine(numbersTable, 'MergeTree')} ORDER BY Number
    SETTINGS fsync_after_insert = 1`,
    `CREATE TABLE IF NOT EXISTS ${sentTable}${layout.onCluster} (FrontEnd String, AsOf Int64)
    ENGINE = ${layout.smallEngine(sentTable, 'ReplacingMergeTree', 'AsOf')} ORDER BY FrontEnd`,
  ]
}

function logsTableOfVersion1(layout: Layout): string {
  const map = 'Map(LowCardinality(String), String) CODEC(ZSTD(1))'
  const { SeverityText, SeverityNumber, ResourceAttributes } = computedColumns
  return `CREATE TABLE IF NOT EXISTS ${layout.rowsTable}${layout.onCluster} (
    Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)),
    TimestampTime DateTime DEFAULT toDateTime(Timestamp),
    TraceId String CODEC(ZSTD(1)),
    SpanId String CODEC(ZSTD(1)),
    TraceFlags UInt8,
    SeverityText ${SeverityText.join(' DEFAULT ')},
    SeverityNumber ${SeverityNumber.join(' DEFAULT ')},
    ServiceName LowCardinality(String),
    Body String CODEC(ZSTD(1)),
    ResourceSchemaUrl LowCardinality(String),
    ResourceAttributes ${ResourceAttributes.join(' DEFAULT ')} CODEC(ZSTD(1)),
    ScopeSchemaUrl LowCardinality(String),
    ScopeName String CODEC(ZSTD(1)),
    ScopeVersion LowCardinality(String),
    ScopeAttributes ${map},
    LogAttributes ${map},
    Time Int64 CODEC(Delta(8), ZSTD(1)),
    Environment LowCardinality(String),
    Level LowCardinality(String),
    FrontEnd LowCardinality(String),
    Sequence UInt64 CODEC(Delta(8), ZSTD(1)),
    JournalFile UInt32 CODEC(Delta(4), ZSTD(1)),
    INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX idx_log_attr_key mapKeys(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_log_attr_value mapValues(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_body Body TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8,
    INDEX idx_sequence Sequence TYPE minmax GRANULARITY 1,
    INDEX idx_journal_file JournalFile TYPE minmax GRANULARITY 1
  )
  ENGINE = ${layout.rowsEngine}
  PARTITION BY toDate(TimestampTime, 'UTC')
  ORDER BY (ServiceName, TimestampTime, Timestamp)
  SETTINGS ${layout.remembering(insertsRemembered)},
    fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1`
}
