/**
 * Which matchers of the label `pattern` ask for kinds of messages: those whose text names an id. Any other
 * asks for an attribute of that name, as it would if there were no kinds.
 */

import { patternCodes } from '../columns/patterns/column-patterns.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import type { Matcher } from '../language/ast.ts'
import { type Condition, holds } from '../match/condition.ts'
import { patternIdPrefix, patternLabel } from '../record.ts'

/** Whether a matcher asks of which kind a message is. */
export function asksForPattern(matcher: Matcher): boolean {
  if (matcher.label !== patternLabel || 'unit' in matcher) return false
  if ('values' in matcher) return matcher.values.some(value => value.startsWith(patternIdPrefix))
  const { operator, value } = matcher
  const isExpression = operator === '=~' || operator === '!~'
  return isExpression ? value.includes(patternIdPrefix) : value.startsWith(patternIdPrefix)
}

/** Keeps the selected messages whose pattern's id meets the condition. Throws TurnOver. */
export function keepPatterns(
  selected: Uint8Array,
  columns: RecordColumns,
  condition: Condition,
): void {
  const { codes, codeCount, patternOf } = patternCodes(columns.message, columns.toldPatterns?.())
  const isSeen = new Uint8Array(codeCount)
  for (let row = 0; row < selected.length; row++) isSeen[codes[row]!]! |= selected[row]!
  const passing = new Uint8Array(codeCount)
  for (let code = isSeen.indexOf(1); code !== -1; code = isSeen.indexOf(1, code + 1)) {
    passing[code] = holds(condition, patternOf(code).id) ? 1 : 0
  }
  for (let row = 0; row < selected.length; row++) selected[row]! &= passing[codes[row]!]!
}
