/** What is written as blocks of ClickHouse's own format is what the engine reads. */
import t from 'tap'
import type { LogRecord } from '../../src/record.ts'
import { BlockWriter, shippedColumns } from '../../src/store/clickhouse/block-writer.ts'
import { Connection } from '../../src/store/clickhouse/connection.ts'
import { Layout } from '../../src/store/clickhouse/layout.ts'
import { logsTable, makeTables } from '../../src/store/clickhouse/tables.ts'
import { batchOf } from '../query/parts.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'

const skip = engineMissing ?? false
const stream = { service: 'checkout', environment: 'test' }

/** More names than two bytes number, texts that are copied by a loop and by a call, lengths of three bytes. */
function recordOf(i: number): LogRecord {
  const message = i % 1_000 === 0 ? 'é'.repeat(i / 2) : `m${i}`
  const attributes = i % 5 === 4 ? [] : [`n${i}`, String(i), 'otel.scope.version', `v${i % 700}`]
  return { timestamp: 1_700_000_000_000 + i, level: `l${i % 3}`, message, attributes }
}

t.test('names by numbers of each width, texts of each length', { skip }, async t => {
  const engine = await sharedEngine(t)
  const connection = await Connection.open(engine.url)
  t.teardown(() => connection.close())
  await makeTables(connection, new Layout(undefined))
  for (const [first, count] of [
    [0, 100],
    [100, 20_000],
    [20_100, 100_000],
  ] as const) {
    const records = Array.from({ length: count }, (_, i) => ({ ...recordOf(first + i), stream }))
    const writer = new BlockWriter({ frontEnd: 'one', file: count })
    const chunks = [...writer.add(batchOf(records), row => row % 7 !== 0), ...writer.end()]
    t.same([...writer.end()], [], 'nothing is left')
    const columns = shippedColumns.join(', ')
    await connection.insert(
      { query: `INSERT INTO ${logsTable} (${columns}) FORMAT Native` },
      chunks,
    )
    const at = '(toUnixTimestamp64Milli(Timestamp) - 1700000000000)'
    const [found] = await connection.rows<Record<string, number>>({
      query: `SELECT toUInt32(count()) AS count,
        toUInt32(countIf(Body = if(${at} % 1000 = 0, repeat('é', intDiv(${at}, 2)), 'm' || ${at}::String))) AS bodies,
        toUInt32(countIf(mapSort(LogAttributes) = if(${at} % 5 = 4, map(), map('n' || ${at}::String, ${at}::String,
          'otel.scope.version', ScopeVersion::String)))) AS attributes,
        toUInt32(countIf(ScopeVersion = if(${at} % 5 = 4, '', 'v' || (${at} % 700)::String))) AS versions,
        toUInt32(countIf(Level = 'l' || (${at} % 3)::String AND Time = toUnixTimestamp64Milli(Timestamp))) AS levels
        FROM ${logsTable} WHERE JournalFile = ${count}`,
    })
    const sent = count - Math.ceil(count / 7)
    t.same(found, { count: sent, bodies: sent, attributes: sent, versions: sent, levels: sent })
  }
})
