/**
 * The questions of `query-list.ts` in SQL, about a table as OpenTelemetry's exporter makes it, with a
 * text index over the messages.
 *
 * A count is asked for alone, without the one record that ours returns with it. A word that is nowhere is
 * asked for as a token, which the index answers; what may lie inside a word is asked for with LIKE.
 */
import type { PreparedQuery } from './measure.ts'

export const createTable = `CREATE TABLE logs (
  Timestamp DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  SeverityText LowCardinality(String) CODEC(ZSTD(1)),
  ServiceName LowCardinality(String) CODEC(ZSTD(1)),
  Environment LowCardinality(String) CODEC(ZSTD(1)),
  Body String CODEC(ZSTD(1)),
  LogAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  INDEX trace TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX words Body TYPE text(tokenizer = 'splitByNonAlpha')
) ENGINE = MergeTree PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, Timestamp)`

/** Without the parts that were merged into others. */
export const storedBytes =
  "SELECT sum(bytes_on_disk) AS count FROM system.parts WHERE active AND database = 'bench'"

const columns: Readonly<Record<string, string>> = {
  'service.name': 'ServiceName',
  environment: 'Environment',
  log_level: 'SeverityText',
  trace_id: 'TraceId',
}
const milliseconds = 'toUnixTimestamp64Milli(Timestamp)'

/** Statements whose rows together are the answer; each is absent when it is not asked for. */
export interface Statements {
  /** One row with `count`. */
  readonly count?: string
  /** Rows with `key` and `figure`. */
  readonly groups?: string
  /** Rows with all columns, `ms` among them, in order. */
  readonly records?: string
}

/** `text` is what the query asks for now. */
export function toSql(query: PreparedQuery, text: string): Statements {
  const { range, limit = 1, order = 'asc', bucketMs, isFigure, groupBy } = query
  const where = `FROM logs WHERE ${conditions(text, range).join(' AND ')}`
  const keys = (groupBy ?? []).map(columnOf)
  if (isFigure === true) {
    const figure = `quantileExactInclusive(0.95)(toFloat64(${columnOf('duration_ms')}))`
    return { groups: grouped(keys, figure, where) }
  }
  const count = `SELECT count() AS count ${where}`
  if (bucketMs !== undefined) {
    const start = `toString(intDiv(${milliseconds}, ${bucketMs}) * ${bucketMs})`
    return { count, groups: grouped([start, columnOf('log_level')], 'count()', where) }
  }
  if (groupBy !== undefined) return { count, groups: grouped(keys, 'count()', where) }
  if (limit === 1) return { count }
  const records = `SELECT *, ${milliseconds} AS ms ${where} ORDER BY Timestamp ${order} LIMIT ${limit}`
  return { count, records }
}

function grouped(keys: readonly string[], figure: string, where: string): string {
  const key = `arrayStringConcat([${keys.map(column => `toString(${column})`).join(', ')}], '/')`
  return `SELECT ${key} AS key, ${figure} AS figure ${where} GROUP BY ${keys.join(', ')}`
}

function conditions(text: string, range: PreparedQuery['range']): string[] {
  const between = [range.startTime, range.endTime]
    .map(time => `fromUnixTimestamp64Milli(${time}, 'UTC')`)
    .join(' AND ')
  const [, selector = ''] = /\{([^}]*)\}/.exec(text) ?? []
  const matchers = [...selector.matchAll(/([a-z_.]+)="([^"]*)"/g)].map(
    ([, label, value]) => `${columnOf(label!)} = ${quoted(value!)}`,
  )
  const filters = [...text.matchAll(/(\|=|!=|\|~) ("(?:[^"\\]|\\.)*")/g)].map(
    ([, operator, value]) => condition(operator!, JSON.parse(value!) as string),
  )
  return [`Timestamp BETWEEN ${between}`, ...matchers, ...filters]
}

function condition(operator: string, value: string): string {
  if (operator === '|~') return `match(Body, ${quoted(value)})`
  if (operator === '|=' && /^[a-z]{10}$/.test(value)) return `hasToken(Body, ${quoted(value)})`
  const pattern = quoted(`%${value.replace(/[\\%_]/g, '\\$&')}%`)
  return `Body ${operator === '!=' ? 'NOT LIKE' : 'LIKE'} ${pattern}`
}

function columnOf(label: string): string {
  return columns[label] ?? `LogAttributes[${quoted(label)}]`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
