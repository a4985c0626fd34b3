/** Counts of records per group and bucket of time; what is made of values is in `series-values.ts` and
 *  `series-numbers.ts`. */
import { limits } from '../../../limits.ts'
import type { Pieces } from '../../../query/series/pieces.ts'
import { piecesOf } from '../../../query/series/pieces.ts'
import type { PlainSeries, SeriesCollectorRequest } from '../../../query/series/series-collector.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { asManyAsFit, valuesOf } from './groups.ts'
import type { LabelTexts } from './label.ts'
import { seriesNumbersQuestion } from './series-numbers.ts'
import { seriesValuesQuestion } from './series-values.ts'
import { whole } from './whole.ts'

interface Row {
  readonly values: string[]
  readonly pieces: readonly number[]
  readonly counts: readonly (number | string)[]
}

export function seriesQuestion(
  request: SeriesCollectorRequest,
  texts: LabelTexts,
): CollectedQuestion | undefined {
  if (!countsRecords(request)) {
    return seriesNumbersQuestion(request, texts) ?? seriesValuesQuestion(request, texts)
  }
  const bound = new Bound('q')
  const values = valuesOf(request.by, bound, texts)
  const piece = pieceOf(piecesOf(request, request.rangeMs))
  const cells = (from: string) => `SELECT ${values} AS values, ${piece} AS piece, count() AS found
    FROM ${from} GROUP BY values, piece LIMIT ${whole(limits.queryPointsMax + 1)}`
  const groups = (from: string) => `SELECT values, groupArray(piece) AS pieces,
    groupArray(found) AS counts FROM (${cells(from)}) GROUP BY values`
  return {
    statement: from => asManyAsFit(groups(from), limits.querySeriesMax),
    params: bound.params,
    plainOf: rows => plainOf(rows as Row[]),
  }
}

function countsRecords({ operation, unwrap }: SeriesCollectorRequest): boolean {
  if (operation === 'count' || operation === 'count_over_time') return true
  return operation === 'rate' && unwrap === undefined
}

/** As `pieceAt` has it, of a record's time. */
export function pieceOf({ origin, stepMs, firstMs, perPoint }: Pieces): string {
  const distance = `(Time - ${whole(origin)})`
  const step = `floor(${distance} / ${whole(stepMs)})`
  if (perPoint === 1) return step
  return `2 * ${step} + (${distance} - ${step} * ${whole(stepMs)} >= ${whole(firstMs)})`
}

function plainOf(rows: readonly Row[]): PlainSeries {
  const groupOf = [0]
  const bucketOf = [0]
  const counts = [0]
  for (const [group, row] of rows.entries()) {
    for (const [i, piece] of row.pieces.entries()) {
      groupOf.push(group)
      bucketOf.push(piece)
      counts.push(Number(row.counts[i]))
    }
  }
  return {
    cells: {
      groups: rows.map(({ values }) => values),
      groupOf: Uint32Array.from(groupOf),
      bucketOf: Uint32Array.from(bucketOf),
    },
    states: Float64Array.from(counts),
  }
}
