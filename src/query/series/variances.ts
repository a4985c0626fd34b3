/** Variances and standard deviations of the values of one attribute. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Accumulator } from './accumulators.ts'
import { type BlockCells, noCell } from './cells.ts'
import { ExactVariances, type PlainVariances } from './exact-variance.ts'
import { labelNumbers, type Unwrapped } from './label-numbers.ts'

interface PlainState {
  readonly variances: PlainVariances
  readonly skippedCount: number
}

/** Of the whole population, as in PromQL. */
export class VarianceAccumulator implements Accumulator<Float64Array, PlainState> {
  readonly refusal = undefined
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  readonly #isDeviation: boolean
  readonly #variances = new ExactVariances()

  constructor(unwrapped: Unwrapped, result: 'stdvar' | 'stddev') {
    this.#unwrapped = unwrapped
    this.#isDeviation = result === 'stddev'
  }

  read(columns: RecordColumns, selected: Uint8Array): Float64Array {
    return labelNumbers(this.#unwrapped, columns, selected)
  }

  add({ codes, cells }: BlockCells, values: Float64Array, cellCount: number): void {
    this.#variances.grow(cellCount)
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const value = values[row]!
      if (Number.isNaN(value)) this.skippedCount++
      else this.#variances.add(cells[code]!, value)
    }
  }

  toPlain(cellCount: number): PlainState {
    return { variances: this.#variances.toPlain(cellCount), skippedCount: this.skippedCount }
  }

  addPlain(cells: Uint32Array, { variances, skippedCount }: PlainState, cellCount: number): void {
    this.#variances.grow(cellCount)
    this.#variances.addPlain(variances, cells)
    this.skippedCount += skippedCount
  }

  at(cell: number): number | undefined {
    const variance = this.#variances.at(cell)
    return variance !== undefined && this.#isDeviation ? Math.sqrt(variance) : variance
  }
}
