/**
 * Figures per group and bucket of time, for one aggregate of an expression: counts, rates, and sums,
 * averages, extremes, quantiles and distinct values of one attribute. All of them exact, and the same
 * however the records are spread over threads.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Aggregate } from '../../language/ast.ts'
import type { Series } from '../evaluate/series.ts'
import { indexedValue, isIndexedLabel } from '../tally/groups.ts'
import type { Tally } from '../tally/tally.ts'
import { type PlainCells, type SeriesBuckets, SeriesCells } from './cells.ts'
import { DistinctFigures } from './distinct.ts'
import { CountFigures, ExtremeFigures, type Figures, SumFigures } from './figures.ts'
import { QuantileFigures } from './samples.ts'

/** The aggregate without its selector and offset, and the times of its points. */
export interface SeriesTallyRequest
  extends SeriesBuckets,
    Pick<Aggregate, 'operation' | 'by' | 'unwrap' | 'quantile'> {
  readonly kind: 'series'
}

/** As it travels between threads. */
export interface PlainSeries {
  readonly cells: PlainCells
  readonly figures: unknown
}

export class SeriesTally implements Tally<PlainSeries> {
  readonly request: SeriesTallyRequest
  readonly #cells: SeriesCells
  readonly #figures: Figures<unknown>
  /** The same as `#figures`, when nothing but records is counted. */
  readonly #counts: CountFigures | undefined
  readonly #isIndexed: boolean

  constructor(request: SeriesTallyRequest) {
    this.request = request
    this.#cells = new SeriesCells(request.by, request)
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
    const { by, pointCount, operation } = this.request
    const isCount = operation === 'count' || operation === 'rate' || operation === 'count_distinct'
    const found: { values: readonly string[]; points: (number | undefined)[] }[] = []
    this.#cells.forEachGroup((values, cells) => {
      const points = new Array<number | undefined>(pointCount).fill(isCount ? 0 : undefined)
      let hasPoint = isCount
      for (const [bucket, cell] of cells) {
        points[bucket] = this.#figures.at(cell)
        hasPoint ||= points[bucket] !== undefined
      }
      if (hasPoint) found.push({ values, points })
    })
    if (isCount && by.length === 0 && found.length === 0) {
      found.push({ values: [], points: new Array<number>(pointCount).fill(0) })
    }
    found.sort((a, b) => compareTexts(a.values, b.values))
    return found.map(({ values, points }) => ({ labels: labelsOf(by, values), points }))
  }
}

function figuresOf(request: SeriesTallyRequest): Figures<unknown> {
  const { operation, unwrap = '', quantile = 0, stepMs } = request
  switch (operation) {
    case 'count':
      return new CountFigures(1)
    case 'rate':
      return new CountFigures(stepMs / 1000)
    case 'sum':
    case 'avg':
      return new SumFigures(unwrap, operation)
    case 'min':
    case 'max':
      return new ExtremeFigures(unwrap, operation)
    case 'quantile':
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
    labels[label] = values[i]!
  })
  return labels
}
