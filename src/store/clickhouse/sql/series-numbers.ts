/**
 * What is made of the numbers of a label where each of them counts, or where the order of records does:
 * quantiles, the first and the last value, the growth of a counter. ClickHouse reads the numbers, durations
 * and sizes, as JavaScript does (`quantity.ts`), and tells them as they are in memory: a million of them is
 * 16 MB, and no text is made of any.
 */
import { freeMemory } from '../../../columns/growing-array.ts'
import type { UnwrapUnit } from '../../../language/ast.ts'
import { limits } from '../../../limits.ts'
import type { NumbersRequest } from '../../../query/collect/numbers.ts'
import { piecesOf } from '../../../query/series/pieces.ts'
import type { PlainSamples } from '../../../query/series/samples.ts'
import type { PlainSeries, SeriesCollectorRequest } from '../../../query/series/series-collector.ts'
import { BinaryAnswer } from './binary-answer.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { asManyAsFit } from './groups.ts'
import type { LabelTexts } from './label.ts'
import { numberIn, quantityIn } from './quantity.ts'
import { pieceOf } from './series.ts'
import { whole } from './whole.ts'

/** Bytes of a text that may be a number, as in `columns/decimal.ts`. */
const numberBytesMax = 1_024

/** A group: of each of its pieces how many records have no number, and what is asked of the numbers. */
interface Row {
  readonly values: string[]
  readonly pieces: Float64Array
  readonly skipped: Float64Array
  readonly samples: readonly Float64Array<ArrayBuffer>[]
}

/** What is asked of the numbers of a cell. */
interface Form {
  /** Selects `cells`, for each of them its `piece`, `skipped` and `samples`: tuples of numbers. */
  readonly cells: (parts: CellParts) => string
  /** Numbers in a tuple. */
  readonly width: number
  /** Rows of which `cells` makes those of a cell; of more than `max` of all, records are fetched. */
  readonly rowCount: (sampleCount: number, skippedCount: number) => number
  readonly max: number
  /** As the accumulators of `query/series` have it. */
  readonly statesOf: (cells: readonly Float64Array<ArrayBuffer>[], skippedCount: number) => unknown
}

interface CellParts {
  readonly from: string
  /** The labels of a group, each under a name, and these names. */
  readonly labels: string
  readonly names: string
  readonly piece: string
  readonly number: string
}

const skipped = 'toFloat64(countIf(isNaN(number))) AS skipped'

/** Distinct numbers with their counts, ascending. */
const counted: Form = {
  cells: ({ from, labels, names, piece, number }) => `SELECT ${names}, piece,
    toFloat64(sumIf(found, isNaN(number))) AS skipped,
    arraySort(groupArrayIf((number, toFloat64(found)), NOT isNaN(number))) AS samples
    FROM (SELECT ${labels}, ${piece} AS piece, ${number} AS number, count() AS found
      FROM ${from} GROUP BY ${names}, piece, number LIMIT ${whole(limits.quantileValuesMax + 1)})
    GROUP BY ${names}, piece`,
  width: 2,
  rowCount: (sampleCount, skippedCount) => sampleCount + Math.min(skippedCount, 1),
  max: limits.quantileValuesMax,
  statesOf: countedSamples,
}

/** The number nearest to an end, and its place. */
function end(choose: 'argMinIf' | 'argMaxIf'): Form {
  const sample = '(number, toFloat64(Time), toFloat64(Sequence))'
  const chosen = `${choose}(${sample}, (Time, Sequence), NOT isNaN(number))`
  return {
    cells: ({ from, labels, names, piece, number }) => `SELECT ${names}, piece, ${skipped},
      if(countIf(NOT isNaN(number)) = 0, [], [${chosen}]) AS samples
      FROM (SELECT ${labels}, ${piece} AS piece, ${number} AS number, Time, Sequence FROM ${from})
      GROUP BY ${names}, piece LIMIT ${whole(limits.queryPointsMax + 1)}`,
    width: 3,
    rowCount: () => 1,
    max: limits.queryPointsMax,
    statesOf: endsOf,
  }
}

/** All numbers, and their places. */
const placed: Form = {
  cells: ({ from, labels, names, piece, number }) => `SELECT ${names}, piece, ${skipped},
    groupArrayIf((toFloat64(Time), toFloat64(Sequence), number), NOT isNaN(number)) AS samples
    FROM (SELECT ${labels}, ${piece} AS piece, ${number} AS number, Time, Sequence
      FROM ${from} LIMIT ${whole(limits.counterValuesMax + 1)})
    GROUP BY ${names}, piece`,
  width: 3,
  rowCount: (sampleCount, skippedCount) => sampleCount + skippedCount,
  max: limits.counterValuesMax,
  statesOf: placedSamples,
}

const forms: Readonly<Partial<Record<SeriesCollectorRequest['operation'], Form>>> = {
  quantile: counted,
  quantile_over_time: counted,
  first_over_time: end('argMinIf'),
  last_over_time: end('argMaxIf'),
  rate_counter: placed,
}

/** Undefined for what is asked otherwise. */
export function seriesNumbersQuestion(
  request: SeriesCollectorRequest,
  texts: LabelTexts,
): CollectedQuestion | undefined {
  const { operation, by, unwrap = '', unwrapUnit } = request
  const form = forms[operation]
  if (form === undefined) return undefined
  const piece = pieceOf(piecesOf(request, request.rangeMs))
  const question = { by, label: unwrap, unit: unwrapUnit, texts, piece, form }
  return numbersAsked(question, (rows, skippedCount): PlainSeries => {
    const cells = {
      groups: rows.map(({ values }) => values),
      groupOf: Uint32Array.from([0, ...rows.flatMap(({ pieces }, i) => [...pieces].map(() => i))]),
      bucketOf: Uint32Array.from([0, ...rows.flatMap(({ pieces }) => [...pieces])]),
    }
    const samples = [new Float64Array(0), ...rows.flatMap(row => row.samples)]
    return { cells, states: form.statesOf(samples, skippedCount) }
  })
}

export function numbersQuestion(
  { label, unit }: NumbersRequest,
  texts: LabelTexts,
): CollectedQuestion {
  const question = { by: [], label, unit, texts, piece: '0', form: counted }
  return numbersAsked(question, ([row], skippedCount): PlainSamples => {
    const none = new Float64Array(0)
    return countedSamples([none, row?.samples[0] ?? none], skippedCount)
  })
}

interface Asked {
  readonly by: readonly string[]
  readonly label: string
  readonly unit: UnwrapUnit | undefined
  readonly texts: LabelTexts
  readonly piece: string
  readonly form: Form
}

function numbersAsked(
  { by, label, unit, texts, piece, form }: Asked,
  plainOf: (rows: readonly Row[], skippedCount: number) => unknown,
): CollectedQuestion {
  const bound = new Bound('q')
  const names = by.map((_, i) => `label${i}`)
  const labels = by.map((one, i) => `${texts(one, bound)} AS ${names[i]}`)
  const parts = {
    labels: labels.join(', ') || `'' AS label`,
    names: names.join(', ') || 'label',
    piece,
    number: numberOf(texts(label, bound), unit),
  }
  const values = by.length === 0 ? 'emptyArrayString()' : `[${names.map(asText).join(', ')}]`
  const groups = (from: string) => `SELECT ${values} AS values,
    groupArray(toFloat64(piece)) AS pieces, groupArray(skipped) AS skippedCounts,
    groupArray(samples) AS allSamples
    FROM (${form.cells({ ...parts, from })}) GROUP BY ${parts.names}`
  return {
    statement: from => asManyAsFit(groups(from), limits.querySeriesMax),
    params: bound.params,
    rowsOf: pieces => rowsOf(pieces, form.width),
    plainOf(answer) {
      const rows = answer as readonly Row[]
      const skippedCount = rows.reduce((sum, row) => sum + sumOf(row.skipped), 0)
      const rowCount = rows.reduce((sum, row) => sum + rowCountOf(row, form), 0)
      return rowCount > form.max ? undefined : plainOf(rows, skippedCount)
    },
  }
}

/** As `query/series/label-numbers.ts` has it: never -0, and NaN of a text that writes none. */
function numberOf(text: string, unit: UnwrapUnit | undefined): string {
  if (unit === undefined) {
    const number = `if(length(${text}) <= ${numberBytesMax}, ifNull(${numberIn(text)}, nan), nan)`
    return `if(isFinite(${number}), ${number} + 0, nan)`
  }
  const { isWritten, value } = quantityIn(text, unit)
  return `if(${isWritten}, ${value} / ${unit === 'duration' ? '1e9' : '1'} + 0, nan)`
}

const asText = (name: string) => `toString(${name})`

function rowsOf(pieces: readonly Buffer<ArrayBuffer>[], width: number): Row[] {
  const answer = new BinaryAnswer(pieces)
  const rows: Row[] = []
  while (answer.hasMore) {
    rows.push({
      values: answer.texts(),
      pieces: answer.numbers(),
      skipped: answer.numbers(),
      samples: answer.array(() => answer.numbers(width)),
    })
  }
  return rows
}

const sumOf = (numbers: Float64Array) => numbers.reduce((sum, one) => sum + one, 0)

function rowCountOf({ samples, skipped: counts }: Row, { rowCount, width }: Form): number {
  return samples.reduce((sum, { length }, i) => sum + rowCount(length / width, counts[i]!), 0)
}

/** The memory of `cells` is given back on the way. */
function countedSamples(
  cells: readonly Float64Array<ArrayBuffer>[],
  skippedCount: number,
): PlainSamples {
  const starts = startsOf(cells, 2)
  const values = new Float64Array(starts.at(-1)!)
  const counts = new Uint32Array(starts.at(-1)!)
  let at = 0
  for (const samples of cells) {
    for (let i = 0; i < samples.length; i += 2) {
      values[at] = samples[i]!
      counts[at++] = samples[i + 1]!
    }
    freeMemory(samples)
  }
  return { values, counts, starts, tables: [], skippedCount }
}

function endsOf(cells: readonly Float64Array[], skippedCount: number) {
  const at = (place: number) => Float64Array.from(cells, one => one[place] ?? Number.NaN)
  return { values: at(0), times: at(1), sequences: at(2), skippedCount }
}

function placedSamples(cells: readonly Float64Array[], skippedCount: number) {
  const starts = startsOf(cells, 3)
  const numbers = new Float64Array(3 * starts.at(-1)!)
  for (const [i, samples] of cells.entries()) numbers.set(samples, 3 * starts[i]!)
  return { numbers, starts, skippedCount }
}

function startsOf(cells: readonly Float64Array[], width: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(cells.length + 1)
  for (const [i, { length }] of cells.entries()) starts[i + 1] = starts[i]! + length / width
  return starts
}
