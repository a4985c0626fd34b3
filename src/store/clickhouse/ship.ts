/**
 * Sends a closed journal file to ClickHouse: each of its records is there once when this resolves, whatever
 * earlier attempts have done. In a thread of its own.
 *
 * Two things see to it. An insert has a token, by which ClickHouse knows one that it has had already among
 * the last 100,000, even when that is still under way. And where an earlier attempt may have been made,
 * ClickHouse is asked first what it has of it: for an outage in which that many inserts of others came.
 */
import type { Disk } from '../../disk/disk.ts'
import type { Sequence } from '../../record.ts'
import { GatheredReceipts } from '../receipts/receipt-file.ts'
import type { Connection, QueryParams, Statement } from './connection.ts'
import { dayOfRow } from './row-times.ts'
import { RowWriter, shippedColumns } from './row-writer.ts'
import {
  batchesOf,
  type DaysOfPart,
  isOfInsert,
  type JournalFile,
  type Part,
  partsOfFile,
} from './ship-parts.ts'
import { logsTable } from './tables.ts'

export interface ShipTask {
  readonly url: string
  readonly journal: JournalFile
  /** Of this data directory, among all that send to the same tables. */
  readonly frontEnd: string
  /** Where the receipts of its frames are kept. */
  readonly receiptsDirectory: string
  /** Whether an earlier attempt may have sent some of it. */
  readonly mayBeThere: boolean
}

export interface Shipped {
  readonly records: number
  /** Higher than that of every record in it; 0 when there is none. */
  readonly nextSequence: Sequence
  readonly inserts: number
  /** Of the rows as they were sent. */
  readonly bytes: number
}

/** In one block, so that it comes whole or not at all. */
const insertSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  max_insert_block_size: 2 ** 22,
  max_partitions_per_insert_block: 0,
} as const

/** An insert of rows, which ClickHouse knows by its token if it comes again. */
export function insertStatement(token: string): Statement {
  const query = `INSERT INTO ${logsTable} (${shippedColumns.join(', ')}) FORMAT RowBinary`
  return { query, settings: { ...insertSettings, insert_deduplication_token: token } }
}

/** Throws ClickHouseFailed; an Error of the disk, on which the receipts are put down first. */
export async function shipFile(
  task: ShipTask,
  connection: Pick<Connection, 'insert' | 'rows'>,
  disk: Disk,
): Promise<Shipped> {
  const { journal, receiptsDirectory } = task
  const receipts = new GatheredReceipts()
  const parts = partsOfFile(journal, disk, ofFrame => receipts.add(ofFrame))
  receipts.write(receiptsDirectory, journal.file, disk)
  const nextSequence = (parts.at(-1)?.lastSequence ?? -1) + 1
  const shipped = { records: 0, nextSequence, inserts: 0, bytes: 0 }
  for (const part of parts) {
    for (const days of part.inserts) {
      shipped.records += days.recordCount
      if (task.mayBeThere && (await isThere(task, part, days, connection))) continue
      const count = (chunk: Buffer) => {
        shipped.bytes += chunk.length
      }
      const insert = insertStatement(tokenOf(task, part, days))
      await connection.insert(insert, chunksOf(task, part, days, disk, count))
      shipped.inserts++
    }
  }
  return shipped
}

/** Says which records: those of another attempt have the same. */
function tokenOf({ frontEnd, journal }: ShipTask, part: Part, { day }: DaysOfPart): string {
  return `${frontEnd}/${journal.file}/${part.number}/${day ?? 'others'}`
}

function* chunksOf(
  { journal, frontEnd }: ShipTask,
  part: Part,
  days: DaysOfPart,
  disk: Disk,
  count: (chunk: Buffer) => void,
): Generator<Buffer> {
  const writer = new RowWriter({ frontEnd, file: journal.file })
  const isAll = part.inserts.length === 1
  for (const batch of batchesOf(journal, part, disk)) {
    const isWanted = (row: number) => isAll || isOfInsert(days, dayOfRow(batch.timestamp(row)))
    for (const chunk of writer.add(batch, isWanted)) {
      count(chunk)
      yield chunk
    }
  }
  const last = writer.end()
  if (last === undefined) return
  count(last)
  yield last
}

/** Whether ClickHouse has all records of an insert. Of one day it has all or none. */
async function isThere(
  { frontEnd, journal }: ShipTask,
  part: Part,
  { day, otherThan, recordCount }: DaysOfPart,
  connection: Pick<Connection, 'rows'>,
): Promise<boolean> {
  const params: QueryParams = { frontEnd }
  const dayOf = 'intDiv(toUnixTimestamp(TimestampTime), 86400)'
  const days =
    day === undefined
      ? `${dayOf} NOT IN (${[...otherThan].join(', ')})`
      : `TimestampTime BETWEEN toDateTime(${day * 86_400}) AND toDateTime(${day * 86_400 + 86_399})`
  const [found] = await connection.rows<{ found: number | string }>({
    query: `SELECT count() AS found FROM ${logsTable}
      WHERE FrontEnd = {frontEnd:String} AND JournalFile = ${journal.file}
      AND Sequence BETWEEN ${part.firstSequence} AND ${part.lastSequence} AND ${days}`,
    params,
  })
  const count = Number(found?.found ?? 0)
  if (count >= recordCount) return true
  // Of several days ClickHouse takes each whole, and knows by the token which it has.
  if (count === 0 || day === undefined) return false
  const token = `${journal.file}/${part.number}/${day}`
  throw new Error(`ClickHouse has ${count} of the ${recordCount} records of insert ${token}`)
}
