/**
 * The records of a block or batch in groups on each of which stages can be run at once: all records of a
 * template of the message where stages take lines apart, or else all there are.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { TemplateColumn } from '../../columns/template/open.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { ownName } from '../../language/logql-names.ts'
import type { Condition as LineCondition } from '../../match/condition.ts'
import { beforeMatch } from '../../threads/turn.ts'
import { marksOf } from '../marks.ts'
import { type LabelValues, ownValues, valuesOfParts } from './label-values.ts'
import { type AskedRecords, answer, verdicts } from './questions.ts'
import type { RowLabels } from './row-labels.ts'
import { partsOf } from './shaped-line.ts'
import type { Found, ShapedParser, TemplatePlace } from './shaped-parsers.ts'
import { ShapedRow } from './shaped-row.ts'
import { extractFound, mayPassLength, type ShapedSteps } from './shaped-steps.ts'
import { NotShared, SharedLabels } from './shared-labels.ts'

export interface Group {
  /** Records of the block; undefined for all. */
  readonly rows: ArrayLike<number> | undefined
  readonly place: TemplatePlace | undefined
}

/** What is the same for all groups of a block. */
export class GroupedBlock {
  readonly columns: RecordColumns
  readonly labels: RowLabels
  readonly shared: SharedLabels
  readonly #selected: Uint8Array
  readonly #hits = new Map<LineCondition, Uint8Array>()

  /** `selected`: the records that come to the stages. */
  constructor(columns: RecordColumns, labels: RowLabels, selected: Uint8Array) {
    this.columns = columns
    this.labels = labels
    this.shared = new SharedLabels(columns, labels)
    this.#selected = selected.slice()
  }

  /** Marks of the records whose lines meet a condition. Throws TurnOver. */
  linesWith(condition: LineCondition): Uint8Array {
    return getOrInsertComputed(this.#hits, condition, () => {
      const hits = new Uint8Array(this.columns.recordCount)
      this.columns.message.markHits(condition, hits, this.#selected)
      if (condition.isNegated) for (let i = 0; i < hits.length; i++) hits[i]! ^= 1
      return hits
    })
  }
}

/** The groups that have selected records; undefined where lines have no templates. */
export function groupsOf(
  columns: RecordColumns,
  { shapes }: ShapedSteps,
  selected: Uint8Array,
): Iterable<Group> | undefined {
  if (shapes === undefined) return [{ rows: undefined, place: undefined }]
  const { message } = columns
  return message instanceof TemplateColumn ? templateGroups(message, selected) : undefined
}

function* templateGroups(column: TemplateColumn, selected: Uint8Array): Generator<Group> {
  const { length } = column.templates
  for (let template = 0; template < length; template++) {
    const rows = column.rowsOf(template)
    if (isAnySelected(rows, selected)) yield { rows, place: { column, template } }
  }
}

function isAnySelected(rows: ArrayLike<number>, selected: Uint8Array): boolean {
  for (let i = 0; i < rows.length; i++) if (selected[rows[i]!] === 1) return true
  return false
}

/**
 * Lets those go that are not answered yes, and notes of them which ones are to be asked alone. Without a
 * branch, which chance would decide.
 */
function narrow(isLeft: Uint8Array, answers: Uint8Array, given: Uint8Array): void {
  for (let i = 0; i < isLeft.length; i++) {
    const answer = answers[i]! & -isLeft[i]!
    given[i]! |= answer & verdicts.alone
    isLeft[i] = answer & verdicts.yes
  }
}

/** A group on its way through stages. Its records are numbered from 0. */
export class ShapedGroup implements AskedRecords {
  readonly group: Group
  readonly count: number
  readonly #block: GroupedBlock
  readonly #row: ShapedRow
  readonly #found: ReadonlyMap<ShapedParser, Found>

  private constructor(
    group: Group,
    block: GroupedBlock,
    row: ShapedRow,
    found: ReadonlyMap<ShapedParser, Found>,
  ) {
    this.group = group
    this.count = group.rows?.length ?? block.columns.recordCount
    this.#block = block
    this.#row = row
    this.#found = found
  }

  /** Undefined where its line has no shape, or its labels may become too long. */
  static of(group: Group, block: GroupedBlock, steps: ShapedSteps): ShapedGroup | undefined {
    const { place } = group
    const { shapes, parsers } = steps
    if (place === undefined || shapes === undefined) {
      return new ShapedGroup(group, block, new ShapedRow('', block.shared), new Map())
    }
    const shape = mayPassLength(steps, place) ? undefined : shapes.of(place)
    if (shape === undefined) return undefined
    beforeMatch(shape.line.length)
    const found = new Map(parsers.map((parser, i) => [parser, shape.found[i]!]))
    return new ShapedGroup(group, block, new ShapedRow(shape.line, block.shared), found)
  }

  get hasFailed(): boolean {
    return this.#row.hasFailed
  }

  /** A line filter behind stages that leave lines as they are. */
  #linesWith(condition: LineCondition): Uint8Array {
    const hits = this.#block.linesWith(condition)
    const { rows } = this.group
    return rows === undefined ? hits : marksOf(rows, hits)
  }

  /**
   * What the stages make of the records that `isAsked` marks with 1: a verdict for each. Undefined where
   * they part in more than what is asked of them. Throws TurnOver.
   */
  run({ steps }: ShapedSteps, isAsked: Uint8Array): Uint8Array | undefined {
    const given = new Uint8Array(this.count)
    const isLeft = isAsked.slice()
    try {
      for (const step of steps) {
        if (step.kind === 'labels') step.run(this.#row)
        else if (step.kind === 'parser') extractFound(this.#row, this.#found.get(step.parser)!)
        else {
          const answers =
            step.kind === 'filter'
              ? answer(step.question, this, isLeft)
              : this.#linesWith(step.condition)
          narrow(isLeft, answers, given)
          if (!isLeft.includes(1)) return given
        }
      }
    } catch (error) {
      if (error instanceof NotShared) return undefined
      throw error
    }
    for (let i = 0; i < given.length; i++) given[i]! |= isLeft[i]!
    return given
  }

  /** The values of a label after the stages that were run. Throws NotShared. */
  valuesOf(label: string): LabelValues {
    const { columns, labels, shared } = this.#block
    if (this.isOwn(label)) {
      const text = shared.find(label)
      if (text !== undefined) return { kind: 'same', text }
      return ownValues(ownName(label), columns, labels, this.group.rows)
    }
    const text = this.#row.label(label)
    const { place } = this.group
    if (place === undefined) return { kind: 'same', text }
    const parts = partsOf(text, place.column.templates.firstSlot(place.template))
    return valuesOfParts(place.column, parts)
  }

  /** Whether all records have a label as they came with it. */
  isOwn(label: string): boolean {
    return this.#row.isOwn(label)
  }
}
