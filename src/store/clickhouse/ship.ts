/**
 * Sends a closed journal file to ClickHouse: each of its records is there once when this resolves, whatever
 * earlier attempts have done. In a thread of its own.
 *
 * Two things see to it. An insert has a token, by which ClickHouse knows one that it has had already among
 * the last 100,000, even when that is still under way. And where an earlier attempt may have been made,
 * ClickHouse is asked first what it has of it: for an outage in which that many inserts of others came.
 */
import type { Disk } from '../../disk/disk.ts'
import { ReadWindow } from '../../disk/read-window.ts'
import type { Sequence } from '../../record.ts'
import { GatheredReceipts } from '../receipts/receipt-file.ts'
import { BlockWriter, shippedColumns } from './block-writer.ts'
import type { Connection, Statement } from './connection.ts'
import { Layout } from './layout.ts'
import { type Copies, countCopies, mostOf } from './replicas.ts'
import { dayOfRow } from './row-times.ts'
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
  /** As the service was given it; undefined: on one server. */
  readonly cluster: string | undefined
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

/** Blocks are put together to one part for each day, which comes whole or not at all. */
const insertSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  max_insert_threads: 1,
  min_insert_block_size_rows: 2 ** 40,
  min_insert_block_size_bytes: 0,
  max_partitions_per_insert_block: 0,
  // The first merge makes them, which is seconds later.
  materialize_skip_indexes_on_insert: 0,
} as const

/** An insert of blocks, which ClickHouse knows by its token if it comes again. */
export function insertStatement(token: string): Statement {
  const query = `INSERT INTO ${logsTable} (${shippedColumns.join(', ')}) FORMAT Native`
  return { query, settings: { ...insertSettings, insert_deduplication_token: token } }
}

/** While ClickHouse works on one, the next is made, and another is on its way. */
const insertsAtOnce = 3

/** Memory that inserts use again. */
interface Room {
  /** Where the file is read: of one insert at a time. */
  readonly window: ReadWindow
  /** Of all inserts under way. It is empty whenever one of them waits, because a block goes as one chunk. */
  readonly writer: BlockWriter
}

/** Throws ClickHouseFailed; an Error of the disk, on which the receipts are put down first. */
export async function shipFile(
  task: ShipTask,
  connection: Pick<Connection, 'insert' | 'rows'>,
  disk: Disk,
): Promise<Shipped> {
  const { journal, receiptsDirectory, frontEnd } = task
  const receipts = new GatheredReceipts()
  const windows = Array.from({ length: insertsAtOnce }, () => new ReadWindow())
  const parts = partsOfFile(journal, disk, windows[0]!, ofFrame => receipts.add(ofFrame))
  receipts.write(receiptsDirectory, journal.file, disk)
  const waiting = parts.flatMap(part => part.inserts.map(days => ({ part, days })))
  const shipped = {
    records: waiting.reduce((sum, { days }) => sum + days.recordCount, 0),
    nextSequence: (parts.at(-1)?.lastSequence ?? -1) + 1,
    ...{ inserts: 0, bytes: 0 },
  }
  const writer = new BlockWriter({ frontEnd, file: journal.file })
  const sendInTurn = async (window: ReadWindow) => {
    const room = { window, writer }
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const bytes = await send(task, next.part, next.days, connection, disk, room).catch(error => {
        waiting.length = 0
        throw error
      })
      if (bytes === undefined) continue
      shipped.inserts++
      shipped.bytes += bytes
    }
  }
  const turns = windows.map(sendInTurn)
  // Not before all have ended: nothing of this attempt is under way when the next one begins.
  for (const turn of await Promise.allSettled(turns)) {
    if (turn.status === 'rejected') throw turn.reason
  }
  return shipped
}

/** Resolves with the bytes that were sent; undefined when ClickHouse had the records already. */
async function send(
  task: ShipTask,
  part: Part,
  days: DaysOfPart,
  connection: Pick<Connection, 'insert' | 'rows'>,
  disk: Disk,
  room: Room,
): Promise<number | undefined> {
  if (task.mayBeThere && (await isThere(task, part, days, connection))) return undefined
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
  }
  const insert = insertStatement(tokenOf(task, part, days))
  await connection.insert(insert, chunksOf(task, part, days, disk, room, count))
  return bytes
}

/** Says which records: those of another attempt have the same. */
function tokenOf({ frontEnd, journal }: ShipTask, part: Part, { day }: DaysOfPart): string {
  return `${frontEnd}/${journal.file}/${part.number}/${day ?? 'others'}`
}

function* chunksOf(
  { journal }: ShipTask,
  part: Part,
  days: DaysOfPart,
  disk: Disk,
  { window, writer }: Room,
  count: (chunk: Buffer) => void,
): Generator<Buffer> {
  const isAll = part.inserts.length === 1
  function* blocks() {
    for (const batch of batchesOf(journal, part, disk, window)) {
      const isWanted = (row: number) => isAll || isOfInsert(days, dayOfRow(batch.timestamp(row)))
      yield* writer.add(batch, isWanted)
    }
    yield* writer.end()
  }
  try {
    for (const chunk of blocks()) {
      count(chunk)
      yield chunk
    }
  } finally {
    // Rows of an insert that failed would go with another one's.
    writer.clear()
  }
}

/**
 * Whether ClickHouse has all records of an insert, with most of its replicas. Of one day a replica has all or
 * none, and what one has the others fetch from it: that is waited for, not sent again, because its token may
 * be forgotten.
 */
async function isThere(
  task: ShipTask,
  part: Part,
  days: DaysOfPart,
  connection: Pick<Connection, 'rows'>,
): Promise<boolean> {
  const { day, recordCount } = days
  const { rows, replicas } = await countThere(task, part, days, connection)
  const isOnMost = rows >= mostOf(replicas) * recordCount
  // Of several days ClickHouse takes each whole, and knows by the token which it has.
  if (day === undefined) return rows >= replicas * recordCount
  if (isOnMost || rows === 0) return isOnMost
  const token = `insert ${task.journal.file}/${part.number}/${day}`
  const copies = rows / recordCount
  throw new Error(
    Number.isInteger(copies)
      ? `${token} is on ${copies} of ${replicas} replicas`
      : `ClickHouse has ${rows} of the ${recordCount} records of ${token}`,
  )
}

async function countThere(
  { frontEnd, journal, cluster }: ShipTask,
  part: Part,
  { day, otherThan }: DaysOfPart,
  connection: Pick<Connection, 'rows'>,
): Promise<Copies> {
  const dayOf = 'intDiv(toUnixTimestamp(TimestampTime), 86400)'
  const days =
    day === undefined
      ? `${dayOf} NOT IN (${[...otherThan].join(', ')})`
      : `TimestampTime BETWEEN toDateTime(${day * 86_400}) AND toDateTime(${day * 86_400 + 86_399})`
  const where = `FrontEnd = {frontEnd:String} AND JournalFile = ${journal.file}
      AND Sequence BETWEEN ${part.firstSequence} AND ${part.lastSequence} AND ${days}`
  const params = { frontEnd }
  const layout = new Layout(cluster)
  if (layout.isReplicated) return countCopies(where, params, connection, layout)
  const query = `SELECT count() AS found FROM ${logsTable} WHERE ${where}`
  const [found] = await connection.rows<{ found: number | string }>({ query, params })
  return { rows: Number(found?.found ?? 0), replicas: 1 }
}
