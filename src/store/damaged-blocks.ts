/** What becomes of a block that a query could not read: kept for a person, and out of the index. */
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../disk/disk.ts'
import type { BlockIndex } from '../index/block-index.ts'
import type { BlockRef } from '../query/source.ts'
import { rescueFooter } from '../segment/rescue.ts'
import { copyPart } from './recovery.ts'

export interface DamagedBlockPlace {
  readonly path: string
  readonly quarantine: string
  readonly source: BlockRef
  readonly reason: string
}

/**
 * Copies the block's bytes to the quarantine and takes the block out of the index, so that counts from
 * the index agree with what can be read. Never throws: the damage is said either way.
 */
export async function quarantineBlock(
  index: BlockIndex,
  { path, quarantine, source, reason }: DamagedBlockPlace,
  logger: Logger,
  disk: Disk,
): Promise<void> {
  const { segment, directory, bytes } = source
  const offset = directory.offset + directory.bytes - bytes
  const keptAs = `${basename(path)}.${offset}`
  try {
    disk.makeDirectorySync(quarantine)
    copyPart(path, join(quarantine, keptAs), { offset, bytes }, disk)
    const { blocks } = rescueFooter(path, segment, disk).footer
    const block = blocks.find(block => block.directory.offset === directory.offset)
    if (block !== undefined) await index.removeBlock(segment, block)
    logger.error(
      { segment, offset, bytes, keptAs: `quarantine/${keptAs}`, reason },
      'a block is damaged; its records are lost, all others are served',
    )
  } catch (error) {
    logger.error({ segment, offset, reason, err: error }, 'a block is damaged')
  }
}
