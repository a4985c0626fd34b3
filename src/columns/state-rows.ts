/**
 * Small numbers by row and state. An expression has rows for each slot of thousands of templates: they are
 * one array for all of them, which the collector neither copies nor looks into, as it would a map of each.
 */
import { statesMax } from '../match/state-table.ts'
import { releaseMemory } from '../threads/garbage.ts'

const initialRows = 64
/** States that have a cell in each row: an expression has a few dozen as a rule. */
const cellsPerRow = 64
/** The least value is -1, and a cell is zero before it has one. */
const valueOffset = 2

/** Of more rows made at once none has cells: of a template of thousands of slots few are ever come to. */
const rowsAtOnceMax = 512
/** Values without a cell; beyond it they are forgotten, to be found anew. */
const othersMax = 2 ** 20

/** Bytes that a row takes. */
export const rowBytes = cellsPerRow * Int16Array.BYTES_PER_ELEMENT

export class StateRows {
  #cells = new Int16Array(initialRows * cellsPerRow)
  #rowCount = 0
  /** Rows without cells have numbers below zero. */
  #lastRow = 0
  /** Of rows and states that have no cell. */
  readonly #others = new Map<number, number>()

  /** Makes so many rows more, without values, and returns the number of the first; the others' follow. */
  add(count: number): number {
    if (count > rowsAtOnceMax) {
      this.#lastRow -= count
      return this.#lastRow
    }
    const first = this.#rowCount
    this.#rowCount += count
    const cellCount = this.#rowCount * cellsPerRow
    if (cellCount > this.#cells.length) {
      const larger = new Int16Array(2 * cellCount)
      larger.set(this.#cells)
      releaseMemory(this.#cells.buffer)
      this.#cells = larger
    }
    return first
  }

  /** Undefined: there is none, or it was forgotten. */
  get(row: number, state: number): number | undefined {
    if (!hasCell(row, state)) return this.#others.get(placeOf(row, state))
    const cell = this.#cells[row * cellsPerRow + state]!
    return cell === 0 ? undefined : cell - valueOffset
  }

  /** `value`: from -1 to the number of a state. */
  set(row: number, state: number, value: number): void {
    if (hasCell(row, state)) this.#cells[row * cellsPerRow + state] = value + valueOffset
    else {
      if (this.#others.size >= othersMax) this.#others.clear()
      this.#others.set(placeOf(row, state), value)
    }
  }
}

function hasCell(row: number, state: number): boolean {
  return row >= 0 && state < cellsPerRow
}

function placeOf(row: number, state: number): number {
  return row * statesMax + state
}
