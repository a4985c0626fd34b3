/**
 * Cuts the records of a time into slices, in order of time and then of arrival, that are small enough to be
 * fetched, held and sealed at once.
 */
import type { RecordPlace } from '../../../query/top-k.ts'
import type { Connection, QueryParams } from '../connection.ts'
import { secondsOf } from '../row-times.ts'
import { logsTable } from '../tables.ts'

/** From a place on, that itself included, to another that is not. */
export interface Slice {
  readonly from: RecordPlace
  readonly to: RecordPlace
}

export interface CountedSlice extends Slice {
  readonly records: number
  /** Two that are smaller, and together are it; undefined when all records are of one place. */
  readonly halves: readonly [Slice, Slice] | undefined
}

/** The rows that `chosen` chooses of a slice. */
export function conditionOfSlice({ from, to }: Slice, chosen: string): string {
  const seconds = [secondsOf(from.timestamp), secondsOf(to.timestamp)]
  return [
    `(${chosen})`,
    `TimestampTime BETWEEN toDateTime(${seconds[0]}) AND toDateTime(${seconds[1]})`,
    `Time BETWEEN ${from.timestamp} AND ${to.timestamp}`,
    `NOT (Time = ${from.timestamp} AND Sequence < ${from.sequence})`,
    `NOT (Time = ${to.timestamp} AND Sequence >= ${to.sequence})`,
  ].join(' AND ')
}

/** Throws ClickHouseFailed. */
export async function countSlice(
  slice: Slice,
  connection: Pick<Connection, 'rows'>,
  chosen: string,
  params: QueryParams,
): Promise<CountedSlice> {
  const [row] = await connection.rows<
    Record<'records' | 'first' | 'last' | 'low' | 'high', string>
  >({
    query: `SELECT count() AS records, min(Time) AS first, max(Time) AS last, min(Sequence) AS low,
      max(Sequence) AS high FROM ${logsTable} WHERE ${conditionOfSlice(slice, chosen)}`,
    params,
  })
  const records = Number(row?.records ?? 0)
  if (row === undefined || records === 0) return { ...slice, records: 0, halves: undefined }
  const [first, last] = [Number(row.first), Number(row.last)]
  const [low, high] = [Number(row.low), Number(row.high)]
  const middle =
    first < last
      ? { timestamp: first + Math.floor((last - first) / 2) + 1, sequence: 0 }
      : { timestamp: first, sequence: low + Math.floor((high - low) / 2) + 1 }
  if (first === last && low === high) return { ...slice, records, halves: undefined }
  const halves = [
    { from: slice.from, to: middle },
    { from: middle, to: slice.to },
  ] as const
  return { ...slice, records, halves }
}
