/**
 * What is made of a label's values, per group and bucket of time: sums, extremes, distinct ones.
 * ClickHouse tells which texts there are and how often each; they are read and added up here, by the
 * language's own code: so the order in which ClickHouse adds, and how it reads numbers, shows nowhere.
 */

import { ExactSums } from '../../../query/series/exact-sum.ts'
import { ExactVariances } from '../../../query/series/exact-variance.ts'
import { numberReader } from '../../../query/series/label-numbers.ts'
import { piecesOf } from '../../../query/series/pieces.ts'
import type { PlainSeries, SeriesCollectorRequest } from '../../../query/series/series-collector.ts'
import { messageLabel } from '../../../record.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { valuesOf } from './groups.ts'
import type { LabelTexts } from './label.ts'
import { pieceOf } from './series.ts'
import { whole } from './whole.ts'

/** Different texts of all groups and buckets up to which they are asked for: of more, records are fetched. */
const textsMax = 200_000
/** Bytes of one. */
const textBytesMax = 128

/** One text of a group in a bucket. */
interface Row {
  readonly values: readonly string[]
  readonly piece: number
  readonly text: string
  readonly found: number | string
}

/** The texts of each cell; cell 0 is of no records. */
interface Cells {
  readonly groups: string[][]
  readonly groupOf: number[]
  readonly bucketOf: number[]
  readonly texts: (readonly (readonly [text: string, count: number])[])[]
}

type Unwrapping = Pick<SeriesCollectorRequest, 'unwrap' | 'unwrapUnit' | 'operation'>

/** Undefined for what depends on the order of records. */
export function seriesValuesQuestion(
  request: SeriesCollectorRequest,
  texts: LabelTexts,
): CollectedQuestion | undefined {
  const statesOf = stateMakers[request.operation]
  if (statesOf === undefined) return undefined
  const bound = new Bound('q')
  const values = valuesOf(request.by, bound, texts)
  const piece = pieceOf(piecesOf(request, request.rangeMs))
  const text = textOf(request, bound, texts)
  return {
    statement: from => textsFrom(from, values, piece, text),
    params: bound.params,
    plainOf(rows): PlainSeries | undefined {
      const cells = cellsOf(rows as readonly Row[])
      if (cells === undefined) return undefined
      const { groups, groupOf, bucketOf } = cells
      return {
        cells: {
          groups,
          groupOf: Uint32Array.from(groupOf),
          bucketOf: Uint32Array.from(bucketOf),
        },
        states: statesOf(cells, request),
      }
    },
  }
}

function textOf({ operation, unwrap }: Unwrapping, bound: Bound, texts: LabelTexts): string {
  if (operation.startsWith('bytes_')) {
    return `toString(length(${texts(messageLabel, bound)}))`
  }
  return texts(unwrap ?? '', bound)
}

/** Longer texts are one, of a length that no other has. */
function textsFrom(from: string, values: string, piece: string, text: string): string {
  const short = `if(length(${text}) > ${textBytesMax}, repeat('x', ${textBytesMax + 1}), toString(${text}))`
  return `SELECT ${values} AS values, ${piece} AS piece, ${short} AS text, count() AS found
    FROM ${from} GROUP BY values, piece, text LIMIT ${whole(textsMax + 1)}`
}

/** Undefined where there are too many texts, or one that is too long. */
function cellsOf(rows: readonly Row[]): Cells | undefined {
  if (rows.length > textsMax) return undefined
  const cells: Cells = { groups: [], groupOf: [0], bucketOf: [0], texts: [[]] }
  const groups = new Map<string, number>()
  const known = new Map<string, [text: string, count: number][]>()
  for (const { values, piece, text, found } of rows) {
    if (text.length > textBytesMax) return undefined
    const groupKey = JSON.stringify(values)
    const group = groups.get(groupKey) ?? cells.groups.push([...values]) - 1
    groups.set(groupKey, group)
    const key = `${group} ${piece}`
    let texts = known.get(key)
    if (texts === undefined) {
      texts = []
      known.set(key, texts)
      cells.texts.push(texts)
      cells.groupOf.push(group)
      cells.bucketOf.push(piece)
    }
    texts.push([text, Number(found)])
  }
  return cells
}

type StateMaker = (cells: Cells, unwrapping: Unwrapping) => unknown

/** As the accumulators of `query/series` have it. */
const stateMakers: Readonly<Partial<Record<SeriesCollectorRequest['operation'], StateMaker>>> = {
  rate: sumsOf,
  sum: sumsOf,
  sum_over_time: sumsOf,
  avg: sumsOf,
  avg_over_time: sumsOf,
  bytes_over_time: sumsOf,
  bytes_rate: sumsOf,
  stddev_over_time: variancesOf,
  stdvar_over_time: variancesOf,
  min: extremesOf('min'),
  min_over_time: extremesOf('min'),
  max: extremesOf('max'),
  max_over_time: extremesOf('max'),
  count_distinct: distinctOf,
}

/** The numbers of each cell, with their counts; how many records have none. */
function numbersOf({ texts }: Cells, { unwrapUnit, operation }: Unwrapping) {
  const read = numberReader(operation.startsWith('bytes_') ? undefined : unwrapUnit)
  let skippedCount = 0
  const ofCells = texts.map(ofCell =>
    ofCell.flatMap(([text, count]): [number, number][] => {
      const value = read(text)
      if (!Number.isNaN(value)) return [[value, count]]
      skippedCount += count
      return []
    }),
  )
  return { ofCells, skippedCount }
}

function sumsOf(cells: Cells, unwrapping: Unwrapping) {
  const { ofCells, skippedCount } = numbersOf(cells, unwrapping)
  const sums = new ExactSums(ofCells.length)
  for (const [cell, numbers] of ofCells.entries()) {
    for (const [value, count] of numbers) sums.addTimes(cell, value, count)
  }
  const counts = ofCells.map(numbers => numbers.reduce((sum, [, count]) => sum + count, 0))
  const plain = sums.toPlain(ofCells.length)
  return { sums: plain, counts: Float64Array.from(counts), skippedCount }
}

function variancesOf(cells: Cells, unwrapping: Unwrapping) {
  const { ofCells, skippedCount } = numbersOf(cells, unwrapping)
  const variances = new ExactVariances()
  variances.grow(ofCells.length)
  for (const [cell, numbers] of ofCells.entries()) {
    for (const [value, count] of numbers) variances.addTimes(cell, value, count)
  }
  return { variances: variances.toPlain(ofCells.length), skippedCount }
}

/** Largest values are kept as the smallest of the negated ones. */
function extremesOf(result: 'min' | 'max'): StateMaker {
  const sign = result === 'min' ? 1 : -1
  return (cells, unwrapping) => {
    const { ofCells, skippedCount } = numbersOf(cells, unwrapping)
    const values = Float64Array.from(ofCells, numbers =>
      numbers.reduce((least, [value]) => Math.min(least, sign * value), Number.POSITIVE_INFINITY),
    )
    return { values, skippedCount }
  }
}

/** The empty text is none. */
function distinctOf({ texts }: Cells) {
  const numbers = new Map<string, number>()
  const ofCells = texts.map(ofCell =>
    ofCell.flatMap(([text]) => {
      if (text === '') return []
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return [number]
    }),
  )
  const starts = new Uint32Array(ofCells.length + 1)
  for (const [cell, own] of ofCells.entries()) starts[cell + 1] = starts[cell]! + own.length
  return {
    texts: [...numbers.keys()],
    numbers: Uint32Array.from(ofCells.flat()),
    starts,
    hasRecords: Uint8Array.from(texts, ofCell => (ofCell.length > 0 ? 1 : 0)),
  }
}
