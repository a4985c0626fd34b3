/** What an answer cost, from its `stats`, in few words and in all. */

import type { SelectStats } from '../api/records.ts'
import { bytesText, countText, elapsedText } from '../format.ts'

/** `38 ms · 2 of 61 blocks read` */
export function costText(stats: SelectStats): string {
  const { elapsedMs, blocks, blocksScanned, bytesScanned } = stats
  const read =
    blocks === 0
      ? `${bytesText(bytesScanned)} read`
      : `${countText(blocksScanned)} of ${countText(blocks)} blocks read`
  return `${elapsedText(elapsedMs)} · ${read}`
}

/** Each a line. */
export function costDetails(stats: SelectStats): readonly string[] {
  const { blocksPrunedByTime, blocksPrunedByFilter, blocksPrunedByTemplate } = stats
  return [
    `${countText(stats.recordsScanned)} records looked at, ${bytesText(stats.bytesScanned)}`,
    `${countText(blocksPrunedByTime)} blocks left out by time or stream`,
    `${countText(blocksPrunedByFilter + blocksPrunedByTemplate)} blocks left out by what is in them`,
    `${countText(stats.sourcesFromIndex)} answered by the index alone`,
    `${countText(stats.framesScanned)} pieces of the journal read`,
  ]
}

/** Whether the answer lacks records because a part of the data is damaged. */
export function isPartial({ damagedBlocks, damagedFrames }: SelectStats): boolean {
  return damagedBlocks + damagedFrames > 0
}
