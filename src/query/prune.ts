/** What tells, before any column is read, that no record of a block can match, or how many do. */

import type { BlockColumns } from '../segment/block-columns.ts'
import type { SkipVerdict, WantedConditions } from '../segment/skip/verdict.ts'
import type { Predicate } from './predicate.ts'
import { alternativesOf, type Need } from './stages/needs.ts'

/** What left a block unread: its filter or values, or the templates of its texts. */
export type PrunedBy = 'filter' | 'template'

/** By the block's own directory and filter; undefined: records may match. Throws SegmentCorrupt. */
export function pruneBlock(block: BlockColumns, predicate: Predicate): PrunedBy | undefined {
  const pruned = pruneByAlternatives(block, predicate)
  if (pruned !== undefined) return pruned
  const verdictOn = (wanted: WantedConditions) => block.pruneBy(wanted)
  return unmetNeed(predicate.needs, () => block.attributeNames, verdictOn)
}

function pruneByAlternatives(
  block: BlockColumns,
  { alternatives }: Predicate,
): PrunedBy | undefined {
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

/** What tells that no record has what it needs to come through the stages; undefined: some may. */
export function unmetNeed(
  needs: readonly Need[],
  names: () => Iterable<string>,
  verdictOn: (wanted: WantedConditions) => SkipVerdict,
): PrunedBy | undefined {
  for (const need of needs) {
    let unmetBy: PrunedBy | undefined = 'filter'
    for (const wanted of alternativesOf(need, names)) {
      const verdict = verdictOn(wanted)
      unmetBy = typeof verdict === 'string' ? verdict : undefined
      if (unmetBy === undefined) break
    }
    if (unmetBy !== undefined) return unmetBy
  }
  return undefined
}
