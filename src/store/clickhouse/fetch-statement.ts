/** The SELECT statements of a query: which rows may match, and in which order the first of them are. */
import type { ScanQuery } from '../../query/scan-task.ts'
import type { PlaceOrder, RecordPlace } from '../../query/top-k.ts'
import { timeMax } from '../../record.ts'
import type { QueryParams, Statement } from './connection.ts'
import { fetchedColumns } from './row-reader.ts'
import { secondsOf } from './row-times.ts'
import { Bound } from './sql/bound.ts'
import type { CollectedQuestion } from './sql/collected.ts'
import type { SqlCondition } from './sql/condition.ts'
import { exactNumbers } from './sql/quantity.ts'
import { whole } from './sql/whole.ts'
import { logsTable } from './tables.ts'

/** What the journal answers at the same time, and ClickHouse does not. */
export interface Boundary {
  readonly frontEnd: string
  /** The first file in sight of the journal; undefined: none is. */
  readonly firstFile: number | undefined
}

type Asked = Pick<ScanQuery, 'startTime' | 'endTime' | 'arrived' | 'chosen'>

export interface Where {
  readonly sql: string
  readonly params: QueryParams
}

/** Rows that are not in the journal, of the query's time, and that may match. */
export function whereOf(query: Asked, condition: SqlCondition, boundary: Boundary): Where {
  const { arrived, chosen } = query
  const from = Math.max(-timeMax, Math.ceil(query.startTime))
  const to = Math.min(timeMax, Math.floor(query.endTime))
  const terms = [
    `TimestampTime BETWEEN toDateTime(${secondsOf(from)}) AND toDateTime(${secondsOf(to)})`,
    `Time BETWEEN ${from} AND ${to}`,
    `(${condition.sql})`,
  ]
  const { frontEnd, firstFile } = boundary
  if (firstFile !== undefined) {
    terms.push(`NOT (FrontEnd = {frontEnd:String} AND JournalFile >= ${firstFile})`)
  }
  if (arrived !== undefined) {
    const [after, before] = [Math.max(-1, arrived.after), Math.max(0, arrived.before)]
    terms.push(`Sequence > toInt64(${after}) AND Sequence < ${before}`)
  }
  if (chosen !== undefined) {
    const { sequences } = chosen
    terms.push(
      sequences.length === 0 ? '0' : `Sequence IN (${[...sequences].map(whole).join(', ')})`,
    )
  }
  const params = firstFile === undefined ? condition.params : { ...condition.params, frontEnd }
  return { sql: terms.join(' AND '), params }
}

/** Those of them that another condition chooses as well. */
export function narrowed({ sql, params }: Where, more: Where): Where {
  return { sql: `${sql} AND (${more.sql})`, params: { ...params, ...more.params } }
}

/** All of them, in no order; of `attributes` those alone, all where it is absent. */
export function allRows({ sql, params }: Where, attributes?: readonly string[]): Statement {
  const bound = new Bound('a')
  const columns = attributes === undefined ? selectRows : selectOf(attributes, bound)
  const query = `${columns} WHERE ${sql} FORMAT RowBinary`
  return { query, params: { ...params, ...bound.params }, settings }
}

/** The first `limit` behind a place; all when that is undefined. */
export function firstRows(
  { sql, params }: Where,
  order: PlaceOrder,
  after: RecordPlace | undefined,
  limit: number,
): Statement {
  const behind = after === undefined ? '' : ` AND ${isBehind(after, order)}`
  const by = { asc: 'Time, Sequence', desc: 'Time DESC, Sequence DESC', latest: 'Sequence DESC' }
  return {
    query: `${selectRows} WHERE ${sql}${behind} ORDER BY ${by[order]} LIMIT ${limit} FORMAT RowBinary`,
    params,
    settings,
  }
}

export function countOf({ sql, params }: Where): Statement {
  return { query: `SELECT count() AS found FROM ${logsTable} WHERE ${sql}`, params, settings }
}

/** What a question asks of them. */
export function collectedBy(where: Where, question: CollectedQuestion): Statement {
  const asked = question.statement(`${logsTable} WHERE ${where.sql}`)
  const query = question.rowsOf === undefined ? asked : `${asked} FORMAT RowBinary`
  return { query, params: { ...where.params, ...question.params }, settings }
}

/** Of numbers of records that are chosen: as many as one `distinct` leaves. */
const statementBytesMax = 8 * 1024 * 1024

/** Conditions are exact with these. */
export const settings = { ...exactNumbers, max_query_size: statementBytesMax } as const

/** Only these attributes of rows. */
function selectOf(attributes: readonly string[], bound: Bound): string {
  const chosen =
    attributes.length === 0
      ? `CAST(map(), 'Map(LowCardinality(String), String)')`
      : `mapFilter((name, text) -> name IN ${bound.texts(attributes)}, LogAttributes)`
  const columns = fetchedColumns.map(name => (name === 'LogAttributes' ? chosen : name))
  return `SELECT ${columns.join(', ')} FROM ${logsTable}`
}

const selectRows = `SELECT ${fetchedColumns.join(', ')} FROM ${logsTable}`

function isBehind({ timestamp, sequence }: RecordPlace, order: PlaceOrder): string {
  const later = Math.max(-1, sequence)
  if (order === 'latest') return `Sequence < ${Math.max(0, sequence)}`
  return order === 'asc'
    ? `(Time > ${timestamp} OR (Time = ${timestamp} AND Sequence > toInt64(${later})))`
    : `(Time < ${timestamp} OR (Time = ${timestamp} AND Sequence < ${Math.max(0, sequence)}))`
}
