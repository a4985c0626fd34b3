/** How a condition on a label is written: as a matcher, as a stage, or as a filter of the line. */

import type { LineFilter, Matcher, SetMatcher, TextMatcher } from '../../language/ast.ts'
import { printStages } from '../../language/print-stages.ts'
import type { Condition } from '../../language/stage.ts'
import { levelLabel, streamLabels } from '../../record.ts'
import { labelText, literal, quoted } from './strings.ts'

/** The names that Grafana's users know, where the braces are written their way. */
const logqlNames: ReadonlyMap<string, string> = new Map([
  [streamLabels.service, 'service_name'],
  [levelLabel, 'detected_level'],
])

/** @param names As the selector is written; undefined for our own form. */
export function matcherText(matcher: Matcher, names?: 'logql'): string {
  const { label, operator } = matcher
  const name = labelText(names === 'logql' ? (logqlNames.get(label) ?? label) : label)
  if ('values' in matcher) return `${name} ${operator} (${matcher.values.map(quoted).join(', ')})`
  if ('unit' in matcher) return `${name} ${operator === '==' ? '=' : operator} ${matcher.text}`
  return `${name}${operator}${quoted(matcher.value)}`
}

/** What a stage asks where the braces would ask by a matcher. */
export function conditionOf(matcher: Matcher): Condition {
  if ('unit' in matcher) return { kind: 'quantity', ...matcher }
  if (!('values' in matcher)) return { kind: 'text', ...matcher }
  const { label, values } = matcher
  const isIn = matcher.operator === 'in'
  const conditions = values.map(
    value => ({ kind: 'text', label, operator: isIn ? '=' : '!=', value }) as const,
  )
  return conditions.length === 1 ? conditions[0]! : { kind: isIn ? 'or' : 'and', conditions }
}

/** With its pipe. */
export function stageText(condition: Condition): string {
  return printStages([{ kind: 'filter', condition }])[0]!
}

/** A filter of lines that keeps those of which the condition holds as if they were a label. */
export function lineFilterOf(matcher: TextMatcher | SetMatcher): LineFilter {
  if ('values' in matcher) {
    const value = matcher.values.map(literal).join('|')
    const operator = matcher.operator === 'in' ? '=~' : '!~'
    return lineFilterOf({ label: matcher.label, operator, value })
  }
  const { operator, value } = matcher
  const source = operator === '=' || operator === '!=' ? literal(value) : value
  const isWanted = operator === '=' || operator === '=~'
  return { operator: isWanted ? '|~' : '!~', text: `^(?:${source})$` }
}
