/** What tells, before any column is read, that no record of a block can match, or how many do. */

import type { BlockColumns } from '../segment/block-columns.ts'
import type { SkipVerdict } from '../segment/skip/verdict.ts'
import type { Predicate } from './predicate.ts'

/** What left a block unread: its filter or values, or the templates of its texts. */
export type PrunedBy = 'filter' | 'template'

/** By the block's own directory and filter; undefined: records may match. Throws SegmentCorrupt. */
export function pruneBlock(block: BlockColumns, { alternatives }: Predicate): PrunedBy | undefined {
  let prunedBy: PrunedBy | undefined
  for (const alternative of alternatives) {
    if (!block.streams.some(stream => alternative.matchesStream(stream))) continue
    const pruned = block.pruneBy(alternative)
    if (pruned === undefined) return undefined
    prunedBy = pruned
  }
  return prunedBy
}

/** The verdict on a block, of those on it for each alternative. */
export function verdictOnAll(verdicts: readonly SkipVerdict[]): SkipVerdict {
  // Of several alternatives nobody knows how many records meet more than one.
  if (verdicts.length === 1) return verdicts[0]
  return verdicts.every(verdict => typeof verdict === 'string') ? verdicts[0] : undefined
}
