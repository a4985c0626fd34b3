/** Retention in ClickHouse: whole days go, the oldest first. */

import type { Logger } from 'pino'
import type { Timestamp } from '../../record.ts'
import { dayMs } from '../../time-units.ts'
import type { RetentionBounds } from '../maintain/retention.ts'
import type { Deletion } from '../store.ts'
import type { Connection } from './connection.ts'
import type { Layout } from './layout.ts'

/** The records of one day. */
export interface Partition {
  /** As `toDate(…, 'UTC')` writes it, such as `2026-11-25`. */
  readonly day: string
  readonly records: number
  readonly bytes: number
}

/**
 * All days there are, the oldest first. One that was dropped leaves an empty part for a moment, which is
 * none. Throws ClickHouseFailed.
 */
export async function listPartitions(
  connection: Pick<Connection, 'rows'>,
  layout: Layout,
): Promise<readonly Partition[]> {
  const rows = await connection.rows<{ day: string; records: string; bytes: string }>({
    query: `SELECT partition AS day, sum(rows) AS records, sum(bytes_on_disk) AS bytes
      FROM ${layout.systemParts} WHERE active AND rows > 0
      AND database = currentDatabase() AND table = '${layout.rowsTable}'
      GROUP BY day ORDER BY day`,
  })
  return rows
    .filter(({ day }) => /^\d{4}-\d\d-\d\d$/.test(day))
    .map(({ day, records, bytes }) => ({ day, records: Number(records), bytes: Number(bytes) }))
}

/** The days that the bounds do not allow to stay. `partitions`: the oldest first. */
export function partitionsToDrop(
  partitions: readonly Partition[],
  { ageMsMax, bytesMax }: RetentionBounds,
  now: Timestamp,
): readonly Partition[] {
  const oldest = ageMsMax === undefined ? Number.NEGATIVE_INFINITY : now - ageMsMax
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0)
  return partitions.filter(({ day, ...partition }) => {
    const isTooOld = Date.parse(day) + dayMs <= oldest
    const isTooMuch = bytesMax !== undefined && bytes > bytesMax
    if (!isTooOld && !isTooMuch) return false
    bytes -= partition.bytes
    return true
  })
}

/** What dropping some days deletes. */
export function deletionOf(partitions: readonly Partition[]): Deletion {
  const sum = (of: (partition: Partition) => number) =>
    partitions.reduce((total, partition) => total + of(partition), 0)
  const [first, last] = [partitions[0], partitions.at(-1)]
  const times =
    first === undefined || last === undefined
      ? undefined
      : { earliest: Date.parse(first.day), latest: Date.parse(last.day) + dayMs - 1 }
  return {
    segments: partitions.length,
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    times,
  }
}

/** Throws ClickHouseFailed. Queries under way keep what they see. */
export async function dropPartitions(
  partitions: readonly Partition[],
  connection: Pick<Connection, 'command'>,
  layout: Layout,
  logger: Logger,
): Promise<void> {
  for (const { day, records, bytes } of partitions) {
    for (const query of layout.alterLogs(`DROP PARTITION '${day}'`, 'rows')) {
      await connection.command({ query })
    }
    logger.info({ day, records, bytes }, 'a day was dropped from ClickHouse, as retention says')
  }
}
