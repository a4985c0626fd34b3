/**
 * The numbers of each cell themselves, for exact quantiles: kept as distinct numbers in order with
 * their counts, so that figures of few values (status codes, whole milliseconds) take little.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { type BlockCells, noCell } from './cells.ts'
import type { Figures } from './figures.ts'
import { labelNumbers } from './label-numbers.ts'
import { sortNumbers } from './sort-numbers.ts'

/** Distinct numbers, ascending, and how often each occurs. */
interface Run {
  readonly values: Float64Array
  readonly counts: Uint32Array
}

/** Runs of all cells end to end: those of cell i from `starts[i]` up to `starts[i + 1]`. */
interface PlainSamples extends Run {
  readonly starts: Uint32Array
  readonly skippedCount: number
}

/** Numbers gathered before they are sorted into runs. */
const gatheredMax = 2 ** 18

export class QuantileFigures implements Figures<Float64Array, PlainSamples> {
  skippedCount = 0
  readonly #label: string
  readonly #quantile: number
  /** Of each cell: runs that get shorter by half or more from one to the next. */
  readonly #runs: Run[][] = []
  /** Distinct numbers in all runs; one that stands in several runs of a cell counts for each. */
  #heldCount = 0
  /** Made when the first number comes: where figures are only added up, none comes. */
  #gatheredCells = new Uint32Array(0)
  #gatheredValues = new Float64Array(0)
  #gatheredCount = 0
  /** All cells of what was gathered are below it. */
  #cellCount = 0

  /** `quantile`: 0…1. */
  constructor(label: string, quantile: number) {
    this.#label = label
    this.#quantile = quantile
  }

  get refusal(): string | undefined {
    if (this.#heldCount <= limits.quantileValuesMax) return undefined
    return (
      `"quantile" meets more than ${limits.quantileValuesMax} distinct numbers; ` +
      'ask for less time or add matchers'
    )
  }

  read(columns: RecordColumns, selected: Uint8Array): Float64Array {
    return labelNumbers(this.#label, columns, selected)
  }

  add({ codes, cells }: BlockCells, values: Float64Array, cellCount: number): void {
    if (this.#gatheredCells.length === 0) {
      this.#gatheredCells = new Uint32Array(gatheredMax)
      this.#gatheredValues = new Float64Array(gatheredMax)
    }
    this.#cellCount = cellCount
    let at = this.#gatheredCount
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const value = values[row]!
      if (Number.isNaN(value)) {
        this.skippedCount++
        continue
      }
      if (at === gatheredMax) {
        this.#gatheredCount = at
        this.#sortGathered()
        at = 0
      }
      this.#gatheredCells[at] = cells[code]!
      this.#gatheredValues[at] = value
      at++
    }
    this.#gatheredCount = at
  }

  toPlain(cellCount: number): PlainSamples {
    this.#sortGathered()
    this.#mergeAll()
    const values = new Float64Array(this.#heldCount)
    const counts = new Uint32Array(this.#heldCount)
    const starts = new Uint32Array(cellCount + 1)
    let at = 0
    for (let cell = 0; cell < cellCount; cell++) {
      const run = this.#runs[cell]?.[0]
      if (run !== undefined) {
        values.set(run.values, at)
        counts.set(run.counts, at)
        at += run.values.length
      }
      starts[cell + 1] = at
    }
    return { values, counts, starts, skippedCount: this.skippedCount }
  }

  addPlain(cells: Uint32Array, plain: PlainSamples): void {
    const { values, counts, starts, skippedCount } = plain
    for (let i = 1; i < cells.length; i++) {
      const [start, end] = [starts[i]!, starts[i + 1]!]
      if (start === end) continue
      const run = { values: values.subarray(start, end), counts: counts.subarray(start, end) }
      this.#addRun(cells[i]!, run)
    }
    this.skippedCount += skippedCount
    if (this.#heldCount > limits.quantileValuesMax) this.#mergeAll()
  }

  at(cell: number): number | undefined {
    this.#sortGathered()
    const runs = this.#runs[cell]
    if (runs === undefined) return undefined
    return quantileOf(runs.reduce(mergeRuns), this.#quantile)
  }

  /** Turns what was gathered into runs. */
  #sortGathered(): void {
    if (this.#gatheredCount === 0) return
    const cellCount = this.#cellCount
    const cells = this.#gatheredCells.subarray(0, this.#gatheredCount)
    const gathered = this.#gatheredValues.subarray(0, this.#gatheredCount)
    const { values, starts } = gatherByCell(cells, gathered, cellCount)
    this.#gatheredCount = 0
    for (let cell = 1; cell < cellCount; cell++) {
      const own = values.subarray(starts[cell]!, starts[cell + 1]!)
      if (own.length === 0) continue
      sortNumbers(own)
      this.#addRun(cell, runOf(own))
    }
    if (this.#heldCount > limits.quantileValuesMax) this.#mergeAll()
  }

  /** Short runs are merged at once, so that each number is moved a few times only. */
  #addRun(cell: number, run: Run): void {
    this.#runs[cell] ??= []
    const runs = this.#runs[cell]
    runs.push(run)
    this.#heldCount += run.values.length
    while (runs.length > 1 && runs.at(-2)!.values.length < 2 * runs.at(-1)!.values.length) {
      this.#mergeLast(runs)
    }
  }

  #mergeAll(): void {
    for (const runs of this.#runs) {
      while (runs !== undefined && runs.length > 1) this.#mergeLast(runs)
    }
  }

  #mergeLast(runs: Run[]): void {
    const second = runs.pop()!
    const first = runs.pop()!
    const merged = mergeRuns(first, second)
    runs.push(merged)
    this.#heldCount += merged.values.length - first.values.length - second.values.length
  }
}

/** Numbers, those of each cell together: of cell i from `starts[i]` up to the next start. */
function gatherByCell(
  cells: Uint32Array,
  values: Float64Array,
  cellCount: number,
): { values: Float64Array; starts: Uint32Array } {
  const starts = new Uint32Array(cellCount + 1)
  for (let i = 0; i < cells.length; i++) starts[cells[i]! + 1]!++
  for (let cell = 0; cell < cellCount; cell++) starts[cell + 1]! += starts[cell]!
  const next = starts.slice()
  const gathered = new Float64Array(cells.length)
  for (let i = 0; i < cells.length; i++) gathered[next[cells[i]!]!++] = values[i]!
  return { values: gathered, starts }
}

/** The run of ascending numbers, one at least. May share memory with them. */
function runOf(numbers: Float64Array): Run {
  let distinctCount = 1
  for (let i = 1; i < numbers.length; i++) {
    if (numbers[i] !== numbers[i - 1]) distinctCount++
  }
  if (distinctCount === numbers.length) {
    return { values: numbers, counts: new Uint32Array(distinctCount).fill(1) }
  }
  const values = new Float64Array(distinctCount)
  const counts = new Uint32Array(distinctCount)
  let last = 0
  values[0] = numbers[0]!
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== values[last]) values[++last] = numbers[i]!
    counts[last]!++
  }
  return { values, counts }
}

function mergeRuns(a: Run, b: Run): Run {
  const values = new Float64Array(a.values.length + b.values.length)
  const counts = new Uint32Array(values.length)
  let length = 0
  let j = 0
  for (let i = 0; i < a.values.length; i++) {
    const value = a.values[i]!
    for (; j < b.values.length && b.values[j]! < value; j++) {
      values[length] = b.values[j]!
      counts[length++] = b.counts[j]!
    }
    values[length] = value
    counts[length] = a.counts[i]!
    if (j < b.values.length && b.values[j] === value) counts[length]! += b.counts[j++]!
    length++
  }
  for (; j < b.values.length; j++) {
    values[length] = b.values[j]!
    counts[length++] = b.counts[j]!
  }
  return { values: values.subarray(0, length), counts: counts.subarray(0, length) }
}

/**
 * The quantile as PromQL has it: between the two numbers whose ranks lie around `quantile * (n - 1)`,
 * in proportion.
 */
function quantileOf({ values, counts }: Run, quantile: number): number {
  let count = 0
  for (let i = 0; i < counts.length; i++) count += counts[i]!
  const rank = quantile * (count - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(count - 1, lower + 1)
  const weight = rank - lower
  let at = 0
  let reached = counts[0]!
  while (reached <= lower) reached += counts[++at]!
  const lowerValue = values[at]!
  const upperValue = reached <= upper ? values[at + 1]! : lowerValue
  return lowerValue * (1 - weight) + upperValue * weight
}
