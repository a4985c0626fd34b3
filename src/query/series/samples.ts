/**
 * The numbers of each cell themselves, for exact quantiles. A cell with many numbers of few decimals
 * counts them in a table; all others are kept as distinct numbers in order with their counts, so that
 * attributes of few values (status codes, whole milliseconds) take little.
 */

import type { ScaledIntegers } from '../../columns/column.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import type { Accumulator } from './accumulators.ts'
import { type BlockCells, noCell } from './cells.ts'
import { labelIntegers, labelNumbers, type Unwrapped } from './label-numbers.ts'
import { NumberCounts, type PlainNumberCounts, runOfCounts } from './number-counts.ts'
import { mergeRuns, quantileOf, type Run, runOf } from './number-runs.ts'
import { sortNumbers } from './sort-numbers.ts'

/** Runs of all cells end to end: those of cell i from `starts[i]` up to `starts[i + 1]`. */
export interface PlainSamples extends Run {
  readonly starts: Uint32Array
  /** Of cells that have one; none of its numbers is in the cell's run. */
  readonly tables: readonly (readonly [cell: number, PlainNumberCounts])[]
  readonly skippedCount: number
}

/** Numbers gathered before they are sorted into runs or counted: few at first, so that tables are begun
 *  early, then more and more, so that runs are long. */
const gatheredMin = 2 ** 15
const gatheredMax = 2 ** 18

/** Of those, numbers of one cell for which a table is worth it, and tables of all cells: each takes
 *  256 KiB. */
const tableNumbersMin = 4_096
const tablesMax = 32

/** One for each record, as `labelNumbers` and `labelIntegers` return them. */
type Samples = Float64Array | ScaledIntegers

export class QuantileAccumulator implements Accumulator<Samples, PlainSamples> {
  skippedCount = 0
  readonly #unwrapped: Unwrapped
  readonly #quantile: number
  /** Of each cell: runs that get shorter by half or more from one to the next. */
  readonly #runs: Run[][] = []
  /** Of each cell that has one: it has all numbers of the cell for which it has a counter. */
  readonly #tables: (NumberCounts | undefined)[] = []
  /** The same without gaps: there may be many more cells. */
  readonly #allTables: NumberCounts[] = []
  /** Cells whose numbers fit into none. */
  readonly #withoutTable = new Set<number>()
  /** Distinct numbers in all runs; one that is in several runs of a cell counts for each. */
  #heldCount = 0
  /** Made when the first number comes: where samples are only merged, none comes. */
  #gatheredCells = new Uint32Array(0)
  #gatheredValues = new Float64Array(0)
  #gatheredCount = 0
  /** All cells of what was gathered are below it. */
  #cellCount = 0

  /** `quantile`: 0…1. */
  constructor(unwrapped: Unwrapped, quantile: number) {
    this.#unwrapped = unwrapped
    this.#quantile = quantile
  }

  get refusal(): string | undefined {
    if (this.#distinctCount <= limits.quantileValuesMax) return undefined
    return (
      `"quantile" meets more than ${limits.quantileValuesMax} distinct numbers; ` +
      'ask for less time or add matchers'
    )
  }

  /** Distinct numbers of all cells, or more. */
  get #distinctCount(): number {
    return this.#allTables.reduce((sum, table) => sum + table.distinctCount, this.#heldCount)
  }

  read(columns: RecordColumns, selected: Uint8Array): Samples {
    const integers = labelIntegers(this.#unwrapped, columns)
    if (integers !== undefined && NumberCounts.mayTake(integers)) return integers
    return labelNumbers(this.#unwrapped, columns, selected)
  }

  add({ codes, cells }: BlockCells, samples: Samples, cellCount: number): void {
    if (this.#gatheredCells.length === 0) this.#makeRoom(gatheredMin)
    this.#cellCount = cellCount
    let at = this.#gatheredCount
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const cell = cells[code]!
      const table = this.#tables[cell] ?? this.#tableForRun(cell, samples, codes, row)
      if (table !== undefined) {
        row = addWhileSame(table, samples, codes, row)
        if (codes[row] !== code) {
          row--
          continue
        }
      }
      const value = sampleAt(samples, row)
      if (Number.isNaN(value)) {
        this.skippedCount++
        continue
      }
      if (at === this.#gatheredCells.length) {
        this.#gatheredCount = at
        this.#sortGathered()
        if (at < gatheredMax) this.#makeRoom(2 * at)
        at = 0
      }
      this.#gatheredCells[at] = cell
      this.#gatheredValues[at] = value
      at++
    }
    this.#gatheredCount = at
  }

  /** A table that is begun for a cell to which many numbers from `start` on belong, where they fit into
   *  one: gathering and sorting them takes five times as long. */
  #tableForRun(
    cell: number,
    samples: Samples,
    codes: Uint32Array,
    start: number,
  ): NumberCounts | undefined {
    if (this.#allTables.length >= tablesMax || this.#withoutTable.has(cell)) return undefined
    const end = start + tableNumbersMin
    if (end > codes.length) return undefined
    for (let row = start + 1; row < end; row++) if (codes[row] !== codes[start]) return undefined
    const table =
      samples instanceof Float64Array
        ? NumberCounts.like(samples.subarray(start, end))
        : NumberCounts.ofIntegers(samples)
    if (table === undefined) this.#withoutTable.add(cell)
    else this.#startTable(cell, table)
    return table
  }

  #makeRoom(count: number): void {
    this.#gatheredCells = new Uint32Array(count)
    this.#gatheredValues = new Float64Array(count)
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
    const tables = [...this.#tables.entries()].flatMap(([cell, table]) =>
      table === undefined ? [] : [[cell, table.toPlain()] as const],
    )
    return { values, counts, starts, tables, skippedCount: this.skippedCount }
  }

  memoryOf({ values, counts, tables }: PlainSamples): ArrayBuffer[] {
    const arrays = [values, counts, ...tables.map(([, table]) => table.counts)]
    return arrays.map(({ buffer }) => buffer as ArrayBuffer)
  }

  addPlain(cells: Uint32Array, plain: PlainSamples): void {
    const { values, counts, starts, tables, skippedCount } = plain
    for (const [i, table] of tables) {
      if (cells[i] !== noCell) this.#addTable(cells[i]!, table)
    }
    for (let i = 1; i < cells.length; i++) {
      const [start, end] = [starts[i]!, starts[i + 1]!]
      if (start === end || cells[i] === noCell) continue
      const run = { values: values.subarray(start, end), counts: counts.subarray(start, end) }
      this.#addRun(cells[i]!, run)
    }
    this.skippedCount += skippedCount
    this.#keepWithinBound()
  }

  at(cell: number): number | undefined {
    this.#sortGathered()
    const table = this.#tables[cell]
    const hasRuns = (this.#runs[cell]?.length ?? 0) > 0
    if (table !== undefined && !hasRuns) return table.quantile(this.#quantile)
    const run = this.numbersAt(cell)
    if (run === undefined) return undefined
    return quantileOf(run.counts, place => run.values[place]!, this.#quantile)
  }

  release(): void {
    for (const table of this.#allTables) table.release()
  }

  /** All numbers of a cell; undefined when it has none. */
  numbersAt(cell: number): Run | undefined {
    this.#sortGathered()
    const table = this.#tables[cell]
    const runs = this.#runs[cell] ?? []
    const all = table === undefined ? runs : [...runs, runOfCounts(table.toPlain())]
    return all.length === 0 ? undefined : all.reduce(mergeRuns)
  }

  #addTable(cell: number, plain: PlainNumberCounts): void {
    if (this.#tables[cell] === undefined && this.#allTables.length < tablesMax) {
      this.#startTable(cell, new NumberCounts(plain.scale))
    }
    const table = this.#tables[cell]
    if (table?.scale === plain.scale) table.addPlain(plain)
    else this.#addRun(cell, runOfCounts(plain))
  }

  /** Moves what the cell has so far into its table, as far as that has counters for it. */
  #startTable(cell: number, table: NumberCounts): void {
    this.#tables[cell] = table
    this.#allTables.push(table)
    const runs = this.#runs[cell] ?? []
    this.#runs[cell] = []
    for (const run of runs) {
      this.#heldCount -= run.values.length
      this.#addRun(cell, run)
    }
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
      if (own.length >= tableNumbersMin && this.#allTables.length < tablesMax) {
        const table = this.#tables[cell] === undefined ? NumberCounts.like(own) : undefined
        if (table !== undefined) this.#startTable(cell, table)
      }
      const others = this.#tables[cell]?.addNumbers(own) ?? own
      if (others.length === 0) continue
      sortNumbers(others)
      this.#addRun(cell, runOf(others))
    }
    this.#keepWithinBound()
  }

  /** Short runs are merged at once, so that each number is moved a few times only. */
  #addRun(cell: number, all: Run): void {
    const run = this.#tables[cell]?.addRun(all) ?? all
    if (run.values.length === 0) return
    this.#runs[cell] ??= []
    const runs = this.#runs[cell]
    runs.push(run)
    this.#heldCount += run.values.length
    while (runs.length > 1 && runs.at(-2)!.values.length < 2 * runs.at(-1)!.values.length) {
      this.#mergeLast(runs)
    }
  }

  /** Numbers that several runs or parts of tables have count once, before they count against anybody. */
  #keepWithinBound(): void {
    if (this.#distinctCount <= limits.quantileValuesMax) return
    for (const table of this.#allTables) table.addUp()
    if (this.#distinctCount > limits.quantileValuesMax) this.#mergeAll()
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

/** See `NumberCounts.addWhileSame`. */
function addWhileSame(
  table: NumberCounts,
  samples: Samples,
  codes: Uint32Array,
  start: number,
): number {
  if (samples instanceof Float64Array) return table.addWhileSame(samples, codes, start)
  return table.takes(samples) ? table.addIntegersWhileSame(samples, codes, start) : start
}

function sampleAt(samples: Samples, row: number): number {
  if (samples instanceof Float64Array) return samples[row]!
  return (samples.base + samples.distances[row]!) / samples.scale
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
