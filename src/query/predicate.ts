/**
 * A selector compiled for columns: given a batch, says which of its records match, without making a
 * record of any. Dictionaries (streams, levels) are tested once per entry, text columns on bytes.
 */

import type { SearchableColumn } from '../columns/column.ts'
import type { Integers } from '../columns/integers.ts'
import {
  type AttributeColumn,
  type RecordColumns,
  type RowRange,
  rowsWithin,
} from '../columns/record-columns.ts'
import type { Selector } from '../language/ast.ts'
import {
  type AttributeCondition,
  type Condition,
  conditionOfFilter,
  conditionOfMatcher,
  holds,
} from '../match/condition.ts'
import { levelLabel, messageLabel, type Stream, streamLabels, type Timestamp } from '../record.ts'
import { pipelineOf, type RowStage } from './stages/pipeline.ts'
import { keepStaged, StagedColumns } from './stages/staged-columns.ts'

/**
 * The memory of the marks, used again from block to block: memory of tens of kilobytes for each of
 * hundreds of blocks would keep the garbage collector busier than the search.
 */
class Marks {
  #selected = new Uint8Array(0)
  #hits = new Uint8Array(0)

  /** Ones, for a selection to begin with. */
  selected(count: number): Uint8Array {
    if (this.#selected.length < count) this.#selected = new Uint8Array(2 * count)
    return this.#selected.subarray(0, count).fill(1)
  }

  /** Zeros, for one condition's hits. */
  hits(count: number): Uint8Array {
    if (this.#hits.length < count) this.#hits = new Uint8Array(2 * count)
    return this.#hits.subarray(0, count).fill(0)
  }
}

const marks = new Marks()

export class Predicate {
  readonly #service: Condition[] = []
  readonly #environment: Condition[] = []
  readonly #level: Condition[] = []
  readonly #message: Condition[] = []
  readonly #attributes: AttributeCondition[] = []
  readonly #stages: RowStage | undefined
  /** Whether labels may be asked for under LogQL's names. */
  readonly #hasLogqlNames: boolean

  /** Throws ProblemError `query_regex` for an expression that cannot be used. */
  constructor(selector: Selector) {
    for (const matcher of selector.matchers) {
      const condition = conditionOfMatcher(matcher)
      if (matcher.label === streamLabels.service) this.#service.push(condition)
      else if (matcher.label === streamLabels.environment) this.#environment.push(condition)
      else if (matcher.label === levelLabel) this.#level.push(condition)
      else if (matcher.label === messageLabel) this.#message.push(condition)
      else {
        const passesAbsent = holds(condition, '')
        this.#attributes.push({ name: matcher.label, condition, passesAbsent })
      }
    }
    for (const filter of selector.filters) this.#message.push(conditionOfFilter(filter))
    this.#stages = selector.stages && pipelineOf(selector.stages)
    this.#hasLogqlNames = selector.names === 'logql'
  }

  /** Whether stream and level decide alone, so that the index can answer. */
  get needsOnlyIndex(): boolean {
    return this.#message.length === 0 && this.#attributes.length === 0 && !this.hasStages
  }

  /** Whether records go through stages that may let them go, or change them. */
  get hasStages(): boolean {
    return this.#stages !== undefined
  }

  /** Whether there are conditions on the level. */
  get asksLevel(): boolean {
    return this.#level.length > 0
  }

  /** Conditions on attributes; all of them must hold. */
  get attributeConditions(): readonly AttributeCondition[] {
    return this.#attributes
  }

  /** Conditions on the message; all of them must hold. */
  get messageConditions(): readonly Condition[] {
    return this.#message
  }

  matchesStream(stream: Stream): boolean {
    return (
      this.#service.every(condition => holds(condition, stream.service)) &&
      this.#environment.every(condition => holds(condition, stream.environment))
    )
  }

  matchesLevel(level: string): boolean {
    return this.#level.every(condition => holds(condition, level))
  }

  /**
   * Marks with 1 the records that match and lie in `[startTime, endTime]`. Returns undefined when
   * there are none. Columns that no condition names are not touched. Valid until the next call.
   */
  select(columns: RecordColumns, startTime: Timestamp, endTime: Timestamp): Uint8Array | undefined {
    const selected = marks.selected(columns.recordCount)
    const rows = keepTimes(selected, columns, startTime, endTime)
    if (rows.from >= rows.to) return undefined
    keepStreams(selected, rows, columns, stream => this.matchesStream(stream))
    if (this.#level.length > 0) {
      keepLevels(selected, rows, columns, level => this.matchesLevel(level))
    }
    for (const { name, condition, passesAbsent } of this.#attributes) {
      if (!selected.includes(1)) return undefined
      keepAttribute(selected, columns.attribute(name), condition, passesAbsent)
    }
    for (const condition of this.#message) {
      if (!selected.includes(1)) return undefined
      keepTexts(selected, columns.message, condition)
    }
    if (this.#stages !== undefined) keepStaged(selected, columns, this.#stages)
    return selected.includes(1) ? selected : undefined
  }

  /** The columns as they are behind the stages, of the records that `select` has marked there. */
  staged(columns: RecordColumns, selected: Uint8Array): RecordColumns {
    if (this.#stages === undefined && !this.#hasLogqlNames) return columns
    return new StagedColumns(columns, this.#stages, selected)
  }
}

function keepStreams(
  selected: Uint8Array,
  rows: RowRange,
  columns: RecordColumns,
  passes: (stream: Stream) => boolean,
): void {
  const verdicts = columns.streams.map(passes)
  if (verdicts.every(verdict => verdict)) return
  keepCodes(selected, rows, columns.streamCodes, verdicts)
}

function keepLevels(
  selected: Uint8Array,
  rows: RowRange,
  columns: RecordColumns,
  passes: (level: string) => boolean,
): void {
  const verdicts = columns.levels.map(passes)
  if (verdicts.every(verdict => verdict)) return
  keepCodes(selected, rows, columns.levelCodes, verdicts)
}

/** Keeps the rows whose dictionary entry passes; each entry has been tested once. */
function keepCodes(
  selected: Uint8Array,
  { from, to }: RowRange,
  codes: Integers,
  verdicts: readonly boolean[],
): void {
  const passing = Uint8Array.from(verdicts, verdict => (verdict ? 1 : 0))
  for (let row = from; row < to; row++) selected[row]! &= passing[codes[row]!]!
}

/** Keeps the rows of the time range. Gives a range of rows outside of which none is kept. */
function keepTimes(
  selected: Uint8Array,
  columns: RecordColumns,
  startTime: Timestamp,
  endTime: Timestamp,
): RowRange {
  const all = { from: 0, to: selected.length }
  if (startTime <= columns.minTimestamp && columns.maxTimestamp <= endTime) return all
  if (columns.sortedTimes !== undefined) {
    const rows = rowsWithin(columns.sortedTimes, startTime, endTime)
    selected.fill(0, 0, rows.from).fill(0, rows.to)
    return rows
  }
  for (let row = 0; row < selected.length; row++) {
    const timestamp = columns.timestamp(row)
    if (timestamp < startTime || timestamp > endTime) selected[row] = 0
  }
  return all
}

function keepTexts(selected: Uint8Array, column: SearchableColumn, condition: Condition): void {
  const hits = marks.hits(selected.length)
  column.markHits(condition, hits, selected)
  if (condition.isNegated) {
    for (let row = 0; row < selected.length; row++) selected[row]! &= hits[row]! ^ 1
  } else if (hits.includes(1)) {
    for (let row = 0; row < selected.length; row++) selected[row]! &= hits[row]!
  } else {
    selected.fill(0)
  }
}

function keepAttribute(
  selected: Uint8Array,
  attribute: AttributeColumn | undefined,
  condition: Condition,
  passesAbsent: boolean,
): void {
  if (attribute === undefined) {
    if (!passesAbsent) selected.fill(0)
    return
  }
  const { column, rows } = attribute
  if (rows === undefined) {
    keepTexts(selected, column, condition)
    return
  }
  const hits = marks.hits(rows.length)
  const isWanted = new Uint8Array(rows.length)
  for (let i = 0; i < rows.length; i++) isWanted[i] = selected[rows[i]!]!
  column.markHits(condition, hits, isWanted)
  const wanted = condition.isNegated ? 0 : 1
  let index = 0
  for (let row = 0; row < selected.length; row++) {
    const isPresent = index < rows.length && rows[index] === row
    const passes = isPresent ? hits[index] === wanted : passesAbsent
    if (isPresent) index++
    if (!passes) selected[row] = 0
  }
}
