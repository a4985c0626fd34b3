/**
 * What an export fetches, a slice of its time after the other: so no more is on the disk at once than a query
 * may fetch, however much is exported. Slices are of whole milliseconds, in the order of the export.
 *
 * All of them are of what ClickHouse had when the first was cut: what comes later is in none, and what is
 * dropped meanwhile ends the export with an error.
 */
import { ProblemError } from '../../problems.ts'
import type { ExportRange } from '../../query/export/windows.ts'
import { type TimeRange, timeMax } from '../../record.ts'
import type { Statement } from './connection.ts'
import { allRows, narrowed, type Where } from './fetch-statement.ts'
import type { FetchedFile } from './fetched-records.ts'
import { logsTable } from './tables.ts'

export interface ExportSlice {
  readonly range: TimeRange
  /** To be released by who has taken the slice. */
  readonly fetched: FetchedFile
}

export interface ExportSliceParts {
  readonly rows: <Row>(statement: Statement) => Promise<Row[]>
  /** Throws ProblemError `query_too_large` for what is more than may be fetched at once. */
  readonly fetch: (statement: Statement) => Promise<FetchedFile>
  /** Rows of a time that may be in the answer. */
  readonly whereIn: (range: TimeRange) => Where
  /** Of a slice; there may be more of one millisecond. */
  readonly recordsMax: number
}

interface Counted {
  readonly records: number
  readonly first: number
  readonly last: number
  /** About the time of the record in the middle, of a sample. */
  readonly middle: number
}

/** Throws what the parts do, and ProblemError `clickhouse_unreachable` when records have gone meanwhile. */
export async function* exportSlices(
  { startTime, endTime, order }: ExportRange,
  parts: ExportSliceParts,
): AsyncGenerator<ExportSlice, void, undefined> {
  const whole = {
    startTime: Math.max(-timeMax, Math.ceil(startTime)),
    endTime: Math.min(timeMax, Math.floor(endTime)),
  }
  const waiting: TimeRange[] = [whole]
  let cut: { readonly seen: Where; readonly records: number } | undefined
  let given = 0
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const where = parts.whereIn(range)
    const chosen = cut === undefined ? where : narrowed(where, cut.seen)
    const counted = await countOf(chosen, parts)
    const fetched = await fetchWhere(chosen, counted, parts)
    if (fetched !== undefined) {
      given += counted.records
      yield { range, fetched }
      continue
    }
    if (cut === undefined) {
      const seen = await seenNow(parts)
      cut = { seen, records: (await countOf(narrowed(where, seen), parts)).records }
    }
    waiting.push(...halvesOf(range, counted, order))
  }
  if (cut !== undefined && given < cut.records) {
    const detail =
      'ClickHouse has dropped records since the export began; ask again for those that stay'
    throw new ProblemError('clickhouse_unreachable', detail, { retryAfterSeconds: 1 })
  }
}

/** Undefined where that is to be cut. */
async function fetchWhere(
  where: Where,
  { records, first, last }: Counted,
  { fetch, recordsMax }: ExportSliceParts,
): Promise<FetchedFile | undefined> {
  const isOneMoment = first === last
  if (records > recordsMax && !isOneMoment) return undefined
  try {
    return await fetch(allRows(where))
  } catch (error) {
    const isTooLarge = error instanceof ProblemError && error.code === 'query_too_large'
    if (isTooLarge && !isOneMoment) return undefined
    throw error
  }
}

/** The one that comes first stands last. */
function halvesOf(
  { startTime, endTime }: TimeRange,
  { first, last, middle }: Counted,
  order: ExportRange['order'],
): TimeRange[] {
  const end = Math.max(first, Math.min(Math.floor(middle), last - 1))
  const early = { startTime, endTime: end }
  const late = { startTime: end + 1, endTime }
  return order === 'asc' ? [late, early] : [early, late]
}

async function countOf({ sql, params }: Where, { rows }: ExportSliceParts): Promise<Counted> {
  const [row] = await rows<Record<'records' | 'first' | 'last' | 'middle', string | number>>({
    query: `SELECT count() AS records, min(Time) AS first, max(Time) AS last,
      quantile(0.5)(Time) AS middle FROM ${logsTable} WHERE ${sql}`,
    params,
  })
  if (row === undefined) throw new TypeError('a count has one row')
  const [records, first, last, middle] = [row.records, row.first, row.last, row.middle].map(Number)
  return { records: records!, first: first!, last: last!, middle: middle! }
}

/** Rows that are there at this moment: of each front end those of its files up to now. */
async function seenNow({ rows }: ExportSliceParts): Promise<Where> {
  const files = await rows<{ frontEnd: string; file: number }>({
    query: `SELECT FrontEnd AS frontEnd, max(JournalFile) AS file FROM ${logsTable} GROUP BY frontEnd`,
  })
  const terms = files.map(({ file }, i) => {
    return `(FrontEnd = {seen${i}:String} AND JournalFile <= ${Number(file)})`
  })
  return {
    sql: terms.length > 0 ? terms.join(' OR ') : '0',
    params: Object.fromEntries(files.map(({ frontEnd }, i) => [`seen${i}`, frontEnd])),
  }
}
