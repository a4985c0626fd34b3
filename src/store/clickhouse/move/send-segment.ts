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
import { ClickHouseFailed, type Connection } from '../connection.ts'
import type { Layout } from '../layout.ts'
import { type DaysOnReplicas, daysOnReplicas } from '../replicas.ts'
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
  readonly layout: Layout
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
  const there = segment.mayBeThere ? await daysThere(segment, connection) : nothingThere()
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

const nothingThere = (): DaysOnReplicas => ({ onAny: new Map(), onMost: new Map() })

/** How many records of the segment ClickHouse has, by day. */
async function daysThere(
  { sender, number, layout }: SegmentToSend,
  connection: Pick<Connection, 'rows'>,
): Promise<DaysOnReplicas> {
  const dayOf = 'intDiv(toUnixTimestamp(TimestampTime), 86400)'
  const where = `FrontEnd = {sender:String} AND JournalFile = ${number}`
  const params = { sender }
  if (layout.isReplicated) {
    return daysOnReplicas({ where, dayOf, params }, connection, layout)
  }
  const rows = await connection.rows<{ day: number | string; records: number | string }>({
    query: `SELECT ${dayOf} AS day, count() AS records FROM ${logsTable} WHERE ${where} GROUP BY day`,
    params,
  })
  const counts = rows.map(({ day, records }) => [Number(day), Number(records)] as const)
  return { onAny: new Map(counts), onMost: new Map(counts) }
}

/**
 * Whether ClickHouse has an insert. They are sent one after the other, and of each day whole: so of each day
 * it has the first ones. What it is found to have is taken from `there`. Throws ClickHouseFailed, which
 * passes, where fewer than most replicas have it: the others fetch it, and it is not sent again, because its
 * token may be forgotten.
 */
function takeFrom(
  { onAny, onMost }: DaysOnReplicas,
  counts: ReadonlyMap<number, number>,
  days: DaysOfPart,
  { path }: MovedSegment,
): boolean {
  const ofInsert = [...counts].filter(([day]) => isOfInsert(days, day))
  const isIn = (found: ReadonlyMap<number, number>) =>
    ofInsert.every(([day, count]) => (found.get(day) ?? 0) >= count)
  const [isAnywhere, isOnMost] = [isIn(onAny), isIn(onMost)]
  for (const [day, count] of ofInsert) {
    const found = onAny.get(day) ?? 0
    // Of several days ClickHouse takes each whole, and knows by the token which it has.
    if (found > 0 && found < count && days.day !== undefined) {
      throw new Error(`ClickHouse has ${found} of ${count} records of a part of ${path}`)
    }
    for (const there of [onAny, onMost]) {
      there.set(day, Math.max(0, (there.get(day) ?? 0) - count))
    }
  }
  if (isAnywhere && !isOnMost && days.day !== undefined) {
    throw new ClickHouseFailed(`most replicas lack a part of ${path} that others have`, undefined)
  }
  return isOnMost
}
