/**
 * The stages of a query over one block or batch. Where the records of a template part in no more than what
 * is asked of their variables, stages are run on all of them at once; all others are run one by one, as is
 * whatever cannot be told so.
 */

import { hasMark } from '../../columns/codes.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { changesLabel } from '../../language/label-changes.ts'
import { logqlName } from '../../language/logql-names.ts'
import type { Stage } from '../../language/stage.ts'
import { seriesLabels } from '../../record.ts'
import { marksOf } from '../marks.ts'
import { linesOf } from './lines.ts'
import { pipelineOf, type RowStage } from './pipeline.ts'
import { verdicts } from './questions.ts'
import { Row } from './row.ts'
import { RowLabels } from './row-labels.ts'
import { type ShapedSteps, shapedSteps } from './shaped-steps.ts'
import { type Group, GroupedBlock, groupsOf, ShapedGroup } from './staged-groups.ts'

/** The stages of a query, compiled. */
export class Staging {
  readonly run: RowStage
  readonly shaped: ShapedSteps | undefined
  /** Whether lines stay as they came. */
  readonly keepsLines: boolean
  /** Whether records may lose labels of which nothing says that they have lost them. */
  readonly hasKeep: boolean
  /** Of the labels that all records have, those that may not stay as they came. */
  readonly changedLabels: ReadonlySet<string>

  constructor(stages: readonly Stage[]) {
    this.run = pipelineOf(stages)
    this.shaped = shapedSteps(stages)
    this.keepsLines = !stages.some(({ kind }) => lineChanging.includes(kind))
    this.hasKeep = stages.some(({ kind }) => kind === 'keep')
    this.changedLabels = new Set(
      seriesLabels.filter(label => stages.some(stage => changesLabel(stage, logqlName(label)))),
    )
  }
}

const lineChanging: readonly Stage['kind'][] = ['line_format', 'unpack', 'decolorize']

export class StagedRun {
  readonly columns: RecordColumns
  readonly labels: RowLabels
  readonly #staging: Staging
  readonly #block: GroupedBlock
  /** Those of which some records came through together. */
  readonly groups: ShapedGroup[] = []
  /** Marks with 1 the records that are run one by one. */
  readonly isAlone: Uint8Array

  /** Keeps of the selected records those that come through the stages. Throws TurnOver. */
  constructor(columns: RecordColumns, staging: Staging, selected: Uint8Array) {
    this.columns = columns
    this.labels = new RowLabels(columns)
    this.#staging = staging
    this.#block = new GroupedBlock(columns, this.labels, selected)
    this.isAlone = new Uint8Array(selected.length)
    const { shaped } = staging
    const groups = shaped && groupsOf(columns, shaped, selected)
    if (groups === undefined) this.isAlone.set(selected)
    else for (const group of groups) this.#runTogether(group, shaped!, selected)
    this.#forEach(this.isAlone, (row, number) => {
      if (!staging.run(row)) selected[number] = 0
    })
  }

  /** Runs the stages on each record that is marked with 1. Throws TurnOver. */
  forEachAlone(isMarked: Uint8Array, visit: (row: Row, number: number) => void): void {
    this.#forEach(isMarked, (row, number) => {
      this.#staging.run(row)
      visit(row, number)
    })
  }

  #runTogether(group: Group, shaped: ShapedSteps, selected: Uint8Array): void {
    const { rows } = group
    const isAsked = rows === undefined ? selected : marksOf(rows, selected)
    const shapedGroup = ShapedGroup.of(group, this.#block, shaped)
    const given = shapedGroup?.run(shaped, isAsked)
    const verdictsGiven = given ?? isAsked.map(mark => mark * verdicts.alone)
    if (spread(verdictsGiven, rows, selected, this.isAlone)) this.groups.push(shapedGroup!)
  }

  #forEach(isMarked: Uint8Array, visit: (row: Row, number: number) => void): void {
    if (!hasMark(isMarked)) return
    for (const [number, line] of linesOf(this.columns.message, isMarked)) {
      this.labels.row = number
      visit(new Row(this.columns.timestamp(number), line, this.labels), number)
    }
  }
}

/**
 * Takes the verdicts on some records, `rows` or all: those that are let go are no longer selected. Returns
 * whether any came through.
 */
function spread(
  given: Uint8Array,
  rows: ArrayLike<number> | undefined,
  selected: Uint8Array,
  isAlone: Uint8Array,
): boolean {
  const areAll = rows === undefined && !given.includes(verdicts.alone)
  if (areAll) {
    selected.set(given) // A verdict of no or yes is a mark.
    return given.includes(verdicts.yes)
  }
  let any = 0
  for (let i = 0; i < given.length; i++) {
    const number = rows === undefined ? i : rows[i]!
    const verdict = given[i]!
    isAlone[number]! |= verdict >> 1
    selected[number] = (verdict | (verdict >> 1)) & 1
    any |= verdict
  }
  return (any & verdicts.yes) !== 0
}
