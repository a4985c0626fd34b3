/** How many records there are of each day of UTC, here and in ClickHouse. */

import type { Disk } from '../../../disk/disk.ts'
import type { Timestamp } from '../../../record.ts'
import type { BlockSummary } from '../../../segment/footer.ts'
import { type SegmentFile, withSegmentFile } from '../../../segment/segment-file.ts'
import { dayMs } from '../../../time-units.ts'
import { ClickHouseFailed, type Connection, type QueryParams } from '../connection.ts'
import type { Layout } from '../layout.ts'
import { daysOnReplicas } from '../replicas.ts'
import { logsTable } from '../tables.ts'
import { type MovedSegment, openColumns } from './segment-rows.ts'

/** Of the earliest time there is, before 1970. */
const earlyDays = 100_000_000

/** Records by day, since 1970. */
export type DayCounts = ReadonlyMap<number, number>

export interface ComparedDay {
  /** Such as `2026-11-25`. */
  readonly day: string
  readonly segments: number
  readonly clickhouse: number
}

/** Records of blocks of a segment. Blocks of one day are not read. `dayOf`: of UTC, when absent. */
export function countBlocks(
  { path, number }: MovedSegment,
  blocks: readonly BlockSummary[],
  disk: Disk,
  dayOf = (time: Timestamp) => Math.floor(time / dayMs),
): Map<number, number> {
  const counts = new Map<number, number>()
  const add = (day: number, records: number) => counts.set(day, (counts.get(day) ?? 0) + records)
  const mixed = blocks.filter(block => {
    const day = dayOf(block.minTimestamp)
    const isOfOne = day === dayOf(block.maxTimestamp)
    if (isOfOne) add(day, block.recordCount)
    return !isOfOne
  })
  if (mixed.length === 0) return counts
  const count = (file: SegmentFile) => {
    for (const block of mixed) {
      const columns = openColumns(file, block)
      for (let row = 0; row < block.recordCount; row++) add(dayOf(columns.timestamp(row)), 1)
    }
  }
  withSegmentFile(path, number, count, disk)
  return counts
}

/** Adds counts of days to others. */
export function addCounts(total: Map<number, number>, more: DayCounts): void {
  for (const [day, records] of more) total.set(day, (total.get(day) ?? 0) + records)
}

/** The day of a row, counted from the earliest there is: division goes towards 0. */
const dayOfTime = `intDiv(Time + ${earlyDays * dayMs}, ${dayMs})`

/** Of the rows that `where` chooses, as a question finds them. Throws ClickHouseFailed. */
export async function countRows(
  connection: Pick<Connection, 'rows'>,
  where: string,
  params: QueryParams,
): Promise<DayCounts> {
  const rows = await connection.rows<{ day: number | string; records: number | string }>({
    query: `SELECT ${dayOfTime} AS day, count() AS records
      FROM ${logsTable} WHERE ${where} GROUP BY day`,
    params,
  })
  return new Map(rows.map(({ day, records }) => [Number(day) - earlyDays, Number(records)]))
}

/**
 * Of the rows that `where` chooses, as most replicas have them: so they are there even when one goes. Throws
 * ClickHouseFailed, which passes as long as fewer have some of them.
 */
export async function countKeptRows(
  connection: Pick<Connection, 'rows'>,
  where: string,
  params: QueryParams,
  layout: Layout,
): Promise<DayCounts> {
  if (!layout.isReplicated) return countRows(connection, where, params)
  const counted = { where, params, dayOf: dayOfTime }
  const { onAny, onMost } = await daysOnReplicas(counted, connection, layout)
  for (const [day, records] of onAny) {
    const lacking = records - (onMost.get(day) ?? 0)
    if (lacking === 0) continue
    const text = `most replicas lack ${lacking} records that others have`
    throw new ClickHouseFailed(text, undefined)
  }
  return new Map([...onMost].map(([day, records]) => [day - earlyDays, records]))
}

/** Every day that either has, the earliest first. */
export function compareDays(segments: DayCounts, clickhouse: DayCounts): ComparedDay[] {
  const days = new Set([...segments.keys(), ...clickhouse.keys()])
  return [...days]
    .sort((a, b) => a - b)
    .map(day => ({
      day: new Date(day * dayMs).toISOString().replace(/T.*$/, ''),
      segments: segments.get(day) ?? 0,
      clickhouse: clickhouse.get(day) ?? 0,
    }))
}

export function agree(days: readonly ComparedDay[]): boolean {
  return days.every(({ segments, clickhouse }) => segments === clickhouse)
}
