/**
 * A selector compiled for columns: given a batch, says which of its records match, without making a
 * record of any.
 */

import { hasMark } from '../columns/codes.ts'
import { type RecordColumns, type RowRange, rowsWithin } from '../columns/record-columns.ts'
import type { Selector } from '../language/ast.ts'
import type { Stream, Timestamp } from '../record.ts'
import { type Chosen, keepChosen } from './chosen.ts'
import { Conjunction } from './conjunction.ts'
import { Marks } from './marks.ts'
import { type Need, needsOf } from './stages/needs.ts'
import { StagedColumns } from './stages/staged-columns.ts'
import { StagedRun, Staging } from './stages/staged-run.ts'

const selectedMarks = new Marks()
/** Those of one alternative. */
const alternativeMarks = new Marks()

export interface SelectOptions {
  /** No others match; absent for any. */
  readonly chosen?: Chosen | undefined
  /** Only these are looked at; absent for all. */
  readonly rows?: RowRange | undefined
  /** Whether `staged` comes next, for the same columns. */
  readonly isStagedNext?: boolean
}

export class Predicate {
  /** A record matches when it meets one of them. */
  readonly alternatives: readonly Conjunction[]
  /** All of which its stages need of a record as it came. */
  readonly needs: readonly Need[]
  readonly #staging: Staging | undefined
  /**
   * For `staged`, which takes it: it has what was read of its block, and nobody counts that. No weak
   * reference: a scan thread waits for its next task without an end of its job, up to which those keep
   * what they are of.
   */
  #lastRun: StagedRun | undefined
  /** Whether labels may be asked for under LogQL's names. */
  readonly #hasLogqlNames: boolean

  /** Throws ProblemError `query_regex` for an expression that cannot be used. */
  constructor(selector: Selector) {
    const { alternatives = [], stages } = selector
    this.alternatives = [selector, ...alternatives].map(one => new Conjunction(one))
    this.#staging = stages && new Staging(stages)
    this.needs = needsOf(stages ?? [])
    this.#hasLogqlNames = selector.names === 'logql'
  }

  /** Whether stream and level alone decide, so that the index can answer. */
  get needsOnlyIndex(): boolean {
    return !this.hasStages && this.alternatives.every(one => one.needsOnlyIndex)
  }

  /** Whether there are conditions on the level. */
  get asksLevel(): boolean {
    return this.alternatives.some(one => one.asksLevel)
  }

  /** Whether records pass stages that may drop or change them. */
  get hasStages(): boolean {
    return this.#staging !== undefined
  }

  /** Whether nothing is asked of records but what one column each tells, and nothing of their levels. */
  get asksOnlyColumns(): boolean {
    const [first] = this.alternatives
    const isOne = this.alternatives.length === 1 && !this.hasStages
    return isOne && !first!.asksLevel && !first!.asksAnywhere
  }

  /** Whether whatever a record of the streams has, it matches, and is what its block says. */
  get takesAll(): boolean {
    const isAny = this.alternatives.every(one => one.needsOnlyIndex && !one.asksLevel)
    return isAny && !this.hasStages && !this.#hasLogqlNames
  }

  /** What is asked, where kind, level and words of a message decide; undefined where more does. */
  get ofMessages(): Conjunction | undefined {
    const [first] = this.alternatives
    const isOne = this.alternatives.length === 1 && !this.hasStages && !this.#hasLogqlNames
    const asksMore = first!.attributeConditions.length > 0 || first!.asksAnywhere
    return isOne && !asksMore ? first : undefined
  }

  matchesStream(stream: Stream): boolean {
    const { alternatives } = this
    for (let i = 0; i < alternatives.length; i++) {
      if (alternatives[i]!.matchesStream(stream)) return true
    }
    return false
  }

  /** Whether records of a stream and level may match. */
  matchesLevel(level: string, stream: Stream): boolean {
    const { alternatives } = this
    for (let i = 0; i < alternatives.length; i++) {
      const one = alternatives[i]!
      if (one.matchesStream(stream) && one.matchesLevel(level)) return true
    }
    return false
  }

  /** How many of all records match, where that takes no marks of them; undefined otherwise. */
  count(columns: RecordColumns): number | undefined {
    const [first] = this.alternatives
    const isOne = this.alternatives.length === 1 && !this.hasStages
    return isOne ? first!.count(columns) : undefined
  }

  /**
   * Marks with 1 the records that match and lie in `[startTime, endTime]`. Returns undefined when
   * there are none. Columns that no condition names are not touched. Valid until the next call.
   */
  select(
    columns: RecordColumns,
    startTime: Timestamp,
    endTime: Timestamp,
    { chosen, rows: asked, isStagedNext = false }: SelectOptions = {},
  ): Uint8Array | undefined {
    this.#lastRun = undefined
    const selected = selectedMarks.take(columns.recordCount, 1)
    const inTime = keepTimes(selected, columns, startTime, endTime)
    const rows = asked === undefined ? inTime : keepRows(selected, inTime, asked)
    if (rows.from >= rows.to) return undefined
    if (chosen !== undefined) {
      keepChosen(selected, rows, columns, chosen)
      if (!hasMark(selected)) return undefined
    }
    if (this.alternatives.length === 1) {
      if (!this.alternatives[0]!.keep(selected, rows, columns)) return undefined
    } else this.#keepAny(selected, rows, columns)
    if (this.#staging !== undefined) {
      const run = new StagedRun(columns, this.#staging, selected)
      if (isStagedNext) this.#lastRun = run
    }
    return hasMark(selected) ? selected : undefined
  }

  /** Keeps the records that meet any of several alternatives. */
  #keepAny(selected: Uint8Array, rows: RowRange, columns: RecordColumns): void {
    const left = selected.slice()
    selected.fill(0)
    for (const alternative of this.alternatives) {
      if (!alternative.hasWhatItNeeds(columns)) continue
      const marks = alternativeMarks.take(left.length, 0)
      marks.set(left)
      if (!alternative.keep(marks, rows, columns)) continue
      for (let row = rows.from; row < rows.to; row++) {
        selected[row]! |= marks[row]!
        left[row]! &= marks[row]! ^ 1 // Records that match already are not asked again.
      }
    }
  }

  /**
   * The columns as they are after the stages, of the records that `select` has marked there. `wanted`:
   * labels that will be asked for, which are then made together.
   */
  staged(
    columns: RecordColumns,
    selected: Uint8Array,
    wanted: readonly string[] = [],
  ): RecordColumns {
    const staging = this.#staging
    if (staging === undefined && !this.#hasLogqlNames) return columns
    const last = this.#lastRun
    this.#lastRun = undefined
    const run = last?.columns === columns ? last : undefined
    return new StagedColumns(columns, staging && { staging, run, wanted }, selected)
  }
}

/** Keeps of the rows of a range those of another one. Returns the range of these. */
function keepRows(selected: Uint8Array, range: RowRange, { from, to }: RowRange): RowRange {
  selected.fill(0, 0, from).fill(0, to)
  return { from: Math.max(range.from, from), to: Math.min(range.to, to) }
}

/** Keeps the rows of the time range. Returns a range of rows outside of which none is kept. */
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
