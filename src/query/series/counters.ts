/**
 * How fast the values of one attribute grow that counts something: LogQL's `rate_counter`. A value below the
 * one before says that the count has begun anew at 0. As in Loki what lies before the first value and behind
 * the last is not guessed, and of a single value the rate is 0.
 *
 * Which value is before which is known when all are there, so all are kept, up to a bound.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { Accumulator } from './accumulators.ts'
import { type BlockCells, noCell } from './cells.ts'
import { labelNumbers, type Unwrapped } from './label-numbers.ts'

interface Sample {
  readonly time: number
  readonly sequence: number
  readonly value: number
}

/** The samples of cell i: those from `starts[i]` up to `starts[i + 1]`, three numbers each. */
interface PlainCounters {
  readonly numbers: Float64Array
  readonly starts: Uint32Array
  readonly skippedCount: number
}

interface PlacedValues {
  readonly values: Float64Array
  readonly columns: RecordColumns
}

export class CounterAccumulator implements Accumulator<PlacedValues, PlainCounters> {
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  readonly #seconds: number
  readonly #cells: Sample[][] = []
  /** One more than there may be says that there are too many. */
  #count = 0

  /** `seconds`: of the range of a point. */
  constructor(unwrapped: Unwrapped, seconds: number) {
    this.#unwrapped = unwrapped
    this.#seconds = seconds
  }

  get refusal(): string | undefined {
    if (this.#count <= limits.counterValuesMax) return undefined
    return (
      `"rate_counter" meets more than ${limits.counterValuesMax} values; ` +
      'ask for less time, add matchers or ask for fewer points'
    )
  }

  read(columns: RecordColumns, selected: Uint8Array): PlacedValues {
    return { values: labelNumbers(this.#unwrapped, columns, selected), columns }
  }

  add({ codes, cells }: BlockCells, { values, columns }: PlacedValues): void {
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const value = values[row]!
      if (Number.isNaN(value)) this.skippedCount++
      else {
        const place = { time: columns.timestamp(row), sequence: columns.sequence(row) }
        this.#take(cells[code]!, { ...place, value })
      }
    }
  }

  toPlain(cellCount: number): PlainCounters {
    const starts = new Uint32Array(cellCount + 1)
    for (let i = 0; i < cellCount; i++) starts[i + 1] = starts[i]! + (this.#cells[i]?.length ?? 0)
    const numbers = new Float64Array(3 * starts[cellCount]!)
    let at = 0
    for (let i = 0; i < cellCount; i++) {
      for (const { time, sequence, value } of this.#cells[i] ?? []) {
        numbers.set([time, sequence, value], at)
        at += 3
      }
    }
    return { numbers, starts, skippedCount: this.skippedCount }
  }

  /** Throws ProblemError `query_too_large`: ranges that overlap have the same values many times. */
  addPlain(cells: Uint32Array, plain: PlainCounters): void {
    const { numbers, starts } = plain
    for (let i = 1; i < cells.length; i++) {
      if (cells[i] === noCell) continue
      for (let at = 3 * starts[i]!; at < 3 * starts[i + 1]!; at += 3) {
        const [time, sequence, value] = numbers.subarray(at, at + 3) as unknown as number[]
        this.#take(cells[i]!, { time: time!, sequence: sequence!, value: value! })
      }
    }
    this.skippedCount += plain.skippedCount
    const { refusal } = this
    if (refusal !== undefined)
      throw new ProblemError('query_too_large', refusal, { field: 'query' })
  }

  at(cell: number): number | undefined {
    const samples = this.#cells[cell]
    if (samples === undefined) return undefined
    samples.sort((a, b) => a.time - b.time || a.sequence - b.sequence)
    let growth = 0
    for (let i = 1; i < samples.length; i++) {
      const [before, value] = [samples[i - 1]!.value, samples[i]!.value]
      growth += value < before ? value : value - before
    }
    return growth / this.#seconds
  }

  #take(cell: number, sample: Sample): void {
    if (this.#count > limits.counterValuesMax) return
    this.#count++
    const samples = this.#cells[cell]
    if (samples === undefined) this.#cells[cell] = [sample]
    else samples.push(sample)
  }
}
