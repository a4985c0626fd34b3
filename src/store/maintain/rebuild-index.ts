/** Rebuilds the index of a running service, from the footers of the segments that queries see. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import type { BlockIndex, IndexedBlock } from '../../index/block-index.ts'
import { rescueFooter } from '../../segment/rescue.ts'
import { SegmentCorrupt } from '../../segment/segment-error.ts'
import { liveSegment, type Segments } from '../view/segments.ts'

export interface RebuildParts {
  readonly disk: Disk
  readonly index: BlockIndex
  readonly segments: Segments
  readonly logger: Logger
}

/** No segment comes or goes meanwhile. A segment of which nothing can be read any more leaves. */
export async function rebuildIndex({ disk, index, segments, logger }: RebuildParts): Promise<void> {
  const blocks = new Map<number, readonly IndexedBlock[]>()
  for (const place of [...segments.all]) {
    try {
      const { footer } = rescueFooter(place.path, place.number, disk)
      blocks.set(place.number, footer.blocks)
      segments.swap([liveSegment(place, footer)], [])
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      logger.error(
        { segment: place.number, reason: error.what },
        'a segment cannot be read any more',
      )
      segments.swap([], [place.number])
    }
    await nextTurn() // Others have their turn between two files.
  }
  await index.rebuild(blocks)
}
