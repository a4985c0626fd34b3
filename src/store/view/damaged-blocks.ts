/** What becomes of a block that cannot be read: it is left out of answers, kept for a person, and said. */
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import type { BlockRef } from '../../index/source.ts'
import type { Findings } from '../maintain/findings.ts'
import type { Maintenance } from '../maintain/maintenance.ts'
import { copyPart } from '../recovery.ts'
import { quarantineName } from './known-damage.ts'
import type { Segments } from './segments.ts'

export interface DamageParts {
  readonly disk: Disk
  readonly paths: { readonly quarantine: string }
  readonly segments: Pick<Segments, 'hideBlock' | 'pathOf'>
  readonly maintenance: Pick<Maintenance, 'noteDamaged'>
  readonly findings: Pick<Findings, 'noteBlock'>
  readonly logger: Logger
}

/**
 * Takes a block out of sight and copies its bytes to the quarantine, by which the next start knows of it
 * too. Nothing happens when it is out of sight. Never throws: the damage is said either way.
 */
export function takeBlockOut(parts: DamageParts, source: BlockRef, reason: string): void {
  const { disk, paths, segments, maintenance, findings, logger } = parts
  if (!segments.hideBlock(source)) return
  findings.noteBlock()
  maintenance.noteDamaged(source.segment)
  const { segment, directory, bytes } = source
  const path = segments.pathOf(segment)
  const offset = directory.offset + directory.bytes - bytes
  const keptAs = quarantineName(basename(path), offset)
  try {
    disk.makeDirectorySync(paths.quarantine)
    copyPart(path, join(paths.quarantine, keptAs), { offset, bytes }, disk)
    logger.error(
      { segment, offset, bytes, keptAs: `quarantine/${keptAs}`, reason },
      'a block is damaged; its records are lost, all others are served',
    )
  } catch (error) {
    logger.error({ segment, offset, reason, err: error }, 'a block is damaged')
  }
}
