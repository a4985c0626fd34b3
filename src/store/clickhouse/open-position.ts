/** Under which name and from which numbers a data directory sends its journal. */
import { randomBytes } from 'node:crypto'
import type { Disk } from '../../disk/disk.ts'
import type { Sequence } from '../../record.ts'
import type { Connection } from './connection.ts'
import { isUsedUp, noteSent, type SequenceRange, sequencesOf, takeNumber } from './front-ends.ts'
import { type Position, readPosition, writePosition } from './position-file.ts'
import { logsTable } from './tables.ts'

export interface OpenedPosition extends Position {
  readonly number: number
  /** Higher than that of every journal file that was sent under this name. */
  readonly nextFile: number
}

/**
 * A directory that was never sent, and one out of a backup, must learn first which numbers are taken:
 * throws an Error that says so when that cannot be asked. Any other needs nobody for it.
 */
export async function openPosition(
  dataDir: string,
  connection: Pick<Connection, 'rows' | 'command'>,
  prepare: () => Promise<void>,
  disk: Disk,
): Promise<OpenedPosition> {
  const known = readPosition(dataDir, disk)
  const { number: ownNumber } = known ?? {}
  const isFull = known !== undefined && isUsedUp(ownNumber ?? 0, known.nextSequence)
  if (known !== undefined && known.isCopy !== true && ownNumber !== undefined && !isFull) {
    return { ...known, number: ownNumber, nextFile: known.shippedFile + 1 }
  }
  try {
    await prepare()
  } catch (error) {
    const text = 'ClickHouse is needed for the first start, which makes its tables'
    throw new Error(`${text}: ${(error as Error).message}`, { cause: error })
  }
  const frontEnd = known?.frontEnd ?? randomBytes(8).toString('hex')
  const mayKeep = ownNumber !== undefined && !isFull
  const number = mayKeep ? ownNumber : await takeNumber(frontEnd, connection)
  const range = sequencesOf(number)
  const taken = await numbersTaken(frontEnd, range, connection)
  // From here on the others know that there may be what they do not see yet.
  await noteSent(frontEnd, 0, connection)
  const nextSequence = Math.max(known?.nextSequence ?? 0, taken.nextSequence, range.first)
  const shippedFile = known?.shippedFile ?? 0
  const position = { frontEnd, number, shippedFile, nextSequence }
  // A copy stays one until its own numbers are durable: of its journal, which is written next.
  if (known?.isCopy !== true) await writePosition(dataDir, position, disk)
  return { ...position, nextFile: Math.max(position.shippedFile + 1, taken.nextFile) }
}

async function numbersTaken(
  frontEnd: string,
  { first, end }: SequenceRange,
  connection: Pick<Connection, 'rows'>,
): Promise<{ nextSequence: Sequence; nextFile: number }> {
  const isIn = `Sequence BETWEEN ${first} AND ${end - 1}`
  const [row] = await connection.rows<{ records: string; sequence: string; file: number }>({
    query: `SELECT countIf(${isIn}) AS records, maxIf(Sequence, ${isIn}) AS sequence,
      maxIf(JournalFile, FrontEnd = {frontEnd:String}) AS file
      FROM ${logsTable} WHERE ${isIn} OR FrontEnd = {frontEnd:String}`,
    params: { frontEnd },
  })
  if (row === undefined || Number(row.records) === 0) {
    return { nextSequence: 0, nextFile: Number(row?.file ?? 0) + 1 }
  }
  return { nextSequence: Number(row.sequence) + 1, nextFile: Number(row.file) + 1 }
}
