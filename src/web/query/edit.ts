/**
 * Changes to a query's text that clicks make: what people wrote stays as they wrote it. A condition on what
 * records came with stands in the braces, one on what a stage has made behind that stage. A query that
 * cannot be read stays as it is.
 */

import type { TextMatcher } from '../../language/ast.ts'
import { printQuery } from '../../language/print.ts'
import { readQuantity } from '../../language/quantity.ts'
import type { FoundSelector } from '../../language/reading.ts'
import type { Condition } from '../../language/stage.ts'
import type { Variables } from '../../language/variables.ts'
import { insertionOf } from './edit-insertion.ts'
import { type Bound, type Standing, standingIn } from './edit-standing.ts'
import { readText } from './read.ts'
import { type GroupNames, lastChange } from './stage-labels.ts'
import { editedText, type TextEdit } from './text-edit.ts'
import { hasWord, withoutWord, withWord, wordsOf } from './word-edit.ts'

export interface EditOptions {
  /** What `$name` in the query stands for. */
  readonly variables?: Variables
  /** Set where the label is of a group; under LogQL's names `a_b` finds the records of `a.b`, too. */
  readonly group?: GroupNames
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
  { variables, group, keepsWords = false }: EditOptions = {},
): string {
  const worded = keepsWords && isWords(query) ? withWord(query, condition) : undefined
  if (worded !== undefined) return worded
  const opposite = { ...condition, operator: opposites[condition.operator] }
  const standingFor = (found: FoundSelector, text: string) =>
    standingIn(text, found, group !== undefined)
  const isThere = (found: FoundSelector, text: string) =>
    standingFor(found, text).some(one => one.is(condition))
  const without = editedUntilDone(query, variables, (found, text) => {
    const standing = isThere(found, text) ? [] : standingFor(found, text)
    const one = standing.find(one => one.is(opposite))
    if (one === undefined) return undefined
    return mayBeReplaced(found, one, condition) ? one.replaced(condition) : one.removed
  })
  return edited(without, variables, (found, text) =>
    isThere(found, text) ? undefined : insertionOf(text, found, condition, group),
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

/**
 * The values of a label of which the query wants one; none when it does not ask so. What it asks in words is
 * as the words have it, whatever the case.
 */
export function choiceOf(query: string, label: string): readonly string[] {
  const read = readText(query)
  if (read === undefined) return []
  if (read.isWords) return wordsOf(query, label)
  const [found] = read.selectors
  const all = found === undefined ? [] : standingIn(query, found)
  return all.map(one => one.choiceOf(label)).find(values => values !== undefined) ?? []
}

/** The query that wants one of these values of the label, and no others; with none, any. */
export function withChoice(
  query: string,
  label: string,
  values: readonly string[],
  { variables, keepsWords = false }: EditOptions = {},
): string {
  const without = isWords(query)
    ? wordsOf(query, label).reduce(
        (rest, value) => withoutWord(rest, { label, operator: '=', value }),
        query,
      )
    : editedUntilDone(
        query,
        variables,
        (found, text) =>
          standingIn(text, found).find(one => one.choiceOf(label) !== undefined)?.removed,
      )
  const [first, ...others] = values
  if (first === undefined) return without
  const allowed = values.reduce(
    (rest, value) => withoutCondition(rest, { label, operator: '!=', value }, variables),
    without,
  )
  if (others.length === 0) {
    const condition = { label, operator: '=', value: first } as const
    return withCondition(allowed, condition, { ...(variables && { variables }), keepsWords })
  }
  return edited(allowed, variables, (found, text) =>
    insertionOf(text, found, { label, operator: 'in', values }),
  )
}

/** What the query compares the label's quantity with. */
export function boundsOf(query: string, label: string): readonly Bound[] {
  const [found] = readText(query)?.selectors ?? []
  const all = found === undefined ? [] : standingIn(query, found)
  return all.map(one => one.boundOf(label)).filter(bound => bound !== undefined)
}

/** The query that compares the label's quantity so, and in no other way; with none, not at all. */
export function withBounds(
  query: string,
  label: string,
  bounds: readonly Omit<Bound, 'value'>[],
  variables?: Variables,
): string {
  const without = editedUntilDone(
    query,
    variables,
    (found, text) => standingIn(text, found).find(one => one.boundOf(label) !== undefined)?.removed,
  )
  return bounds.reduce((rest, { operator, text: written }) => {
    const quantity = readQuantity(written)
    if (quantity === undefined) return rest
    const { kind: unit, value } = quantity
    const matcher = { label, operator, text: written, unit, value } as const
    return edited(rest, variables, (found, text) => insertionOf(text, found, matcher))
  }, without)
}

/** The labels of which the query wants one of some values, or compares the quantity. */
export function askedLabels(query: string): readonly string[] {
  const [found] = readText(query)?.selectors ?? []
  if (found === undefined) return []
  const { matchers, stages = [] } = found.selector
  const conditions = stages.flatMap(stage => (stage.kind === 'filter' ? [stage.condition] : []))
  const labels = [...matchers.map(({ label }) => label), ...conditions.flatMap(labelsIn)]
  return [...new Set(labels)].filter(
    label => choiceOf(query, label).length > 0 || boundsOf(query, label).length > 0,
  )
}

function labelsIn(condition: Condition): readonly string[] {
  if ('conditions' in condition) return condition.conditions.flatMap(labelsIn)
  return 'label' in condition ? [condition.label] : []
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
