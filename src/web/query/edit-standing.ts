/** The conditions that stand in a selector, each with the changes of the text that take it away. */

import type { Matcher, QuantityMatcher, TextMatcher } from '../../language/ast.ts'
import { logqlName } from '../../language/logql-names.ts'
import { printFilter } from '../../language/print-words.ts'
import type { FoundSelector } from '../../language/reading.ts'
import type { Condition } from '../../language/stage.ts'
import { messageLabel } from '../../record.ts'
import { lineFilterOf, matcherText, stageText } from './condition-text.ts'
import { withoutMatcher, withoutStage } from './edit-removal.ts'
import { isFixedIn, lastChange } from './stage-labels.ts'
import { type TextEdit, writtenEnd } from './text-edit.ts'

export interface Standing {
  /** Where it stands in the braces. */
  readonly matcher?: Matcher
  readonly removed: TextEdit
  /** Whether it is just this condition, on the label as the selector's records show it. */
  is(condition: TextMatcher): boolean
  /** The values of which the label must have one; undefined when it asks something else. */
  choiceOf(label: string): readonly string[] | undefined
  /** What the label's quantity is compared with, and how. */
  boundOf(label: string): Bound | undefined
  replaced(condition: TextMatcher): TextEdit
}

export type Bound = Pick<QuantityMatcher, 'operator' | 'text' | 'value'>

/**
 * Those of labels; of line filters only those that ask for a whole line.
 * @param isOfGroup Whether labels are meant as groups have them.
 */
export function standingIn(
  query: string,
  found: FoundSelector,
  isOfGroup = false,
): readonly Standing[] {
  const { matchers: own, stages = [], alternatives } = found.selector
  // Those of one alternative say nothing of what the others find.
  const matchers = alternatives === undefined ? own : []
  return [
    ...matchers.map((matcher, index) => inBraces(query, found, matcher, { index, isOfGroup })),
    ...stages.flatMap((stage, index) => {
      if (stage.kind === 'line')
        return [inLineFilter(query, found, index, printFilter(stage.filter))]
      return stage.kind === 'filter'
        ? inFilter(query, found, partsOf(stage.condition), { index, isOfGroup })
        : []
    }),
  ]
}

const isOfText = (matcher: Matcher): matcher is TextMatcher =>
  !('unit' in matcher) && !('values' in matcher)

function choiceIn(matcher: Matcher): readonly string[] | undefined {
  if ('values' in matcher) return matcher.operator === 'in' ? matcher.values : undefined
  return isOfText(matcher) && matcher.operator === '=' ? [matcher.value] : undefined
}

interface Meant {
  readonly index: number
  readonly isOfGroup: boolean
}

function inBraces(
  query: string,
  found: FoundSelector,
  matcher: Matcher,
  { index, isOfGroup }: Meant,
): Standing {
  const { selector, places } = found
  const place = places.matchers[index]!
  const isFixed = isFixedIn(selector, matcher.label, isOfGroup)
  const isShown = isFixed || lastChange(selector, matcher.label) < 0
  const isOf = (label: string) => isShown && label === matcher.label
  return {
    matcher,
    removed: withoutMatcher(query, found, index),
    is: asked => isOf(asked.label) && isOfText(matcher) && areSame(matcher, asked),
    choiceOf: label => (isOf(label) ? choiceIn(matcher) : undefined),
    boundOf: label => (isOf(label) && 'unit' in matcher ? matcher : undefined),
    replaced: condition => {
      const written = matcherText(condition, selector.names)
      return { from: place.from, to: writtenEnd(query, place), written }
    },
  }
}

function inLineFilter(query: string, found: FoundSelector, index: number, text: string): Standing {
  const { selector, places } = found
  const place = places.stages[index]!
  const change = lastChange(selector, messageLabel)
  return {
    removed: withoutStage(query, found, index),
    is: asked =>
      asked.label === messageLabel &&
      change >= 0 &&
      change < index &&
      printFilter(lineFilterOf(asked)) === text,
    choiceOf: () => undefined,
    boundOf: () => undefined,
    replaced: condition => {
      const written = printFilter(lineFilterOf(condition))
      return { from: place.from, to: writtenEnd(query, place), written }
    },
  }
}

/** Of which all must hold. */
function partsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.conditions : [condition]
}

function inFilter(
  query: string,
  found: FoundSelector,
  parts: readonly Condition[],
  { index, isOfGroup }: Meant,
): readonly Standing[] {
  const { selector, places } = found
  const place = places.stages[index]!
  const rewritten = (conditions: readonly Condition[]): TextEdit => {
    const [first] = conditions
    const condition: Condition = conditions.length === 1 ? first! : { kind: 'and', conditions }
    return { from: place.from, to: writtenEnd(query, place), written: stageText(condition) }
  }
  const isBehind = (label: string) => {
    const change = lastChange(selector, label)
    return (
      label !== messageLabel &&
      change < index &&
      !(change >= 0 && isFixedIn(selector, label, isOfGroup))
    )
  }
  return parts.flatMap((part, i): Standing[] => {
    const choice = choiceAmong(part)
    if (part.kind !== 'text' && part.kind !== 'quantity' && choice === undefined) return []
    const label = choice?.label ?? ('label' in part ? part.label : '')
    const isOf = (asked: string) => isBehind(asked) && logqlName(asked) === logqlName(label)
    return [
      {
        removed:
          parts.length === 1 ? withoutStage(query, found, index) : rewritten(parts.toSpliced(i, 1)),
        is: asked =>
          isOf(asked.label) && part.kind === 'text' && areSame({ ...asked, label }, part),
        choiceOf: asked => (isOf(asked) ? choice?.values : undefined),
        boundOf: asked => (isOf(asked) && part.kind === 'quantity' ? part : undefined),
        replaced: ({ operator, value }) =>
          rewritten(parts.with(i, { kind: 'text', label, operator, value })),
      },
    ]
  })
}

/** That a label is a text, or one of several. */
function choiceAmong(condition: Condition): { label: string; values: string[] } | undefined {
  const parts = condition.kind === 'or' ? condition.conditions : [condition]
  const [first] = parts
  if (first?.kind !== 'text') return undefined
  const { label } = first
  const values = parts.flatMap(part =>
    part.kind === 'text' && part.operator === '=' && part.label === label ? [part.value] : [],
  )
  return values.length === parts.length ? { label, values } : undefined
}

type Compared = Pick<TextMatcher, 'label' | 'operator' | 'value'>

function areSame(a: Compared, b: Compared): boolean {
  return a.label === b.label && a.operator === b.operator && a.value === b.value
}
