/** The canonical text of stages. */

import type { TextMatcher } from './ast.ts'
import { printFilter, printLabel, printString } from './print-words.ts'
import type { Assignment, Condition, Extraction, Stage } from './stage.ts'

/** Behind a label that is kept or dropped, `!= "text"` would be of its value: a comma comes between. */
export function printStages(stages: readonly Stage[]): string[] {
  return stages.map((stage, i) => {
    const isList = stage.kind === 'keep' || stage.kind === 'drop'
    return isList && stages[i + 1]?.kind === 'line' ? `${printStage(stage)},` : printStage(stage)
  })
}

function printStage(stage: Stage): string {
  return stage.kind === 'line' ? printFilter(stage.filter) : `| ${bodyOf(stage)}`
}

function bodyOf(stage: Exclude<Stage, { kind: 'line' }>): string {
  switch (stage.kind) {
    case 'filter':
      return printCondition(stage.condition, 'or')
    case 'json':
      return ['json', printExtractions(stage.extractions)].filter(Boolean).join(' ')
    case 'logfmt': {
      const flags = [stage.isStrict ? '--strict' : '', stage.keepsEmpty ? '--keep-empty' : '']
      return ['logfmt', ...flags, printExtractions(stage.extractions)].filter(Boolean).join(' ')
    }
    case 'regexp':
    case 'pattern':
    case 'line_format':
      return `${stage.kind} ${printString(stage.text)}`
    case 'unpack':
    case 'decolorize':
      return stage.kind
    case 'label_format':
      return `label_format ${stage.assignments.map(printAssignment).join(', ')}`
    case 'distinct':
      return `distinct ${stage.labels.map(printLabel).join(', ')}`
    case 'keep':
    case 'drop':
      return `${stage.kind} ${stage.labels.map(printChosen).join(', ')}`
  }
}

/** In parentheses when it binds less tightly than what is `around` it. */
function printCondition(condition: Condition, around: 'or' | 'and' | 'not'): string {
  switch (condition.kind) {
    case 'text':
      return `${printAsked(condition.label)}${condition.operator}${printString(condition.value)}`
    case 'address':
      return `${printAsked(condition.label)}${condition.operator}ip(${printString(condition.value)})`
    case 'quantity':
      return `${printAsked(condition.label)} ${condition.operator} ${condition.text}`
    case 'not':
      return `not ${printCondition(condition.condition, 'not')}`
    case 'and':
    case 'or': {
      const inner = condition.kind === 'or' ? 'and' : 'not'
      const text = condition.conditions
        .map(one => printCondition(one, inner))
        .join(` ${condition.kind} `)
      const isTight = around === 'or' || (around === 'and' && condition.kind === 'and')
      return isTight ? text : `(${text})`
    }
  }
}

/** Words that mean something else at the beginning of a stage or of a condition. */
const taken: readonly string[] = [
  ...['json', 'logfmt', 'regexp', 'pattern', 'unpack', 'decolorize', 'line_format', 'label_format'],
  ...['keep', 'drop', 'distinct', 'not', 'unwrap'],
]

export function printAsked(label: string): string {
  const isTaken = taken.some(
    word => label === word || (label.startsWith(word) && !/^\w+$/.test(label)),
  )
  return isTaken ? printString(label) : printLabel(label)
}

function printExtractions(extractions: readonly Extraction[]): string {
  return extractions
    .map(({ label, path }) => `${printLabel(label)}=${printString(path)}`)
    .join(', ')
}

function printAssignment(assignment: Assignment): string {
  const value = 'from' in assignment ? printBare(assignment.from) : printString(assignment.template)
  return `${printLabel(assignment.label)}=${value}`
}

/** A label in the place of which a string would be a template; the grammar gives no other. */
const printBare = (label: string) => label

function printChosen(label: string | TextMatcher): string {
  if (typeof label === 'string') return printLabel(label)
  return `${printLabel(label.label)}${label.operator}${printString(label.value)}`
}
