/**
 * Stages that can be run on all records of a template at once: parsers of lines as they came, and what
 * filters, keeps, drops and renames labels. All else is run record by record.
 */

import { Word } from '../../columns/search-word.ts'
import type { TemplateColumn } from '../../columns/template/open.ts'
import { parseLinePattern } from '../../language/line-pattern.ts'
import type { Stage } from '../../language/stage.ts'
import { limits } from '../../limits.ts'
import { conditionOfFilter, type Condition as LineCondition } from '../../match/condition.ts'
import { type JsonValue, readJson } from './json.ts'
import { readLogfmt } from './logfmt.ts'
import { type RowStage, stageStep } from './pipeline.ts'
import { type Question, questionOf } from './questions.ts'
import { isVariable, variablesOfNumber } from './shaped-line.ts'
import type { ShapedRow } from './shaped-row.ts'
import { notShared } from './shared-labels.ts'

/** A template of a column. */
export interface TemplatePlace {
  readonly column: TemplateColumn
  readonly template: number
}

/** What one stage is to the records of a template. */
export type ShapedStep =
  | { readonly kind: 'filter'; readonly question: Question }
  | { readonly kind: 'line'; readonly condition: LineCondition }
  | {
      readonly kind: 'labels'
      /** Throws NotShared where the records part. */
      run(row: ShapedRow, place: TemplatePlace | undefined): void
    }

export interface ShapedSteps {
  readonly steps: readonly ShapedStep[]
  /** Whether any stage looks into the line for more than a text. */
  readonly parsesLines: boolean
  /** How many times as long as its line the labels of a record may become together. */
  readonly lengthFactor: number
}

/** Undefined for stages of which one is of another kind. */
export function shapedSteps(stages: readonly Stage[]): ShapedSteps | undefined {
  const steps: ShapedStep[] = []
  let lengthFactor = 0
  for (const stage of stages) {
    const step = shapedStep(stage)
    if (step === undefined) return undefined
    steps.push(step)
    if (stage.kind === 'label_format') lengthFactor += stage.assignments.length
    else if (parserKinds.includes(stage.kind)) {
      lengthFactor += 'extractions' in stage ? Math.max(1, stage.extractions.length) : 1
    }
  }
  const parsesLines = stages.some(({ kind }) => parserKinds.includes(kind))
  return { steps, parsesLines, lengthFactor }
}

const parserKinds: readonly Stage['kind'][] = ['json', 'logfmt', 'pattern']

/** Whether labels may become too many characters, which is then to be said of the record. */
export function mayPassLength({ lengthFactor }: ShapedSteps, place: TemplatePlace): boolean {
  const { queryMadeLabelsLengthMax, nameLengthMax } = limits
  const lengthMax = Math.max(nameLengthMax, place.column.lengthMax(place.template))
  return lengthFactor * lengthMax > queryMadeLabelsLengthMax
}

function shapedStep(stage: Stage): ShapedStep | undefined {
  switch (stage.kind) {
    case 'filter':
      return { kind: 'filter', question: questionOf(stage.condition) }
    case 'line':
      return { kind: 'line', condition: conditionOfFilter(stage.filter) }
    case 'json':
      return labelsStep(stage, checkJson)
    case 'logfmt':
      return labelsStep(stage, checkLogfmt(stage))
    case 'pattern':
      return labelsStep(stage, checkPattern(stage.text))
    case 'distinct':
      return labelsStep(stage)
    case 'keep':
    case 'drop':
      return stage.labels.every(label => typeof label === 'string') ? labelsStep(stage) : undefined
    case 'label_format': {
      const onlyRenames = stage.assignments.every(assignment => 'from' in assignment)
      return onlyRenames ? labelsStep(stage) : undefined
    }
    default:
      return undefined
  }
}

type Check = (line: string, place: TemplatePlace) => void

/** `check`: throws NotShared unless the parser finds the same in all records of the template. */
function labelsStep(stage: Stage, check?: Check): ShapedStep {
  const run: RowStage = stageStep(stage)
  return {
    kind: 'labels',
    run(row, place) {
      if (check !== undefined) check(row.line, place!)
      const hadFailed = row.hasFailed
      run(row)
      // Why a parser has failed may be in what variables are; and details have places in the line.
      if (row.hasFailed && !hadFailed) throw notShared
    },
  }
}

/** Keys are the same in all records, and variables that must be digits are. */
function checkJson(line: string, { column, template }: TemplatePlace): void {
  const value = readJson(line)
  if (value === undefined) throw notShared
  checkValue(value, column, column.templates.at(template).firstSlot)
}

function checkValue(value: JsonValue, column: TemplateColumn, firstSlot: number): void {
  if (value.kind === 'object') {
    for (const [key, member] of value.members) {
      if (isVariable(key)) throw notShared
      checkValue(member, column, firstSlot)
    }
  } else if (value.kind === 'array') {
    for (const item of value.items) checkValue(item, column, firstSlot)
  } else if (value.kind === 'number') {
    for (const { slot, isBeginning } of variablesOfNumber(value.text, firstSlot)) {
      if (!column.variablesOf(slot).areDigits(isBeginning)) throw notShared
    }
  }
}

/** A key may vary when it has no value, as a number in a sentence: it is no label then. */
function checkLogfmt({ isStrict, keepsEmpty }: Extract<Stage, { kind: 'logfmt' }>): Check {
  return line => {
    readLogfmt(line, isStrict, (key, value) => {
      if (isVariable(key) && (keepsEmpty || value !== '')) throw notShared
    })
  }
}

/** No variable may hold a word of the texts by which a pattern finds its way. */
function checkPattern(text: string): Check {
  const parts = parseLinePattern(text)
  if (typeof parts === 'string') throw new TypeError(`no pattern: ${text}`)
  const texts = parts.filter(part => typeof part === 'string')
  const words = texts.flatMap(part => part.match(/[A-Za-z0-9]+/g) ?? []).map(word => new Word(word))
  return (_line, { column, template }) => {
    const { firstSlot, slotCount } = column.templates.at(template)
    for (let slot = firstSlot; slot < firstSlot + slotCount; slot++) {
      const isSame = column.constantOf(slot) !== undefined
      if (!isSame && words.some(word => column.mayHold(slot, word))) throw notShared
    }
  }
}
