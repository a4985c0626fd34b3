/**
 * What is known of damaged blocks at a start: the quarantine has a copy of each that was found, named after
 * its segment and its place. A block that is whole by now (somebody has put the file back) is served again.
 */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import { damageOfBlock } from '../../segment/verify.ts'
import type { FoundSegment, Segments } from './segments.ts'

const namePattern = /^(\d{8,})\.seg\.(\d+)$/

/** The name of the copy of a block that begins at `offset` of the file `name`. */
export function quarantineName(name: string, offset: number): string {
  return `${name}.${offset}`
}

/** Hides the blocks that were found damaged before, and still are. */
export function hideKnownDamage(
  segments: Segments,
  found: readonly FoundSegment[],
  quarantine: string,
  logger: Logger,
  disk: Disk,
): void {
  if (disk.sizeSync(quarantine) === undefined) return
  const byNumber = new Map(found.map(segment => [segment.place.number, segment]))
  for (const name of disk.listSync(quarantine)) {
    const [, number, offset] = namePattern.exec(name) ?? []
    const segment = byNumber.get(Number(number))
    const block = segment?.footer.blocks.find(({ directory, blockBytes }) => {
      return directory.offset + directory.bytes - blockBytes === Number(offset)
    })
    if (segment === undefined || block === undefined) continue
    const { path } = segment.place
    const reason = damageOfBlock(path, segment.place.number, block, disk)
    const details = { segment: segment.place.number, offset: Number(offset) }
    if (reason === undefined) {
      logger.info(details, 'a block that was damaged is whole again, and is served')
      continue
    }
    segments.hideBlock({ segment: segment.place.number, directory: block.directory })
    const kept = { keptAs: join('quarantine', name), recordCount: block.recordCount, reason }
    logger.warn({ ...details, ...kept }, 'a block is known to be damaged and is left out')
  }
}
