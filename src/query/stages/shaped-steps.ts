/**
 * Stages that can be run on all records of a template at once: parsers of lines as they came, and what
 * filters, keeps, drops and renames labels. All else is run record by record.
 */

import type { Stage } from '../../language/stage.ts'
import { limits } from '../../limits.ts'
import { conditionOfFilter, type Condition as LineCondition } from '../../match/condition.ts'
import { type RowStage, stageStep } from './pipeline.ts'
import { type Question, questionOf } from './questions.ts'
import { type Found, ShapedParser, type TemplatePlace } from './shaped-parsers.ts'
import type { ShapedRow } from './shaped-row.ts'
import { Shapes } from './shapes.ts'

/** What one stage is to the records of a template. */
export type ShapedStep =
  | { readonly kind: 'filter'; readonly question: Question }
  | { readonly kind: 'line'; readonly condition: LineCondition }
  | {
      readonly kind: 'labels'
      /** Throws NotShared where the records part. */
      run(row: ShapedRow): void
    }
  | { readonly kind: 'parser'; readonly parser: ShapedParser }

export interface ShapedSteps {
  readonly steps: readonly ShapedStep[]
  /** Undefined where no stage looks into the line for more than a text. */
  readonly shapes: Shapes | undefined
  readonly parsers: readonly ShapedParser[]
  /** How many times as long as its line the labels of a record may become together. */
  readonly lengthFactor: number
}

/** Undefined for stages of which one is of another kind. */
export function shapedSteps(stages: readonly Stage[]): ShapedSteps | undefined {
  const steps: ShapedStep[] = []
  const parsers: ShapedParser[] = []
  let lengthFactor = 0
  for (const stage of stages) {
    const step = shapedStep(stage)
    if (step === undefined) return undefined
    steps.push(step)
    if (step.kind === 'parser') parsers.push(step.parser)
    if (stage.kind === 'label_format') lengthFactor += stage.assignments.length
    else if (step.kind === 'parser') {
      lengthFactor += 'extractions' in stage ? Math.max(1, stage.extractions.length) : 1
    }
  }
  const shapes = parsers.length === 0 ? undefined : new Shapes(parsers)
  return { steps, shapes, parsers, lengthFactor }
}

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
    case 'logfmt':
      return { kind: 'parser', parser: new ShapedParser(stage) }
    case 'pattern':
      return { kind: 'parser', parser: new ShapedParser({ kind: 'pattern', text: stage.text }) }
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

function labelsStep(stage: Stage): ShapedStep {
  const run: RowStage = stageStep(stage)
  return { kind: 'labels', run }
}

/** Gives a row what a parser has found in its line. */
export function extractFound(row: ShapedRow, { labels, error }: Found): void {
  if (error !== undefined) row.failAlike(error)
  for (const [name, text] of labels) row.extractNamed(name, text)
}
