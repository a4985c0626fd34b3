/**
 * Figures per group and bucket of time, for one aggregate of an expression: counts, rates, and sums,
 * averages, extremes, quantiles and distinct values of one attribute. All of them exact, and the same
 * however the records are spread over threads.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Aggregate, RangeOperation } from '../../language/ast.ts'
import type { Series } from '../evaluate/series.ts'
import { readLabelSet } from '../stages/staged-columns.ts'
import { indexedValue, isIndexedLabel } from '../tally/groups.ts'
import type { Tally } from '../tally/tally.ts'
import { type PlainCells, type SeriesBuckets, SeriesCells } from './cells.ts'
import { DistinctFigures } from './distinct.ts'
import { ByteFigures, CountFigures, ExtremeFigures, type Figures, SumFigures } from './figures.ts'
import { type Pieces, piecesOf } from './pieces.ts'
import { QuantileFigures } from './samples.ts'
import { cellAt, cellCount, overWindows } from './windows.ts'

/** The aggregate without its selector and offset, and the times of its points. */
export interface SeriesTallyRequest
  extends SeriesBuckets,
    Pick<Aggregate, 'by' | 'unwrap' | 'quantile'> {
  readonly kind: 'series'
  readonly operation: Aggregate['operation'] | RangeOperation
  /** How far back from the end of its bucket each point's records are taken, and nothing shown of
   *  ranges without records; absent where each point is about its own bucket. */
  readonly rangeMs?: number
}

/** As it travels between threads. */
export interface PlainSeries {
  readonly cells: PlainCells
  readonly figures: unknown
}

export class SeriesTally implements Tally<PlainSeries> {
  readonly request: SeriesTallyRequest
  readonly #pieces: Pieces
  readonly #cells: SeriesCells
  readonly #figures: Figures<unknown>
  /** The same as `#figures`, when nothing but records is counted. */
  readonly #counts: CountFigures | undefined
  readonly #isIndexed: boolean

  constructor(request: SeriesTallyRequest) {
    this.request = request
    this.#pieces = piecesOf(request, request.rangeMs)
    this.#cells = new SeriesCells(request.by, this.#pieces)
    this.#figures = figuresOf(request)
    this.#counts = this.#figures instanceof CountFigures ? this.#figures : undefined
    this.#isIndexed = this.#counts !== undefined && request.by.every(isIndexedLabel)
  }

  get refusal(): string | undefined {
    return this.#cells.refusal ?? this.#figures.refusal
  }

  /** Records that match and whose value is no number, where numbers are asked for. */
  get skippedCount(): number {
    return this.#figures.skippedCount
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    // A block may turn out damaged up to here: what is read comes before what is changed.
    const values = this.#figures.read(columns, selected)
    const block = this.#cells.ofRecords(columns, selected)
    this.#figures.add(block, values, this.#cells.count)
  }

  takesEntry({ minTimestamp, maxTimestamp }: IndexEntry): boolean {
    return (
      this.#isIndexed && this.#cells.bucketAt(minTimestamp) === this.#cells.bucketAt(maxTimestamp)
    )
  }

  addEntry(entry: IndexEntry, matchesLevel: (level: string) => boolean): void {
    const bucket = this.#cells.bucketAt(entry.minTimestamp)
    forEachLevel(entry, (level, count) => {
      if (!matchesLevel(level)) return
      const values = this.request.by.map(label => indexedValue(label, entry.stream, level))
      const cell = this.#cells.cell(values, bucket)
      this.#counts?.addCount(cell, count, this.#cells.count)
    })
  }

  toPlain(): PlainSeries {
    return { cells: this.#cells.toPlain(), figures: this.#figures.toPlain(this.#cells.count) }
  }

  addPlain(plain: PlainSeries): void {
    const cells = this.#cells.addPlain(plain.cells)
    this.#figures.addPlain(cells, plain.figures, this.#cells.count)
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
        points[bucket] = this.#figures.at(cell)
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
    const newFigures = () => figuresOf(this.request)
    const ofPieces = newFigures()
    ofPieces.addPlain(places, this.#figures.toPlain(places.length), cellCount(grid))
    const figures = overWindows(ofPieces, newFigures, size, this.#pieces)
    const points = { groupCount: groups.length, placeCount: pointCount }
    return groups
      .map((values, group) => ({
        values,
        points: Array.from({ length: pointCount }, (_, point) =>
          figures.at(cellAt(points, group, point)),
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

function figuresOf(request: SeriesTallyRequest): Figures<unknown> {
  const { operation, unwrap = '', quantile = 0, stepMs, rangeMs = stepMs } = request
  switch (operation) {
    case 'count':
    case 'count_over_time':
      return new CountFigures(1)
    case 'rate':
      return new CountFigures(rangeMs / 1000)
    case 'bytes_over_time':
      return new ByteFigures(1)
    case 'bytes_rate':
      return new ByteFigures(rangeMs / 1000)
    case 'sum':
    case 'sum_over_time':
      return new SumFigures(unwrap, 'sum')
    case 'avg':
    case 'avg_over_time':
      return new SumFigures(unwrap, 'avg')
    case 'min':
    case 'min_over_time':
      return new ExtremeFigures(unwrap, 'min')
    case 'max':
    case 'max_over_time':
      return new ExtremeFigures(unwrap, 'max')
    case 'quantile':
    case 'quantile_over_time':
      return new QuantileFigures(unwrap, quantile)
    case 'count_distinct':
      return new DistinctFigures(unwrap)
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
