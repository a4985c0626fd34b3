/** What of the exporter's columns is computed says what it said when it was stored. */
import t, { type Test } from 'tap'
import { levels } from '../../src/levels.ts'
import {
  computedColumns,
  computingStatements,
} from '../../src/store/clickhouse/computed-columns.ts'
import { Connection } from '../../src/store/clickhouse/connection.ts'
import { Layout } from '../../src/store/clickhouse/layout.ts'
import { makeTables } from '../../src/store/clickhouse/tables.ts'
import type { EngineProcess } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'

const skip = engineMissing ?? false
const layout = new Layout(undefined)
const names = Object.keys(computedColumns).join(', ')
const storedNames = `SELECT name FROM system.columns WHERE table = 'otel_logs' AND default_kind = 'DEFAULT'
  AND name IN ('${Object.keys(computedColumns).join("', '")}') ORDER BY name`

async function connected(t: Test): Promise<{ engine: EngineProcess; connection: Connection }> {
  const engine = await sharedEngine(t)
  const connection = await Connection.open(engine.url)
  t.teardown(() => connection.close())
  return { engine, connection }
}

t.test('columns that were stored are computed, and the same', { skip }, async t => {
  const { engine, connection } = await connected(t)
  const { SeverityText, SeverityNumber, ResourceAttributes } = computedColumns
  await engine.ask(`CREATE TABLE otel_logs (
    SeverityText ${SeverityText.join(' DEFAULT ')},
    SeverityNumber ${SeverityNumber.join(' DEFAULT ')},
    ServiceName LowCardinality(String),
    ResourceAttributes ${ResourceAttributes.join(' DEFAULT ')} CODEC(ZSTD(1)),
    Environment LowCardinality(String), Level LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (ServiceName, Level)`)
  const ask = () => engine.ask(`SELECT ${names} FROM otel_logs ORDER BY ServiceName, Level`)
  const add = (service: string) => {
    const rows = levels.map(({ name }) => `('${service}', 'test', '${name}')`).join(', ')
    return engine.ask(`INSERT INTO otel_logs (ServiceName, Environment, Level) VALUES ${rows}`)
  }
  await add('a')
  const before = await ask()
  t.match(before, `warn\t13\t{'service.name':'a','deployment.environment.name':'test'}`)

  const statements = await computingStatements(layout, connection)
  t.equal(statements.length, 3)
  await connection.command({ query: statements[0]! })
  // A start that was cut there does the rest.
  const rest = await computingStatements(layout, connection)
  t.same(rest, statements.slice(1))
  for (const query of rest) await connection.command({ query })
  t.same(await computingStatements(layout, connection), [])
  t.equal(await engine.ask(storedNames), '')
  t.equal(await ask(), before, 'rows that have them')

  await add('b')
  const both = before + before.replaceAll("'a'", "'b'")
  t.equal(await ask(), both, 'and rows that do not')
  await engine.ask('OPTIMIZE TABLE otel_logs FINAL')
  t.equal(await ask(), both, 'and both merged')
  const found = await engine.ask(`SELECT DISTINCT column FROM system.parts_columns
    WHERE table = 'otel_logs' AND active ORDER BY column`)
  t.equal(found, 'Environment\nLevel\nServiceName\n', 'nothing of them is on the disk')
})

t.test('new tables compute them, and merge many parts at once', { skip }, async t => {
  const { engine, connection } = await connected(t)
  await makeTables(connection, layout)
  t.equal(await engine.ask(storedNames), '')
  t.match(await engine.ask('SHOW CREATE TABLE otel_logs'), /merge_selector_base = 10\b/)
})

t.test('two that start at once make them', { skip }, async t => {
  const { connection } = await connected(t)
  let overtaken = 0
  const slower = {
    rows: connection.rows.bind(connection),
    async command(statement: Parameters<Connection['command']>[0]) {
      if (statement.query.includes('ALIAS map(')) {
        overtaken++
        await connection.command(statement)
      }
      await connection.command(statement)
    },
  } as Connection
  await makeTables(slower, layout)
  t.equal(overtaken, 1, 'the other was faster')
  t.same(await computingStatements(layout, connection), [])
})
