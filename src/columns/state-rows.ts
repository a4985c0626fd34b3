/**
 * Small numbers by row and state. An expression has rows for each slot of thousands of templates: they are
 * one array for all of them, which the collector neither copies nor looks into, as it would a map of each.
 */
import { statesMax } from '../match/state-table.ts'

const initialRows = 64
/** States that have a cell in each row: an expression has a few dozen as a rule. */
const cellsPerRow = 64
/** The least value is -1, and a cell is zero before it has one. */
const valueOffset = 2

/** Bytes that a row takes. */
export const rowBytes = cellsPerRow * Int16Array.BYTES_PER_ELEMENT

export class StateRows {
  #cells = new Int16Array(initialRows * cellsPerRow)
  #rowCount = 0
  /** Of states that have no cell. */
  readonly #others = new Map<number, number>()

  /** Makes so many rows more, without values, and returns the first of them. */
  add(count: number): number {
    const first = this.#rowCount
    this.#rowCount += count
    const cellCount = this.#rowCount * cellsPerRow
    if (cellCount > this.#cells.length) {
      const larger = new Int16Array(2 * cellCount)
      larger.set(this.#cells)
      this.#cells = larger
    }
    return first
  }

  get(row: number, state: number): number | undefined {
    if (state >= cellsPerRow) return this.#others.get(placeOf(row, state))
    const cell = this.#cells[row * cellsPerRow + state]!
    return cell === 0 ? undefined : cell - valueOffset
  }

  /** `value`: from -1 to the number of a state. */
  set(row: number, state: number, value: number): void {
    if (state >= cellsPerRow) this.#others.set(placeOf(row, state), value)
    else this.#cells[row * cellsPerRow + state] = value + valueOffset
  }
}

function placeOf(row: number, state: number): number {
  return row * statesMax + state
}
