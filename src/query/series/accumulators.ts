/**
 * What a series query keeps for each cell, and the result made from it: counts, sums, extremes.
 * (`samples.ts` and `distinct.ts` keep the values themselves.)
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { messageLabel } from '../../record.ts'
import { type BlockCells, noCell } from './cells.ts'
import { ExactSums, type PlainSums } from './exact-sum.ts'
import { labelNumbers, type Unwrapped } from './label-numbers.ts'

/** What one operation keeps of the cells. A cell that was never added to holds nothing. */
export interface Accumulator<Values, Plain = unknown> {
  /** Reads what is needed of a batch or block, one value for each record. */
  read(columns: RecordColumns, selected: Uint8Array): Values
  /** Adds the records' values to their cells, which are all below `cellCount`. */
  add(block: BlockCells, values: Values, cellCount: number): void
  /** What is kept of cells below `cellCount`, as it travels between threads. */
  toPlain(cellCount: number): Plain
  /** Memory of what `toPlain` has returned that may be handed over, since this is not used after it.
   *  Absent: none is large enough to be worth it. */
  memoryOf?(plain: Plain): ArrayBuffer[]
  /** Adds what is kept of cell i elsewhere to cell `cells[i]`, below `cellCount`. */
  addPlain(cells: Uint32Array, plain: Plain, cellCount: number): void
  /** The result of a cell; undefined when there is none. */
  at(cell: number): number | undefined
  /** Gives back memory that came from other threads, when nothing more is asked of it: megabytes of arrays,
   *  which V8 takes for old ones and lets lie. Absent: there is not much. */
  release?(): void
  /** Records whose value could not be used. */
  readonly skippedCount: number
  readonly refusal: string | undefined
}

/** Records of each cell. */
export class CountAccumulator implements Accumulator<undefined, Float64Array> {
  readonly skippedCount = 0
  readonly refusal = undefined
  readonly #unit: number
  #counts = new Float64Array(0)

  /** The result is the count divided by `unit`. */
  constructor(unit: number) {
    this.#unit = unit
  }

  read(): undefined {
    return undefined
  }

  add({ codes, cells }: BlockCells, _values: undefined, cellCount: number): void {
    const counts = new Uint32Array(cells.length)
    for (let row = 0; row < codes.length; row++) counts[codes[row]!]!++
    for (let code = 1; code < cells.length; code++) {
      this.addCount(cells[code]!, counts[code]!, cellCount)
    }
  }

  addCount(cell: number, count: number, cellCount: number): void {
    this.#counts = grown(this.#counts, cellCount)
    this.#counts[cell]! += count
  }

  toPlain(cellCount: number): Float64Array {
    return grown(this.#counts, cellCount).slice(0, cellCount)
  }

  addPlain(cells: Uint32Array, counts: Float64Array, cellCount: number): void {
    for (let i = 1; i < cells.length; i++) this.addCount(cells[i]!, counts[i]!, cellCount)
  }

  at(cell: number): number | undefined {
    const count = this.#counts[cell] ?? 0
    return count === 0 ? undefined : count / this.#unit
  }
}

interface PlainSumState {
  readonly sums: PlainSums
  readonly counts: Float64Array
  readonly skippedCount: number
}

/** Sums, rounded once; or these divided, by their counts or by `unit`, and rounded again. */
export class SumAccumulator implements Accumulator<Float64Array, PlainSumState> {
  readonly refusal = undefined
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  readonly #unit: number | 'count'
  readonly #sums = new ExactSums()
  #counts = new Float64Array(0)

  constructor(unwrapped: Unwrapped, unit: number | 'count') {
    this.#unwrapped = unwrapped
    this.#unit = unit
  }

  read(columns: RecordColumns, selected: Uint8Array): Float64Array {
    return labelNumbers(this.#unwrapped, columns, selected)
  }

  add({ codes, cells }: BlockCells, values: Float64Array, cellCount: number): void {
    this.#grow(cellCount)
    const counts = this.#counts
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const value = values[row]!
      if (Number.isNaN(value)) {
        this.skippedCount++
        continue
      }
      const cell = cells[code]!
      counts[cell]!++
      this.#sums.add(cell, value)
    }
  }

  toPlain(cellCount: number): PlainSumState {
    this.#grow(cellCount)
    return {
      sums: this.#sums.toPlain(cellCount),
      counts: this.#counts.slice(0, cellCount),
      skippedCount: this.skippedCount,
    }
  }

  addPlain(cells: Uint32Array, plain: PlainSumState, cellCount: number): void {
    this.#grow(cellCount)
    this.#sums.addPlain(plain.sums, cells)
    for (let i = 1; i < cells.length; i++) this.#counts[cells[i]!]! += plain.counts[i]!
    this.skippedCount += plain.skippedCount
  }

  at(cell: number): number | undefined {
    const count = this.#counts[cell]!
    if (count === 0) return undefined
    return this.#sums.at(cell) / (this.#unit === 'count' ? count : this.#unit)
  }

  #grow(cellCount: number): void {
    this.#counts = grown(this.#counts, cellCount)
    this.#sums.grow(cellCount)
  }
}

/** Bytes of the messages, in UTF-8. */
export class ByteAccumulator extends SumAccumulator {
  /** The result is the sum divided by `unit`. */
  constructor(unit: number) {
    super({ label: messageLabel }, unit)
  }

  override read({ message }: RecordColumns): Float64Array {
    const { offsets } = message.toTextColumn()
    return Float64Array.from(
      { length: offsets.length - 1 },
      (_, i) => offsets[i + 1]! - offsets[i]!,
    )
  }
}

interface PlainExtremes {
  readonly values: Float64Array
  readonly skippedCount: number
}

/** Smallest or largest values. */
export class ExtremeAccumulator implements Accumulator<Float64Array, PlainExtremes> {
  readonly refusal = undefined
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  /** Largest values are kept as the smallest of the negated ones. */
  readonly #sign: 1 | -1
  #smallest = new Float64Array(0)

  constructor(unwrapped: Unwrapped, result: 'min' | 'max') {
    this.#unwrapped = unwrapped
    this.#sign = result === 'min' ? 1 : -1
  }

  read(columns: RecordColumns, selected: Uint8Array): Float64Array {
    return labelNumbers(this.#unwrapped, columns, selected)
  }

  add({ codes, cells }: BlockCells, values: Float64Array, cellCount: number): void {
    const smallest = this.#grow(cellCount)
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const value = this.#sign * values[row]!
      if (Number.isNaN(value)) this.skippedCount++
      else if (value < smallest[cells[code]!]!) smallest[cells[code]!] = value
    }
  }

  toPlain(cellCount: number): PlainExtremes {
    const values = this.#grow(cellCount).slice(0, cellCount)
    return { values, skippedCount: this.skippedCount }
  }

  addPlain(cells: Uint32Array, plain: PlainExtremes, cellCount: number): void {
    const smallest = this.#grow(cellCount)
    for (let i = 1; i < cells.length; i++) {
      const cell = cells[i]!
      smallest[cell] = Math.min(smallest[cell]!, plain.values[i]!)
    }
    this.skippedCount += plain.skippedCount
  }

  at(cell: number): number | undefined {
    const smallest = this.#smallest[cell]!
    return smallest === nothingYet ? undefined : this.#sign * smallest + 0
  }

  #grow(cellCount: number): Float64Array {
    this.#smallest = grown(this.#smallest, cellCount, nothingYet)
    return this.#smallest
  }
}

/** No value is infinite. */
const nothingYet = Number.POSITIVE_INFINITY

/** The same values with room for `count`, new ones being `fill`. */
function grown(values: Float64Array, count: number, fill = 0): Float64Array<ArrayBuffer> {
  if (count <= values.length) return values as Float64Array<ArrayBuffer>
  const larger = new Float64Array(Math.max(64, 2 * count)).fill(fill, values.length)
  larger.set(values)
  return larger
}
