/** Blocks of a segment, cut into inserts: the same in each attempt, because what was sent is known by it. */
import { basename, join } from 'node:path'
import type { Disk } from '../../../disk/disk.ts'
import type { Sequence } from '../../../record.ts'
import { BlockColumns } from '../../../segment/block-columns.ts'
import { openBlock } from '../../../segment/block-reader.ts'
import { type BlockSummary, readFooter } from '../../../segment/footer.ts'
import { rescueFooter } from '../../../segment/rescue.ts'
import { SegmentCorrupt } from '../../../segment/segment-error.ts'
import type { SegmentFile } from '../../../segment/segment-file.ts'
import { damageOfBlock } from '../../../segment/verify.ts'
import { copyPart } from '../../recovery.ts'
import { quarantineName } from '../../view/known-damage.ts'
import type { RowsToWrite } from '../block-writer.ts'

/** Records of an insert, about: ClickHouse holds them in memory. */
const insertRecordsMax = 65_536

export interface MovedSegment {
  readonly path: string
  readonly number: number
}

/** A block that cannot be read whole. */
export interface DamagedBlock {
  readonly path: string
  readonly number: number
  /** Of its directory in the file. */
  readonly offset: number
  readonly recordCount: number
  readonly reason: string
}

/** A segment as far as it can be read. */
export interface ReadableSegment {
  /** Blocks that go together. */
  readonly units: readonly (readonly BlockSummary[])[]
  readonly damaged: readonly DamagedBlock[]
}

/**
 * Reads every byte of a segment. Blocks that are damaged are copied to the quarantine first; one that
 * was damaged before, and is whole by now, is a unit of its own, so that the others stay what they were.
 */
export function readSegment(
  { path, number }: MovedSegment,
  quarantine: string,
  disk: Disk,
): ReadableSegment {
  const units: BlockSummary[][] = []
  const alone: BlockSummary[][] = []
  const damaged: DamagedBlock[] = []
  let unit: BlockSummary[] = []
  let records = 0
  const known = namesIn(quarantine, disk)
  for (const block of blocksOf(path, number, disk)) {
    const offset = block.directory.offset + block.directory.bytes - block.blockBytes
    const name = quarantineName(basename(path), offset)
    const reason = damageOfBlock(path, number, block, disk)
    if (reason !== undefined) {
      if (!known.has(name)) keep(path, { offset, bytes: block.blockBytes }, quarantine, name, disk)
      const { recordCount, directory } = block
      damaged.push({ path, number, offset: directory.offset, recordCount, reason })
    } else if (known.has(name)) {
      alone.push([block])
    } else {
      if (records + block.recordCount > insertRecordsMax) {
        unit = []
        records = 0
      }
      if (unit.length === 0) units.push(unit)
      unit.push(block)
      records += block.recordCount
    }
  }
  return { units: [...units, ...alone], damaged }
}

/** Whether a block of a segment was ever found damaged: the quarantine has a copy. */
export function wasDamaged(path: string, quarantine: string, disk: Disk): boolean {
  const prefix = quarantineName(basename(path), 0).slice(0, -1)
  return [...namesIn(quarantine, disk)].some(name => name.startsWith(prefix))
}

/** All blocks that a segment is known to have. Throws SegmentCorrupt when that is nothing. */
export function blocksOf(path: string, number: number, disk: Disk): readonly BlockSummary[] {
  try {
    return readFooter(path, number, disk).blocks
  } catch (error) {
    if (!(error instanceof SegmentCorrupt)) throw error
    return rescueFooter(path, number, disk).footer.blocks
  }
}

export function openColumns(file: SegmentFile, { directory }: BlockSummary): BlockColumns {
  const reader = openBlock(file, directory)
  return new BlockColumns(reader.directory, () => reader)
}

/** A block as its rows are written. Its columns are decoded whole. */
export function rowsOf(block: BlockColumns, sequenceOffset: Sequence): RowsToWrite {
  const { recordCount, streams, streamCodes, levels, levelCodes, attributeNames } = block
  return {
    ...{ recordCount, streams, streamCodes, levels, levelCodes, attributeNames },
    message: { texts: block.message.toTextColumn() },
    timestamp: row => block.timestamp(row),
    sequence: row => block.sequence(row) + sequenceOffset,
    attribute(name) {
      const attribute = block.attribute(name)
      if (attribute === undefined) return undefined
      return { rows: attribute.rows, column: { texts: attribute.column.toTextColumn() } }
    },
  }
}

function namesIn(directory: string, disk: Disk): Set<string> {
  return new Set(disk.sizeSync(directory) === undefined ? [] : disk.listSync(directory))
}

function keep(
  path: string,
  part: { readonly offset: number; readonly bytes: number },
  quarantine: string,
  name: string,
  disk: Disk,
): void {
  disk.makeDirectorySync(quarantine)
  copyPart(path, join(quarantine, name), part, disk)
  disk.syncDirectorySync(quarantine)
}
