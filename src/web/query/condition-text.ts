/** How a condition on a label is written: as a matcher, as a stage, or as a filter of the line. */

import type { LineFilter, TextMatcher } from '../../language/ast.ts'
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
export function matcherText({ label, operator, value }: TextMatcher, names?: 'logql'): string {
  const name = names === 'logql' ? (logqlNames.get(label) ?? label) : label
  return `${labelText(name)}${operator}${quoted(value)}`
}

/** With its pipe. */
export function stageText(condition: Condition): string {
  return printStages([{ kind: 'filter', condition }])[0]!
}

/** A filter of lines that keeps those of which the condition holds as if they were a label. */
export function lineFilterOf({ operator, value }: TextMatcher): LineFilter {
  const source = operator === '=' || operator === '!=' ? literal(value) : value
  const isWanted = operator === '=' || operator === '=~'
  return { operator: isWanted ? '|~' : '!~', text: `^(?:${source})$` }
}
