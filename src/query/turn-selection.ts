/**
 * Selecting from a block or frame without keeping others from the thread for long.
 *
 * As a rule all rows are selected at once. Where that takes too long it is done part by part: after each,
 * others have their turn, and the selection goes on behind the last part, in the same thread, with what
 * that has read and compiled. Nothing is counted before all rows are selected, so that a block which
 * turns out damaged on the way counts not at all.
 */
import { hasMark } from '../columns/codes.ts'
import type { RecordColumns, RowRange } from '../columns/record-columns.ts'
import { type Turn, TurnOver } from '../threads/turn.ts'
import type { Predicate, SelectOptions } from './predicate.ts'
import type { Resume, ScanQuery } from './scan-task.ts'

/** How long a part should take, ms: others wait for so long. */
const partMs = 5
/** When a selection turns out to take too long, its first part is this share of it. */
const firstPartShare = 1 / 16
/** What is left of the rows of a part that took too long. */
const smallerPartShare = 1 / 8
/** A part has at most so many times the rows of the one before. */
const growthMax = 4

/** What is selected from. */
type SelectedPlace = Pick<Resume, 'source' | 'frameOffset'>

/** A selection that did not come to its end in this turn. */
export interface Interrupted {
  /** Where it goes on; undefined: from its beginning. */
  readonly resume: Resume | undefined
  /** Whether it would not get any further in another turn: a single row takes too long. */
  readonly isLong: boolean
}

export class TurnSelection {
  readonly #predicate: Predicate
  readonly #turn: Turn
  #resume: Resume | undefined
  /** Undefined: all. */
  #rowsAtOnce: number | undefined

  /** Both are of an earlier task of the query. */
  constructor(
    predicate: Predicate,
    turn: Turn,
    resume: Resume | undefined,
    rowsAtOnce: number | undefined,
  ) {
    this.#predicate = predicate
    this.#turn = turn
    this.#resume = resume
    this.#rowsAtOnce = rowsAtOnce
  }

  /** How many rows are selected at once, for the next task; undefined: all. */
  get rowsAtOnce(): number | undefined {
    return this.#rowsAtOnce
  }

  /**
   * As the predicate's `select`, which may be interrupted. Throws TurnOver when it is cancelled. What
   * `staged` uses again is of all rows: before it, all are selected at once.
   */
  select(
    columns: RecordColumns,
    place: SelectedPlace,
    { startTime, endTime }: Pick<ScanQuery, 'startTime' | 'endTime'>,
    options: SelectOptions,
  ): Uint8Array | undefined | Interrupted {
    const resume = this.#resume
    // Meanwhile it may have turned out that nothing of what was interrupted is of interest.
    const isHere = resume?.source === place.source && resume.frameOffset === place.frameOffset
    this.#resume = undefined
    if (isHere && resume.row === columns.recordCount) return resume.selected
    const select = (rows?: RowRange) =>
      this.#turn.within(() =>
        this.#predicate.select(columns, startTime, endTime, { ...options, rows }),
      )
    const isWhole = options.isStagedNext === true && this.#predicate.hasStages
    if (isWhole || this.#rowsAtOnce === undefined) {
      try {
        return select()
      } catch (error) {
        if (!this.#isOver(error)) throw error
        if (isWhole || columns.recordCount === 1) return { resume: undefined, isLong: true }
        this.#rowsAtOnce = Math.ceil(columns.recordCount * firstPartShare)
        if (this.#turn.othersWait) return { resume: undefined, isLong: false }
      }
    }
    const selected = isHere ? resume.selected : new Uint8Array(columns.recordCount)
    return this.#selectParts(select, { ...place, row: isHere ? resume.row : 0, selected })
  }

  #selectParts(
    select: (rows: RowRange) => Uint8Array | undefined,
    begin: Resume,
  ): Uint8Array | undefined | Interrupted {
    const { selected } = begin
    let { row } = begin
    while (row < selected.length) {
      const to = Math.min(selected.length, row + this.#rowsAtOnce!)
      const startedAt = performance.now()
      try {
        const part = select({ from: row, to })
        if (part !== undefined) selected.set(part.subarray(row, to), row)
        this.#adapt(to - row, performance.now() - startedAt)
        row = to
      } catch (error) {
        if (!this.#isOver(error)) throw error
        if (to - row === 1) return { resume: { ...begin, row }, isLong: true }
        this.#rowsAtOnce = Math.ceil((to - row) * smallerPartShare)
      }
      const isInterrupted = row < selected.length && this.#turn.othersWait
      if (isInterrupted) return { resume: { ...begin, row }, isLong: false }
    }
    return hasMark(selected) ? selected : undefined
  }

  /** Whether a selection ended because it took too long, and is wanted still. */
  #isOver(error: unknown): boolean {
    return error instanceof TurnOver && !this.#turn.isCancelled
  }

  #adapt(rows: number, ms: number): void {
    const wanted = Math.round((rows * partMs) / Math.max(ms, partMs / growthMax))
    this.#rowsAtOnce = Math.max(1, wanted)
  }
}
