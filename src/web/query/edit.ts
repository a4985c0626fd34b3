/**
 * Changes to a query's text that clicks make: what people wrote stays as they wrote it. A condition on what
 * records came with stands in the braces, one on what a stage has made behind that stage. A query that
 * cannot be read stays as it is.
 */

import type { TextMatcher } from '../../language/ast.ts'
import { printQuery } from '../../language/print.ts'
import type { FoundSelector } from '../../language/reading.ts'
import type { Variables } from '../../language/variables.ts'
import { insertionOf } from './edit-insertion.ts'
import { type Standing, standingIn } from './edit-standing.ts'
import { readText } from './read.ts'
import { lastChange } from './stage-labels.ts'
import { editedText, type TextEdit } from './text-edit.ts'
import { hasWord, withoutWord, withWord } from './word-edit.ts'

export interface EditOptions {
  /** What `$name` in the query stands for. */
  readonly variables?: Variables
  /** Whether the label is of a group under LogQL's names: then `a_b` finds the records of `a.b`, too. */
  readonly isLogqlGroup?: boolean
  /** Whether words get a word, `field:value`, though of words case does not matter. */
  readonly keepsWords?: boolean
}

/**
 * Adds the condition to every selector of the query, unless it stands there already. The same label's
 * opposite (`=` for `!=`) with the same value goes.
 */
export function withCondition(
  query: string,
  condition: TextMatcher,
  { variables, isLogqlGroup = false, keepsWords = false }: EditOptions = {},
): string {
  const worded = keepsWords && isWords(query) ? withWord(query, condition) : undefined
  if (worded !== undefined) return worded
  const opposite = { ...condition, operator: opposites[condition.operator] }
  const isThere = (found: FoundSelector, text: string) =>
    standingIn(text, found).some(one => one.is(condition))
  const without = editedUntilDone(query, variables, (found, text) => {
    const standing = isThere(found, text) ? [] : standingIn(text, found)
    const one = standing.find(one => one.is(opposite))
    if (one === undefined) return undefined
    return mayBeReplaced(found, one, condition) ? one.replaced(condition) : one.removed
  })
  return edited(without, variables, (found, text) =>
    isThere(found, text) ? undefined : insertionOf(text, found, condition, isLogqlGroup),
  )
}

/** Takes the condition out of every selector that has it. */
export function withoutCondition(
  query: string,
  condition: TextMatcher,
  variables: Variables = {},
): string {
  if (isWords(query)) return withoutWord(query, condition)
  return editedUntilDone(
    query,
    variables,
    (found, text) => standingIn(text, found).find(one => one.is(condition))?.removed,
  )
}

/** Whether every selector has the condition. */
export function hasCondition(query: string, condition: TextMatcher): boolean {
  if (isWords(query)) return hasWord(query, condition)
  const selectors = readText(query)?.selectors ?? []
  return (
    selectors.length > 0 &&
    selectors.every(found => standingIn(query, found).some(one => one.is(condition)))
  )
}

function isWords(query: string): boolean {
  return readText(query)?.isWords === true
}

const opposites = { '=': '!=', '!=': '=', '=~': '!~', '!~': '=~' } as const

/** That the braces ask for a label's value may be why parsers leave it alone: not once that is gone. */
function mayBeReplaced(
  { selector }: FoundSelector,
  { matcher }: Standing,
  { label }: TextMatcher,
): boolean {
  if (matcher === undefined) return true
  const matchers = selector.matchers.filter(one => one !== matcher)
  return lastChange(selector, label) === lastChange({ ...selector, matchers }, label)
}

/** What to change in a selector of the text. */
type Change = (found: FoundSelector, text: string) => TextEdit | undefined

function edited(query: string, variables: Variables | undefined, change: Change): string {
  const read = readText(query, variables)
  if (read === undefined) return query
  const { selectors } = read
  // Words get their conditions as the query that they became.
  if (read.isWords) {
    const meant = printQuery(read.query)
    const changed = edited(meant, variables, change)
    return changed === meant ? query : changed
  }
  return editedText(
    query,
    selectors.flatMap(found => change(found, query) ?? []),
  )
}

/** One change of each selector after the other: the second finds what the first has left. */
function editedUntilDone(query: string, variables: Variables | undefined, change: Change): string {
  const next = edited(query, variables, change)
  return next === query ? query : editedUntilDone(next, variables, change)
}
