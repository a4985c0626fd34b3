/** Which kinds of messages match, where that is the same for all messages of each kind of a block. */

import type { SegmentFile } from '../segment-file.ts'
import type { ToldPatterns } from './run-patterns.ts'
import type { SkipIndex } from './skip-index.ts'
import {
  all,
  none,
  passesPattern,
  some,
  verdictsOnTemplates,
  type WantedConditions,
} from './verdict.ts'

/**
 * 1 for each kind of block number `block` all of whose messages meet the conditions on messages and kinds,
 * 0 where none does; undefined where that is not told. Throws SegmentCorrupt.
 */
export function matchingKinds(
  index: SkipIndex,
  block: number,
  wanted: WantedConditions,
  file: () => SegmentFile,
): Uint8Array | undefined {
  const told = index.toldPatterns(block, file)
  if (told === undefined) return undefined
  const { messageConditions, patternConditions = [] } = wanted
  const kinds =
    messageConditions.length === 0
      ? new Uint8Array(told.patterns.length).fill(1)
      : kindsByTemplates(index, block, told, wanted, file)
  return kinds?.map((matches, kind) => {
    const passes = (condition: (typeof patternConditions)[number]) =>
      passesPattern(condition, told.patterns[kind]!)
    return matches === 1 && patternConditions.every(passes) ? 1 : 0
  })
}

/** A template in two kinds or more may be in any: then all templates must match, or none. */
function kindsByTemplates(
  index: SkipIndex,
  block: number,
  { patterns, kindOfTemplate }: ToldPatterns,
  { messageConditions }: WantedConditions,
  file: () => SegmentFile,
): Uint8Array | undefined {
  const templates = index.templates(file)
  const numbers = templates.numbers(block)
  if (numbers === undefined || numbers.length !== kindOfTemplate.length) return undefined
  const verdicts = verdictsOnTemplates(index, templates.texts, messageConditions)
  const ofKind = new Uint8Array(patterns.length).fill(some)
  let ofSeveral: number = some
  for (let id = 0; id < numbers.length; id++) {
    const verdict = verdicts[numbers[id]!]!
    if (verdict === some) return undefined
    const kind = kindOfTemplate[id]! - 1
    const known = kind === -1 ? ofSeveral : ofKind[kind]!
    if (known !== some && known !== verdict) return undefined
    if (kind === -1) ofSeveral = verdict
    else ofKind[kind] = verdict
  }
  const other = ofSeveral === all ? none : all
  if (ofSeveral !== some && ofKind.includes(other)) return undefined
  // What no template has for itself is of those that have several.
  return ofKind.map(verdict => ((verdict === some ? ofSeveral : verdict) === all ? 1 : 0))
}
