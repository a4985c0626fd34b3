/** Where a new condition comes to stand in a selector. */

import type { Matcher } from '../../language/ast.ts'
import { withoutComments } from '../../language/comments.ts'
import type { SelectorPlaces } from '../../language/places.ts'
import { printFilter } from '../../language/print-words.ts'
import type { FoundSelector } from '../../language/reading.ts'
import { messageLabel } from '../../record.ts'
import { conditionOf, lineFilterOf, matcherText, stageText } from './condition-text.ts'
import { type GroupNames, isFixedIn, lastChange, lastErrorDrop } from './stage-labels.ts'
import { insertionAt, type TextEdit, writtenEnd } from './text-edit.ts'

/**
 * Undefined where it cannot be written: on lines that are made behind an `unwrap`.
 * @param group Under whose names the label is of a group; under LogQL's several of ours may have it.
 */
export function insertionOf(
  query: string,
  found: FoundSelector,
  condition: Matcher,
  group?: GroupNames,
): TextEdit | undefined {
  const { label } = condition
  if (found.selector.alternatives !== undefined) return behindAll(query, found, condition, group)
  if (isFixedIn(found.selector, label, group !== undefined))
    return inBraces(query, found, condition)
  const change = lastChange(found.selector, label)
  if (label === messageLabel) {
    if (change < 0) return inBraces(query, found, condition)
    if ('unit' in condition) return undefined // A filter of lines compares no numbers.
    if (found.places.stages[change]!.from >= found.places.to) return undefined
    return behindStage(query, found, change, printFilter(lineFilterOf(condition)))
  }
  if (change < 0 && !(group === 'logql' && label.includes('_')))
    return inBraces(query, found, condition)
  const text = stageText(conditionOf(condition))
  return behindStage(query, found, placeOf(found, condition, change), text)
}

/** The stage behind which a condition holds as it is meant; `change`: the last that changes its label. */
function placeOf({ selector }: FoundSelector, condition: Matcher, change: number): number {
  return 'unit' in condition ? Math.max(change, lastErrorDrop(selector)) : change
}

function inBraces(
  query: string,
  { selector, places }: FoundSelector,
  condition: Matcher,
): TextEdit {
  const { braces, matchers } = places
  const text = matcherText(condition, selector.names)
  if (braces === undefined) return insertionAt(places.from + 'logs'.length, `{${text}}`)
  const last = matchers.at(-1)
  if (last !== undefined) return insertionAt(writtenEnd(query, last), `, ${text}`)
  const isEmpty = /^\{[\s,]*\}/.test(withoutComments(query).slice(braces.from))
  return insertionAt(braces.from + 1, isEmpty ? text : `${text}, `)
}

/** Of several selectors with `or` between them: a stage is about all that they find. */
function behindAll(
  query: string,
  found: FoundSelector,
  condition: Matcher,
  group?: GroupNames,
): TextEdit | undefined {
  const { label } = condition
  const isFixed = isFixedIn(found.selector, label, group !== undefined)
  const change = isFixed ? -1 : lastChange(found.selector, label)
  // A line filter would be of the last, and compares no numbers.
  if (label === messageLabel && (change < 0 || 'unit' in condition)) return undefined
  const text =
    label === messageLabel && !('unit' in condition)
      ? printFilter(lineFilterOf(condition))
      : stageText(conditionOf(condition))
  const first = found.places.stages[0]
  const place = placeOf(found, condition, change)
  if (place >= 0 || first !== undefined) return behindStage(query, found, place, text)
  return insertionAt(writtenEnd(query, found.places), ` ${text}`)
}

/** Behind that stage, and behind the filters that follow it: in the order in which one clicked. */
function behindStage(
  query: string,
  { selector, places }: FoundSelector,
  change: number,
  text: string,
): TextEdit {
  const stages = (selector.stages ?? []).slice(0, stagesBeforeUnwrap(places, change))
  const next = stages.findIndex(
    ({ kind }, index) => index > change && kind !== 'filter' && kind !== 'line',
  )
  const last = (next < 0 ? stages.length : next) - 1
  if (last < 0 && selector.alternatives !== undefined) {
    return insertionAt(places.stages[0]!.from, `${text} `)
  }
  const filters = [...places.filters, ...places.searches].sort((a, b) => a.from - b.from)
  const before = places.stages[last] ?? filters.at(-1) ?? places.braces
  const end = before === undefined ? places.from + 'logs'.length : writtenEnd(query, before)
  return insertionAt(end, ` ${text}`)
}

/** All of them for what only those behind it change. */
function stagesBeforeUnwrap({ stages, to }: SelectorPlaces, change: number): number {
  const count = stages.filter(({ from }) => from < to).length
  return change < count ? count : stages.length
}
