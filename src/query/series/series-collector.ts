/**
 * Results per group and bucket of time, for one aggregate of an expression: counts, rates, and sums,
 * averages, extremes, quantiles and distinct values of one attribute. All of them exact, and the same
 * however the records are spread over threads.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Aggregate, RangeOperation } from '../../language/ast.ts'
import type { Collector, WantedLevels } from '../collect/collector.ts'
import { indexedValue, isIndexedLabel } from '../collect/groups.ts'
import type { Series } from '../evaluate/vector.ts'
import { readLabelSet } from '../stages/staged-columns.ts'
import {
  type Accumulator,
  ByteAccumulator,
  CountAccumulator,
  ExtremeAccumulator,
  SumAccumulator,
} from './accumulators.ts'
import { type PlainCells, type SeriesBuckets, SeriesCells } from './cells.ts'
import { CounterAccumulator } from './counters.ts'
import { DistinctAccumulator } from './distinct.ts'
import { EndAccumulator } from './ends.ts'
import type { Unwrapped } from './label-numbers.ts'
import { type Pieces, piecesOf } from './pieces.ts'
import { QuantileAccumulator } from './samples.ts'
import { VarianceAccumulator } from './variances.ts'
import { cellAt, cellCount, overWindows } from './windows.ts'

/** The aggregate without its selector and offset, and the times of its points. */
export interface SeriesCollectorRequest
  extends SeriesBuckets,
    Pick<Aggregate, 'by' | 'unwrap' | 'unwrapUnit' | 'quantile'> {
  readonly kind: 'series'
  /** Of what is absent is only asked whether anything is there. */
  readonly operation: Aggregate['operation'] | Exclude<RangeOperation, 'absent_over_time'>
  /** How far back from the end of its bucket each point's records are taken, and nothing shown of
   *  ranges without records; absent where each point is about its own bucket. */
  readonly rangeMs?: number
}

/** As it travels between threads. */
export interface PlainSeries {
  readonly cells: PlainCells
  readonly states: unknown
}

export class SeriesCollector implements Collector<PlainSeries> {
  readonly request: SeriesCollectorRequest
  readonly #pieces: Pieces
  readonly #cells: SeriesCells
  readonly #accumulator: Accumulator<unknown>
  /** The same as `#accumulator`, when nothing but records is counted. */
  readonly #counts: CountAccumulator | undefined
  readonly #isIndexed: boolean

  constructor(request: SeriesCollectorRequest) {
    this.request = request
    this.#pieces = piecesOf(request, request.rangeMs)
    this.#cells = new SeriesCells(request.by, this.#pieces)
    this.#accumulator = accumulatorFor(request)
    this.#counts = this.#accumulator instanceof CountAccumulator ? this.#accumulator : undefined
    this.#isIndexed = this.#counts !== undefined && request.by.every(isIndexedLabel)
  }

  get refusal(): string | undefined {
    return this.#cells.refusal ?? this.#accumulator.refusal
  }

  /** Records that match and whose value is no number, where numbers are asked for. */
  get skippedCount(): number {
    return this.#accumulator.skippedCount
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    // A block may turn out damaged up to here: what is read comes before what is changed.
    const values = this.#accumulator.read(columns, selected)
    const block = this.#cells.ofRecords(columns, selected)
    this.#accumulator.add(block, values, this.#cells.count)
  }

  takesEntry({ minTimestamp, maxTimestamp }: IndexEntry): boolean {
    return (
      this.#isIndexed && this.#cells.bucketAt(minTimestamp) === this.#cells.bucketAt(maxTimestamp)
    )
  }

  addEntry(entry: IndexEntry, wanted: WantedLevels): void {
    const bucket = this.#cells.bucketAt(entry.minTimestamp)
    forEachLevel(entry, (level, count) => {
      if (!wanted.matchesLevel(level)) return
      const values = this.request.by.map(label => indexedValue(label, entry.stream, level))
      const cell = this.#cells.cell(values, bucket)
      this.#counts?.addCount(cell, count, this.#cells.count)
    })
  }

  toPlain(): PlainSeries {
    return { cells: this.#cells.toPlain(), states: this.#accumulator.toPlain(this.#cells.count) }
  }

  memoryOf({ states }: PlainSeries): ArrayBuffer[] {
    return this.#accumulator.memoryOf?.(states) ?? []
  }

  addPlain(plain: PlainSeries): void {
    const cells = this.#cells.addPlain(plain.cells)
    this.#accumulator.addPlain(cells, plain.states, this.#cells.count)
  }

  /**
   * One series per group, in order of their labels' values. Where records are counted, in whatever
   * way, an empty bucket has 0, and without groups there is always one series. Otherwise an empty
   * bucket has no point, and a series without points is none.
   */
  toSeries(): Series[] {
    const { by, pointCount, rangeMs } = this.request
    const found = rangeMs === undefined ? this.#ofBuckets() : this.#ofRanges()
    if (this.#isCount && by.length === 0 && found.length === 0) {
      found.push({ values: [], points: new Array<number>(pointCount).fill(0) })
    }
    found.sort((a, b) => compareTexts(a.values, b.values))
    return found.map(({ values, points }) => ({ labels: labelsOf(by, values), points }))
  }

  /** Gives back memory. To be called when nothing more is asked of it. */
  release(): void {
    this.#accumulator.release?.()
  }

  /** Whether nothing is the number 0. */
  get #isCount(): boolean {
    const { operation, rangeMs } = this.request
    const counts: readonly string[] = ['count', 'rate', 'count_distinct']
    return rangeMs === undefined && counts.includes(operation)
  }

  #ofBuckets(): FoundSeries[] {
    const found: FoundSeries[] = []
    const nothing = this.#isCount ? 0 : undefined
    this.#cells.forEachGroup((values, cells) => {
      const points = new Array<number | undefined>(this.request.pointCount).fill(nothing)
      let hasPoint = this.#isCount
      for (const [bucket, cell] of cells) {
        points[bucket] = this.#accumulator.at(cell) ?? nothing
        hasPoint ||= points[bucket] !== undefined
      }
      if (hasPoint) found.push({ values, points })
    })
    return found
  }

  #ofRanges(): FoundSeries[] {
    const { groups, groupOf, bucketOf } = this.#cells.toPlain()
    const { pointCount } = this.request
    const size = { groupCount: groups.length, pointCount }
    const grid = { groupCount: groups.length, placeCount: this.#pieces.pieceCount }
    const places = groupOf.map((group, cell) => cellAt(grid, group, bucketOf[cell]!))
    const newAccumulator = () => accumulatorFor(this.request)
    const ofPieces = newAccumulator()
    ofPieces.addPlain(places, this.#accumulator.toPlain(places.length), cellCount(grid))
    const accumulator = overWindows(ofPieces, newAccumulator, size, this.#pieces)
    const points = { groupCount: groups.length, placeCount: pointCount }
    return groups
      .map((values, group) => ({
        values,
        points: Array.from({ length: pointCount }, (_, point) =>
          accumulator.at(cellAt(points, group, point)),
        ),
      }))
      .filter(({ points }) => points.some(point => point !== undefined))
  }
}

/** A series before its labels have their names. */
interface FoundSeries {
  readonly values: readonly string[]
  readonly points: readonly (number | undefined)[]
}

function accumulatorFor(request: SeriesCollectorRequest): Accumulator<unknown> {
  const { operation, unwrap, quantile = 0, stepMs, rangeMs = stepMs } = request
  const unit = request.unwrapUnit
  const unwrapped: Unwrapped = { label: unwrap ?? '', ...(unit && { unwrapUnit: unit }) }
  switch (operation) {
    case 'count':
    case 'count_over_time':
      return new CountAccumulator(1)
    case 'rate':
      return unwrap === undefined
        ? new CountAccumulator(rangeMs / 1000)
        : new SumAccumulator(unwrapped, rangeMs / 1000)
    case 'bytes_over_time':
      return new ByteAccumulator(1)
    case 'bytes_rate':
      return new ByteAccumulator(rangeMs / 1000)
    case 'sum':
    case 'sum_over_time':
      return new SumAccumulator(unwrapped, 1)
    case 'avg':
    case 'avg_over_time':
      return new SumAccumulator(unwrapped, 'count')
    case 'min':
    case 'min_over_time':
      return new ExtremeAccumulator(unwrapped, 'min')
    case 'max':
    case 'max_over_time':
      return new ExtremeAccumulator(unwrapped, 'max')
    case 'stddev_over_time':
      return new VarianceAccumulator(unwrapped, 'stddev')
    case 'stdvar_over_time':
      return new VarianceAccumulator(unwrapped, 'stdvar')
    case 'rate_counter':
      return new CounterAccumulator(unwrapped, rangeMs / 1000)
    case 'first_over_time':
      return new EndAccumulator(unwrapped, 'first')
    case 'last_over_time':
      return new EndAccumulator(unwrapped, 'last')
    case 'quantile':
    case 'quantile_over_time':
      return new QuantileAccumulator(unwrapped, quantile)
    case 'count_distinct':
      return new DistinctAccumulator(unwrapped.label)
  }
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((text, i) => text !== b[i])
  if (differing === -1) return 0
  return a[differing]! < b[differing]! ? -1 : 1
}

function labelsOf(by: readonly string[], values: readonly string[]): Series['labels'] {
  const labels: Record<string, string> = Object.create(null)
  by.forEach((label, i) => {
    const set = readLabelSet(label, values[i]!)
    if (set === undefined) labels[label] = values[i]!
    else for (const [name, value] of set) labels[name] = value
  })
  return labels
}
