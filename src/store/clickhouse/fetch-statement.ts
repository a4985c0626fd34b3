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
import { computedOnce } from './sql/stages/definitions.ts'
import { type Staging, stagedTable } from './sql/told.ts'
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
  /** What is made of their records, and which of these are meant; absent: all, as they are. */
  readonly staged?: Pick<Staging, 'layers'> & { readonly condition: string }
}

/** Rows that are not in the journal, of the query's time, and that may match. */
export function whereOf(query: Asked, condition: SqlCondition, boundary: Boundary): Where {
  const { arrived, chosen } = query
  const from = Math.max(-timeMax, Math.ceil(query.startTime))
  const to = Math.min(timeMax, Math.floor(query.endTime))
  const terms = [isWithin(from, to), `(${condition.sql})`]
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

/** Both are whole milliseconds. */
function isWithin(from: number, to: number): string {
  return `TimestampTime BETWEEN toDateTime(${secondsOf(from)}) AND toDateTime(${secondsOf(to)})
    AND Time BETWEEN ${from} AND ${to}`
}

/** Those of them that another condition chooses as well. */
export function narrowed({ sql, params, ...others }: Where, more: Where): Where {
  return { ...others, sql: `${sql} AND (${more.sql})`, params: { ...params, ...more.params } }
}

/** Of what stages make of them, those with a condition. */
function staged({ sql, params }: Where, staging: Staging, condition: string): Where {
  const { layers, params: more } = staging
  return { sql, params: { ...params, ...more }, staged: { layers, condition } }
}

/** Those of which all is known that is asked. */
export function knownOf(where: Where, staging: Staging | undefined): Where {
  return staging === undefined ? where : staged(where, staging, staging.isKnown)
}

/** Those that we look at. */
export function unknownOf(where: Where, staging: Staging): Where {
  return staged(where, staging, staging.isUnknown)
}

/** A table, and `WHERE` with a condition. */
function fromOf({ sql, staged }: Where): string {
  if (staged === undefined) return `${logsTable} WHERE ${sql}`
  return `${stagedTable(`${logsTable} WHERE ${sql}`, staged)} WHERE ${staged.condition}`
}

/** All of them, in no order; of `attributes` those alone, all where it is absent. */
export function allRows(where: Where, attributes?: readonly string[]): Statement {
  const bound = new Bound('a')
  const columns = attributes === undefined ? selectRows : selectOf(attributes, bound)
  const query = `${columns} FROM ${fromOf(where)} FORMAT RowBinary`
  return { query, params: { ...where.params, ...bound.params }, settings: settingsOf(where) }
}

/** The first `limit` behind a place; all when that is undefined. */
export function firstRows(
  where: Where,
  order: PlaceOrder,
  after: RecordPlace | undefined,
  limit: number,
): Statement {
  const behind = after === undefined ? '' : ` AND ${isBehind(after, order)}`
  const by = { asc: 'Time, Sequence', desc: 'Time DESC, Sequence DESC', latest: 'Sequence DESC' }
  return {
    query: `${selectRows} FROM ${fromOf(where)}${behind} ORDER BY ${by[order]} LIMIT ${limit} FORMAT RowBinary`,
    params: where.params,
    settings: settingsOf(where),
  }
}

export function countOf(where: Where): Statement {
  return {
    query: `SELECT count() AS found FROM ${fromOf(where)}`,
    params: where.params,
    settings: settingsOf(where),
  }
}

/** Of what stages make of records: how much is known. */
export interface StagedCounts {
  /** How many records are known. */
  readonly found: number | string
  /** How many we look at. */
  readonly left: number | string
  /** Of the first of those that are known, what they are in order by (`smallestFirst`). */
  readonly firsts: readonly (readonly [number | string, number | string])[]
}

/** Times and numbers of records, as those are in order of which the smallest are the first. */
const smallestFirst: Readonly<Record<PlaceOrder, string>> = {
  asc: 'tuple(Time, toInt64(Sequence))',
  desc: 'tuple(-Time, -toInt64(Sequence))',
  latest: 'tuple(-toInt64(Sequence), -Time)',
}

/** With the places of the first `limit` that are known: stages are run once for both. */
export function countsOf(
  where: Where,
  { order, after }: Pick<ScanQuery, 'order' | 'after'>,
  limit: number,
  staging: Staging,
): Statement {
  const { isKnown, isUnknown } = staging
  const all = staged(where, staging, '1')
  const isMeant = after === undefined ? isKnown : `(${isKnown}) AND ${isBehind(after, order)}`
  const firsts =
    limit === 0 ? '[]' : `groupArraySortedIf(${limit})(${smallestFirst[order]}, ${isMeant})`
  const found = `countIf(${isKnown}) AS found, countIf(${isUnknown}) AS left`
  return {
    query: `SELECT ${found}, ${firsts} AS firsts FROM ${fromOf(all)}`,
    params: all.params,
    settings: settingsOf(all),
  }
}

/** The records at the places that `countsOf` has told; undefined where there is none. */
export function rowsAt(
  where: Where,
  { firsts }: StagedCounts,
  order: PlaceOrder,
): Statement | undefined {
  if (firsts.length === 0) return undefined
  const places = firsts.map(numbers => numbers.map(one => Number(one) * (order === 'asc' ? 1 : -1)))
  const times = places.map(([a, b]) => (order === 'latest' ? b! : a!))
  const sequences = places.map(([a, b]) => whole(order === 'latest' ? a! : b!))
  const sorted = times.toSorted((a, b) => a - b)
  const sql = `${isWithin(sorted[0]!, sorted.at(-1)!)} AND Sequence IN (${sequences.join(', ')})`
  return allRows(narrowed(where, { sql, params: {} }))
}

/** What a question asks of them. */
export function collectedBy(where: Where, question: CollectedQuestion): Statement {
  const asked = question.statement(fromOf(where))
  const query = question.rowsOf === undefined ? asked : `${asked} FORMAT RowBinary`
  return { query, params: { ...where.params, ...question.params }, settings: settingsOf(where) }
}

/** Of numbers of records that are chosen: as many as one `distinct` leaves. */
const statementBytesMax = 8 * 1024 * 1024

/** Conditions are exact with these. */
export const settings = { ...exactNumbers, max_query_size: statementBytesMax } as const

function settingsOf({ staged }: Where) {
  return staged === undefined ? settings : { ...settings, ...computedOnce }
}

/** Only these attributes of rows. */
function selectOf(attributes: readonly string[], bound: Bound): string {
  const chosen =
    attributes.length === 0
      ? `CAST(map(), 'Map(LowCardinality(String), String)')`
      : `mapFilter((name, text) -> name IN ${bound.texts(attributes)}, LogAttributes)`
  const columns = fetchedColumns.map(name => (name === 'LogAttributes' ? chosen : name))
  return `SELECT ${columns.join(', ')}`
}

const selectRows = `SELECT ${fetchedColumns.join(', ')}`

function isBehind({ timestamp, sequence }: RecordPlace, order: PlaceOrder): string {
  const later = Math.max(-1, sequence)
  if (order === 'latest') return `Sequence < ${Math.max(0, sequence)}`
  return order === 'asc'
    ? `(Time > ${timestamp} OR (Time = ${timestamp} AND Sequence > toInt64(${later})))`
    : `(Time < ${timestamp} OR (Time = ${timestamp} AND Sequence < ${Math.max(0, sequence)}))`
}
