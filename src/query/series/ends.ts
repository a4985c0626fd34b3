/** The first or the last value of one attribute: by time, and of records of one ms by their arrival. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Accumulator } from './accumulators.ts'
import { type BlockCells, noCell } from './cells.ts'
import { labelNumbers, type Unwrapped } from './label-numbers.ts'

/** Of each record or cell; NaN for one without a value, whose place means nothing. */
interface PlacedValues {
  readonly values: Float64Array
  readonly times: Float64Array
  readonly sequences: Float64Array
}

interface PlainEnds extends PlacedValues {
  readonly skippedCount: number
}

export class EndAccumulator implements Accumulator<PlacedValues, PlainEnds> {
  readonly refusal = undefined
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  readonly #isLast: boolean
  #ends: PlacedValues = placesFor(0)

  constructor(unwrapped: Unwrapped, result: 'first' | 'last') {
    this.#unwrapped = unwrapped
    this.#isLast = result === 'last'
  }

  read(columns: RecordColumns, selected: Uint8Array): PlacedValues {
    const values = labelNumbers(this.#unwrapped, columns, selected)
    const { times, sequences } = placesFor(selected.length)
    for (let row = 0; row < selected.length; row++) {
      if (selected[row] === 0 || Number.isNaN(values[row])) continue
      times[row] = columns.timestamp(row)
      sequences[row] = columns.sequence(row)
    }
    return { values, times, sequences }
  }

  add({ codes, cells }: BlockCells, placed: PlacedValues, cellCount: number): void {
    this.#grow(cellCount)
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      if (Number.isNaN(placed.values[row]!)) this.skippedCount++
      else this.#take(cells[code]!, placed, row)
    }
  }

  toPlain(cellCount: number): PlainEnds {
    this.#grow(cellCount)
    const { values, times, sequences } = this.#ends
    return {
      values: values.slice(0, cellCount),
      times: times.slice(0, cellCount),
      sequences: sequences.slice(0, cellCount),
      skippedCount: this.skippedCount,
    }
  }

  addPlain(cells: Uint32Array, plain: PlainEnds, cellCount: number): void {
    this.#grow(cellCount)
    for (let i = 1; i < cells.length; i++) {
      if (!Number.isNaN(plain.values[i]!)) this.#take(cells[i]!, plain, i)
    }
    this.skippedCount += plain.skippedCount
  }

  at(cell: number): number | undefined {
    const value = this.#ends.values[cell]!
    return Number.isNaN(value) ? undefined : value
  }

  /** Takes the value at a place of others if it is nearer to the end than the cell's. */
  #take(cell: number, { values, times, sequences }: PlacedValues, place: number): void {
    const ends = this.#ends
    const distance = times[place]! - ends.times[cell]! || sequences[place]! - ends.sequences[cell]!
    const isNearer = this.#isLast ? distance > 0 : distance < 0
    if (!isNearer && !Number.isNaN(ends.values[cell]!)) return
    ends.values[cell] = values[place]!
    ends.times[cell] = times[place]!
    ends.sequences[cell] = sequences[place]!
  }

  #grow(cellCount: number): void {
    const ends = this.#ends
    if (cellCount <= ends.values.length) return
    const larger = placesFor(Math.max(64, 2 * cellCount))
    larger.values.set(ends.values)
    larger.times.set(ends.times)
    larger.sequences.set(ends.sequences)
    this.#ends = larger
  }
}

function placesFor(count: number): PlacedValues {
  return {
    values: new Float64Array(count).fill(Number.NaN),
    times: new Float64Array(count),
    sequences: new Float64Array(count),
  }
}
