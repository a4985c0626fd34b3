/**
 * What other tools ask of the same tables: statements as Grafana's data source for ClickHouse and HyperDX make
 * them of the columns of OpenTelemetry's exporter. Their answers are those of our own questions.
 */
import t, { type Test } from 'tap'
import { parseSingle } from '../../src/language/grammar.ts'
import type { LogRecord } from '../../src/record.ts'
import type { Store } from '../../src/store/store.ts'
import { allRecords, recordsIn } from '../store/store-in.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedPlaces } from './shared-engine.ts'
import { openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
/** A whole minute, and the last record half an hour later. */
const [begin, end] = [1_700_000_040_000, 1_700_001_840_000]

const levels = ['info', 'error', 'warn', 'fatal', 'debug']

function recordAt(i: number): LogRecord {
  const attributes = ['order.id', `${i}`, 'customer', i % 2 ? 'pro' : "o'free"]
  if (i % 20 === 0) attributes.push('trace_id', traceId, 'span_id', `${i}`.padStart(16, '0'))
  return {
    ...{ timestamp: begin + i * 15_000 + i, level: levels[i % levels.length]! },
    ...{ message: `Order ${i} was ${i % 3 ? 'taken' : 'REFUSED: timed out'}`, attributes },
  }
}

async function groundOf(t: Test) {
  const { engine, dataDir } = await sharedPlaces(t)
  const store = await openStoreOn(dataDir, engine.url)
  t.teardown(() => store.close())
  for (const [service, first] of [
    ['shop', 0],
    ['bank', 60],
  ] as const) {
    await store.appendWith(writer => {
      for (let i = first; i < first + 60; i++) {
        writer.add(recordAt(i), { service, environment: 'prod' })
      }
    })
  }
  await store.settle()
  const ask = async (sql: string) => {
    const answer = await engine.ask(sql, 'JSONEachRow')
    return answer
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  }
  const ours = (query: string) => recordsOf(store, query)
  return { ask, ours }
}

/** In order of time. */
function recordsOf(store: Store, query: string) {
  const { selector } = parseSingle(query)
  const request = { ...allRecords, selector, startTime: begin, endTime: end }
  return recordsIn(store, request)
}

const messagesOf = (records: readonly { readonly message: string }[]) =>
  records.map(({ message }) => message)

t.test('columns are those of the exporter, in its order', { skip }, async t => {
  const { ask } = await groundOf(t)
  const columns = await ask('DESCRIBE TABLE "default"."otel_logs"')
  const map = 'Map(LowCardinality(String), String)'
  const coded = 'LowCardinality(String)'
  t.same(
    columns.slice(0, 16).map(({ name, type }) => [name, type]),
    [
      ['Timestamp', 'DateTime64(9)'],
      ['TimestampTime', 'DateTime'],
      ['TraceId', 'String'],
      ['SpanId', 'String'],
      ['TraceFlags', 'UInt8'],
      ['SeverityText', coded],
      ['SeverityNumber', 'UInt8'],
      ['ServiceName', coded],
      ['Body', 'String'],
      ['ResourceSchemaUrl', coded],
      ['ResourceAttributes', map],
      ['ScopeSchemaUrl', coded],
      ['ScopeName', 'String'],
      ['ScopeVersion', coded],
      ['ScopeAttributes', map],
      ['LogAttributes', map],
    ],
  )
})

t.test('a data source of Grafana', { skip }, async t => {
  const { ask, ours } = await groundOf(t)
  const [from, to] = [`toDateTime(${begin / 1000})`, `toDateTime(${end / 1000})`]
  const logs = (more: string) =>
    ask(`SELECT Timestamp as "timestamp", Body as "body", SeverityText as "level",
      LogAttributes as "labels", TraceId as "traceID" FROM "default"."otel_logs"
      WHERE ( timestamp >= ${from} AND timestamp <= ${to} ) ${more} ORDER BY timestamp ASC LIMIT 1000`)
  const shown = (records: Awaited<ReturnType<typeof ours>>) =>
    records.map(record => [
      new Date(record.timestamp).toISOString().replace('T', ' ').replace('Z', '000000'),
      record.message,
      record.log_level,
      Object.entries(record.attributes).filter(([name]) => !/^(service|environment)/.test(name)),
    ])
  const found = (rows: Awaited<ReturnType<typeof logs>>) =>
    rows.map(({ timestamp, body, level, labels }) => [
      timestamp,
      body,
      level,
      Object.entries(labels),
    ])
  t.same(found(await logs('')), shown(await ours('logs')))
  for (const [condition, query, count] of [
    ["AND ( level = 'error' )", 'logs{log_level="error"}', 24],
    ["AND ( body LIKE '%timed out%' )", 'logs |= "timed out"', 40],
    ["AND ( labels['customer'] = 'o\\'free' )", `logs{customer="o'free"}`, 60],
    ["AND ( ServiceName IN ('bank') )", 'logs{service.name="bank"}', 60],
    ["AND ( ResourceAttributes['service.name'] = 'shop' )", 'logs{service.name="shop"}', 60],
    [`AND ( traceID = '${traceId}' )`, `logs{trace_id="${traceId}"}`, 6],
  ] as const) {
    const rows = await logs(condition)
    t.equal(rows.length, count, condition)
    t.same(found(rows), shown(await ours(query)), condition)
  }

  const ofLevel = (name: string, ...texts: string[]) =>
    `sum(ifNull(toString(src."level"), '') IN (${texts.map(text => `'${text}'`)})) AS "${name}"`
  const volume =
    await ask(`SELECT toStartOfInterval(toDateTime(src."timestamp"), INTERVAL 1 MINUTE) AS "time",
      ${ofLevel('critical', 'fatal', 'FATAL')}, ${ofLevel('error', 'error', 'ERROR')}, ${ofLevel('info', 'info')}
    FROM (
      SELECT Timestamp as "timestamp", Body as "body", SeverityText as "level" FROM "default"."otel_logs"
      WHERE ( Timestamp >= ${from} AND Timestamp <= ${to} )
    ) AS src
    WHERE toDateTime(src."timestamp") >= ${from} AND toDateTime(src."timestamp") <= ${to}
    GROUP BY "time" ORDER BY "time" ASC`)
  t.equal(volume.length, 30)
  for (const level of ['critical', 'error', 'info']) {
    const sum = volume.reduce((total, bucket) => total + Number(bucket[level]), 0)
    t.equal(sum, 24, level)
  }
  t.same(
    (
      await ask(
        'SELECT DISTINCT arrayJoin(LogAttributes.keys) AS name FROM "default"."otel_logs" ORDER BY name LIMIT 1000',
      )
    ).map(({ name }) => name),
    ['customer', 'order.id', 'span_id', 'trace_id'],
  )
})

t.test('HyperDX', { skip }, async t => {
  const { ask, ours } = await groundOf(t)
  const times = `(TimestampTime >= fromUnixTimestamp64Milli(${begin}) AND TimestampTime <= fromUnixTimestamp64Milli(${end}))`
  const search = (condition: string) =>
    ask(`SELECT Timestamp, ServiceName, SeverityText, Body FROM default.otel_logs
      WHERE ${times} AND (${condition}) ORDER BY (TimestampTime, Timestamp) LIMIT 200 OFFSET 0`)
  for (const [condition, query, count] of [
    ["(hasToken(lower(Body), lower('refused')))", 'logs |~ "(?i)refused"', 40],
    [
      "(hasToken(lower(Body), lower('timed')) AND hasToken(lower(Body), lower('out')) AND (lower(Body) LIKE lower('%timed out%')))",
      'logs |= "timed out"',
      40,
    ],
    ["(ServiceName ILIKE '%ban%')", 'logs{service.name="bank"}', 60],
    ["(`LogAttributes`['customer'] ILIKE '%pro%')", 'logs{customer="pro"}', 60],
    ["(SeverityNumber > '16')", 'logs{log_level=~"error|fatal"}', 48],
    ['notEmpty(TraceId) = 1', `logs{trace_id="${traceId}"}`, 6],
  ] as const) {
    const rows = await search(condition)
    t.equal(rows.length, count, condition)
    t.same(
      rows.map(({ Body }) => Body),
      messagesOf(await ours(query)),
      condition,
    )
  }
  const bucket = 'toStartOfInterval(toDateTime(TimestampTime), INTERVAL 10 minute)'
  const chart =
    await ask(`SELECT countIf((SeverityText = 'error')), ${bucket} AS \`__hdx_time_bucket\`
    FROM default.otel_logs WHERE ${times} AND ((ServiceName = 'shop'))
    GROUP BY ${bucket} AS \`__hdx_time_bucket\` ORDER BY ${bucket} AS \`__hdx_time_bucket\``)
  const errors = await ours('logs{service.name="shop", log_level="error"}')
  const bucketOf = ({ timestamp }: { timestamp: number }) => Math.floor(timestamp / 600_000)
  const counts = [...Map.groupBy(errors, bucketOf).values()].map(({ length }) => length)
  t.same(
    chart.map(row => Number(Object.values(row)[0])),
    counts,
  )
  t.ok(counts.length > 1)
})
