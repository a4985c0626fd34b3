/**
 * Sends the records of a segment to ClickHouse: each is there once when this resolves, whatever earlier
 * attempts have done. As with files of the journal (`ship.ts`), an insert has a token, and where an earlier
 * attempt may have been made, ClickHouse is asked first what it has.
 */
import type { Disk } from '../../../disk/disk.ts'
import type { Sequence } from '../../../record.ts'
import type { BlockSummary } from '../../../segment/footer.ts'
import { SegmentFile } from '../../../segment/segment-file.ts'
import { BlockWriter } from '../block-writer.ts'
import type { Connection } from '../connection.ts'
import { dayOfRow } from '../row-times.ts'
import { insertStatement } from '../ship.ts'
import { type DaysOfPart, insertsOf, isOfInsert } from '../ship-parts.ts'
import { logsTable } from '../tables.ts'
import { countBlocks } from './day-counts.ts'
import { type MovedSegment, openColumns, rowsOf } from './segment-rows.ts'

export interface SegmentToSend extends MovedSegment {
  readonly units: readonly (readonly BlockSummary[])[]
  /** In `FrontEnd` of its rows; `JournalFile` is the segment's number. */
  readonly sender: string
  readonly sequenceOffset: Sequence
  /** Whether an earlier attempt may have sent some of it. */
  readonly mayBeThere: boolean
}

/** As `FrontEnd` of rows that were in segments: the journal of the directory has another. */
export function senderOfSegments(frontEnd: string): string {
  return `${frontEnd}.segments`
}

/**
 * `onRecords` is told of records that ClickHouse has. Resolves with false when the signal has ended it before
 * its end. Throws ClickHouseFailed, SegmentCorrupt, and an Error when ClickHouse has what nobody has sent.
 */
export async function sendSegment(
  segment: SegmentToSend,
  connection: Pick<Connection, 'insert' | 'rows'>,
  disk: Disk,
  signal: AbortSignal,
  onRecords: (count: number) => void,
): Promise<boolean> {
  const there = segment.mayBeThere ? await daysThere(segment, connection) : new Map()
  const file = new SegmentFile(segment.path, segment.number, disk)
  try {
    for (const unit of segment.units) {
      const counts = countBlocks(segment, unit, disk, dayOfRow)
      for (const days of insertsOf(counts)) {
        if (signal.aborted) return false
        if (!takeFrom(there, counts, days, segment)) {
          const statement = insertStatement(tokenOf(segment, unit, days))
          await connection.insert(statement, chunksOf(segment, unit, days, file))
        }
        onRecords(days.recordCount)
      }
    }
    return true
  } finally {
    file.close()
  }
}

/** Says which records: those of another attempt have the same. */
function tokenOf(
  { sender, number }: SegmentToSend,
  unit: readonly BlockSummary[],
  { day }: DaysOfPart,
): string {
  return `${sender}/${number}/${unit[0]!.directory.offset}+${unit.length}/${day ?? 'others'}`
}

function* chunksOf(
  { sender, number, sequenceOffset }: SegmentToSend,
  unit: readonly BlockSummary[],
  days: DaysOfPart,
  file: SegmentFile,
): Generator<Buffer> {
  const writer = new BlockWriter({ frontEnd: sender, file: number })
  for (const block of unit) {
    const [first, last] = [dayOfRow(block.minTimestamp), dayOfRow(block.maxTimestamp)]
    if (days.day !== undefined && (days.day < first || days.day > last)) continue
    const rows = rowsOf(openColumns(file, block), sequenceOffset)
    yield* writer.add(rows, row => isOfInsert(days, dayOfRow(rows.timestamp(row))))
  }
  yield* writer.end()
}

/** How many records of the segment ClickHouse has, by day. */
async function daysThere(
  { sender, number }: SegmentToSend,
  connection: Pick<Connection, 'rows'>,
): Promise<Map<number, number>> {
  const rows = await connection.rows<{ day: number | string; records: number | string }>({
    query: `SELECT intDiv(toUnixTimestamp(TimestampTime), 86400) AS day, count() AS records
      FROM ${logsTable} WHERE FrontEnd = {sender:String} AND JournalFile = ${number} GROUP BY day`,
    params: { sender },
  })
  return new Map(rows.map(({ day, records }) => [Number(day), Number(records)]))
}

/**
 * Whether ClickHouse has an insert. They are sent one after the other, and of each day whole: so of each day
 * it has the first ones. What it is found to have is taken from `there`.
 */
function takeFrom(
  there: Map<number, number>,
  counts: ReadonlyMap<number, number>,
  days: DaysOfPart,
  { path }: MovedSegment,
): boolean {
  const ofInsert = [...counts].filter(([day]) => isOfInsert(days, day))
  const isWhole = ofInsert.every(([day, count]) => (there.get(day) ?? 0) >= count)
  for (const [day, count] of ofInsert) {
    const found = there.get(day) ?? 0
    // Of several days ClickHouse takes each whole, and knows by the token which it has.
    if (found > 0 && found < count && days.day !== undefined) {
      throw new Error(`ClickHouse has ${found} of ${count} records of a part of ${path}`)
    }
    there.set(day, Math.max(0, found - count))
  }
  return isWhole
}
