/**
 * How far the records of a data directory were moved to ClickHouse, or back: a few bytes in `moving.json`,
 * replaced as a whole, as long as a move has begun and not ended. No store opens such a directory: it would
 * find a part of the records, or change what is being moved.
 */
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Disk } from '../../../disk/disk.ts'
import { realDisk } from '../../../disk/real-disk.ts'
import { readSmallFile, replaceSmallFile } from '../../../disk/small-file.ts'
import { checkBody } from '../../../schema/check.ts'

const fileName = 'moving.json'

const format = Type.Literal(1)
const natural = Type.Integer({ minimum: 0 })

const moveToSchema = Type.Object({
  format,
  to: Type.Literal('clickhouse'),
  /** `sent`: and counted; what is left is to remove the segments. `kept`: they were to stay. */
  state: Type.Union([Type.Literal('sending'), Type.Literal('sent'), Type.Literal('kept')]),
  /** Under which the journal goes on afterwards. */
  frontEnd: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** Whose range its records get. */
  number: natural,
  /** Added to each record's place in the order of arrival. */
  sequenceOffset: Type.Integer(),
  /** ClickHouse has the segments up to this number, but for blocks that are damaged. */
  sentThrough: natural,
})

const moveFromSchema = Type.Object({
  format,
  from: Type.Literal('clickhouse'),
  /** `fetched`: and counted; what is left is to forget ClickHouse. */
  state: Type.Union([Type.Literal('fetching'), Type.Literal('fetched')]),
  /** Segments from this number on are of records that are not noted here: they are fetched again. */
  nextNumber: natural,
  /** Records before this time and place are in segments. */
  time: Type.Integer(),
  sequence: natural,
})

export type MoveTo = Omit<Static<typeof moveToSchema>, 'format'>
export type MoveFrom = Omit<Static<typeof moveFromSchema>, 'format'>

/** Undefined when no move is under way. Throws when the file cannot be read, or is not one. */
export function readMove(dataDir: string, disk: Disk = realDisk): MoveTo | MoveFrom | undefined {
  const text = readSmallFile(join(dataDir, fileName), disk)
  if (text === undefined) return undefined
  const content = JSON.parse(text)
  return 'to' in content ? checkBody(moveToSchema, content) : checkBody(moveFromSchema, content)
}

/** Resolves when it survives a power cut. The last one stays when that fails. */
export function writeMove(dataDir: string, move: MoveTo | MoveFrom, disk: Disk): Promise<void> {
  const content = { format: 1, ...move }
  return replaceSmallFile(join(dataDir, fileName), `${JSON.stringify(content)}\n`, disk)
}

/** Resolves when it does not come back. */
export function removeMove(dataDir: string, disk: Disk): Promise<void> {
  return disk.removeDurably(join(dataDir, fileName))
}

/** Throws when records of the directory are being moved. `kept`: or stay, and ClickHouse has them as well. */
export function refuseMove(dataDir: string, { kept = false }: { kept?: boolean } = {}): void {
  const move = readMove(dataDir)
  if (move === undefined || (kept && move.state === 'kept')) return
  if (move.state === 'kept') {
    const text = 'the segments of the data directory are in ClickHouse as well'
    throw new Error(`${text}: remove them first with logstrata ship --to clickhouse`)
  }
  const way = 'to' in move ? '--to' : '--from'
  const text = `the records of the data directory are being moved ${way.slice(2)} ClickHouse`
  throw new Error(`${text}: go on with logstrata ship ${way} clickhouse`)
}
