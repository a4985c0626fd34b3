/**
 * How far this data directory was sent to ClickHouse, and under which name: a few bytes in
 * `clickhouse.json`, replaced as a whole. A journal file goes only when this survives a power cut.
 */
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { readSmallFile, replaceSmallFile } from '../../disk/small-file.ts'
import { checkBody } from '../../schema/check.ts'

const fileName = 'clickhouse.json'

const schema = Type.Object({
  format: Type.Literal(1),
  /** The name of this data directory, among all that send to the same tables. */
  frontEnd: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** ClickHouse has all records of this journal file and of those before it. */
  shippedFile: Type.Integer({ minimum: 0 }),
  /** Higher than that of every record in these. */
  nextSequence: Type.Integer({ minimum: 0 }),
  /** No other front end's (`front-ends.ts`); absent where an earlier version has written it. */
  number: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Whether it is of a backup: the directory may have gone on under this name since. */
  isCopy: Type.Optional(Type.Literal(true)),
})

export type Position = Omit<Static<typeof schema>, 'format'>

/** Throws when records of the directory are in ClickHouse: another store would not find them. */
export function refuseSentDirectory(dataDir: string, disk: Disk = realDisk): void {
  if (disk.sizeSync(join(dataDir, fileName)) === undefined) return
  const text = 'records of the data directory are in ClickHouse: start with --store clickhouse'
  throw new Error(
    `${text}, move them back with logstrata ship --from clickhouse, or give another --data-dir`,
  )
}

/** Undefined when nothing was ever sent. Throws when it cannot be read, or is not one. */
export function readPosition(dataDir: string, disk: Disk): Position | undefined {
  const text = readSmallFile(join(dataDir, fileName), disk)
  return text === undefined ? undefined : checkBody(schema, JSON.parse(text))
}

/** Resolves when it survives a power cut. The last one stays when that fails. */
export function writePosition(dataDir: string, position: Position, disk: Disk): Promise<void> {
  const content: Static<typeof schema> = { format: 1, ...position }
  return replaceSmallFile(join(dataDir, fileName), `${JSON.stringify(content)}\n`, disk)
}

/** Resolves when it does not come back: then the directory has nothing in ClickHouse. */
export function removePosition(dataDir: string, disk: Disk): Promise<void> {
  return disk.removeDurably(join(dataDir, fileName))
}
