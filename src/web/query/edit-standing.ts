/** The conditions that stand in a selector, each with the changes of the text that take it away. */

import type { Matcher, TextMatcher } from '../../language/ast.ts'
import { logqlName } from '../../language/logql-names.ts'
import { printFilter } from '../../language/print-words.ts'
import type { FoundSelector } from '../../language/reading.ts'
import type { Condition } from '../../language/stage.ts'
import { messageLabel } from '../../record.ts'
import { lineFilterOf, matcherText, stageText } from './condition-text.ts'
import { withoutMatcher, withoutStage } from './edit-removal.ts'
import { isFixedLabel, lastChange } from './stage-labels.ts'
import { type TextEdit, writtenEnd } from './text-edit.ts'

export interface Standing {
  /** Where it stands in the braces. */
  readonly matcher?: TextMatcher
  readonly removed: TextEdit
  /** Whether it is just this condition, on the label as the selector's records show it. */
  is(condition: TextMatcher): boolean
  replaced(condition: TextMatcher): TextEdit
}

/** Those of labels; of line filters only those that ask for a whole line. */
export function standingIn(query: string, found: FoundSelector): readonly Standing[] {
  const { matchers: own, stages = [], alternatives } = found.selector
  // Those of one alternative say nothing of what the others find.
  const matchers = alternatives === undefined ? own : []
  return [
    ...matchers.flatMap((matcher, index) =>
      isOfText(matcher) ? inBraces(query, found, matcher, index) : [],
    ),
    ...stages.flatMap((stage, index) => {
      if (stage.kind === 'line')
        return [inLineFilter(query, found, index, printFilter(stage.filter))]
      return stage.kind === 'filter' ? inFilter(query, found, index, partsOf(stage.condition)) : []
    }),
  ]
}

const isOfText = (matcher: Matcher): matcher is TextMatcher =>
  !('unit' in matcher) && !('values' in matcher)

function inBraces(
  query: string,
  found: FoundSelector,
  matcher: TextMatcher,
  index: number,
): Standing {
  const { selector, places } = found
  const place = places.matchers[index]!
  return {
    matcher,
    removed: withoutMatcher(query, found, index),
    is: asked =>
      areSame(matcher, asked) &&
      (isFixedLabel(asked.label) || lastChange(selector, asked.label) < 0),
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
  index: number,
  parts: readonly Condition[],
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
    return label !== messageLabel && change < index && !(isFixedLabel(label) && change >= 0)
  }
  return parts.flatMap((part, i): Standing[] => {
    if (part.kind !== 'text') return []
    return [
      {
        removed:
          parts.length === 1 ? withoutStage(query, found, index) : rewritten(parts.toSpliced(i, 1)),
        is: asked => {
          const [label, own] = [logqlName(asked.label), logqlName(part.label)]
          return isBehind(asked.label) && areSame({ ...asked, label }, { ...part, label: own })
        },
        replaced: ({ operator, value }) => rewritten(parts.with(i, { ...part, operator, value })),
      },
    ]
  })
}

type Compared = Pick<TextMatcher, 'label' | 'operator' | 'value'>

function areSame(a: Compared, b: Compared): boolean {
  return a.label === b.label && a.operator === b.operator && a.value === b.value
}
