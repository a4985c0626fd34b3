/**
 * Which labels stages make or change: a condition on such a label must stand behind them, one on any other
 * label stands in the braces, where the service looks first.
 */

import type { Selector } from '../../language/ast.ts'
import { changesLabel } from '../../language/label-changes.ts'
import { parseLinePattern } from '../../language/line-pattern.ts'
import { logqlName } from '../../language/logql-names.ts'
import type { Condition, Stage } from '../../language/stage.ts'
import { levelLabel, messageLabel, patternLabel, streamLabels } from '../../record.ts'

/** Of each record, and shown as it came with them, whatever stages make. Groups are by what these leave. */
const fixedLabels: readonly string[] = [
  ...[levelLabel, streamLabels.service, streamLabels.environment],
  patternLabel,
]

function isFixedLabel(label: string): boolean {
  return fixedLabels.includes(label)
}

/** What went wrong with a record, in LogQL. */
const errorLabel = '__error__'

/** Under whose names a query has groups. */
export type GroupNames = 'ours' | 'logql'

/** Whether a condition on the label is one on what records came with. */
export function isFixedIn(selector: Selector, label: string, isOfGroup: boolean): boolean {
  const isChanged = isOfGroup && label !== patternLabel && lastChange(selector, label) >= 0
  return isFixedLabel(label) && !isChanged
}

/** The index of the last stage that makes or changes the label, or the line for `message`; -1: none. */
export function lastChange(
  { matchers, alternatives, stages = [] }: Selector,
  label: string,
): number {
  if (label === messageLabel) return stages.findLastIndex(changesLine)
  // Parsers leave alone what a record came with.
  const isOwn =
    isFixedLabel(label) ||
    (alternatives === undefined &&
      matchers.some(one => one.label === label && one.operator === '=' && one.value !== ''))
  const key = logqlName(label)
  return stages.findLastIndex(stage => changes(stage, key, isOwn))
}

/**
 * The index of the last stage that takes errors away: in front of it a comparison of numbers would find those
 * that say none, too, and nothing would tell them from the others. -1: none.
 */
export function lastErrorDrop({ stages = [] }: Selector): number {
  return stages.findLastIndex(stage => stage.kind === 'drop' && changesLabel(stage, errorLabel))
}

function changesLine({ kind }: Stage): boolean {
  return ['line_format', 'decolorize', 'unpack', 'distinct'].includes(kind)
}

/** @param key LogQL's name of the label. */
function changes(stage: Stage, key: string, isOwn: boolean): boolean {
  if (key.startsWith('__error') && makesErrors(stage)) return true
  const found = foundBy(stage)
  if (found !== undefined) {
    const names = found.flatMap(name => [logqlName(name), `${logqlName(name)}_extracted`])
    return !isOwn && (names.length === 0 || names.includes(key))
  }
  // What is asked before "distinct" changes which records it leaves.
  return stage.kind === 'distinct' || changesLabel(stage, key)
}

/** The labels that a parser finds, none for any; undefined for what is no parser. */
function foundBy(stage: Stage): readonly string[] | undefined {
  switch (stage.kind) {
    case 'json':
    case 'logfmt':
      return stage.extractions.map(({ label }) => label)
    case 'unpack':
      return []
    case 'regexp':
      return [...stage.text.matchAll(/\(\?P?<(\w+)>/g)].map(([, name]) => name!)
    case 'pattern': {
      const pattern = parseLinePattern(stage.text)
      if (typeof pattern === 'string') return []
      return pattern.flatMap(part => (typeof part === 'string' ? [] : part.capture))
    }
    default:
      return undefined
  }
}

function makesErrors(stage: Stage): boolean {
  switch (stage.kind) {
    case 'filter':
      return comparesNumbers(stage.condition)
    case 'line':
    case 'regexp':
    case 'pattern':
    case 'decolorize':
    case 'keep':
    case 'drop':
    case 'distinct':
      return false
    default:
      return true
  }
}

function comparesNumbers(condition: Condition): boolean {
  switch (condition.kind) {
    case 'text':
    case 'address':
      return false
    case 'quantity':
      return true
    case 'not':
      return comparesNumbers(condition.condition)
    case 'and':
    case 'or':
      return condition.conditions.some(comparesNumbers)
  }
}
