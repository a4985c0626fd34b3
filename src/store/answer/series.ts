/** The series of one aggregate, over the records that it is about. */
import type { Aggregate, RangeAggregate } from '../../language/ast.ts'
import { ProblemError } from '../../problems.ts'
import { piecesOf } from '../../query/series/pieces.ts'
import { SeriesTally, type SeriesTallyRequest } from '../../query/series/series.ts'
import { labelSetName } from '../../query/stages/staged-columns.ts'
import { seriesLabels } from '../../record.ts'
import type { SeriesRequest, SeriesResult } from '../store.ts'
import type { RunQuery } from './explore.ts'

/** Throws ProblemError `query_too_large`, or what running the query throws. */
export async function seriesOf(request: SeriesRequest, run: RunQuery): Promise<SeriesResult> {
  const { aggregate, stepMs, pointCount } = request
  const origin = request.origin - aggregate.offsetMs
  const asked: SeriesTallyRequest = {
    kind: 'series',
    ...askedOf(aggregate),
    origin,
    stepMs,
    pointCount,
  }
  checkSize(new SeriesTally(asked)) // Points may be too many before there is any series.
  const startTime = piecesOf(asked, asked.rangeMs).origin
  const endTime = origin + stepMs * pointCount - 1
  const records = { selector: aggregate.selector, startTime, endTime }
  const query = { ...records, limit: 0, order: 'asc', after: undefined } as const
  const { tally, stats } = await run(query, () => new SeriesTally(asked))
  checkSize(tally) // Nothing was scanned, perhaps, and the index alone made it too large.
  return { series: tally.toSeries(), skipped: tally.skippedCount, stats }
}

function askedOf(
  aggregate: Aggregate | RangeAggregate,
): Pick<SeriesTallyRequest, 'operation' | 'by' | 'unwrap' | 'quantile' | 'rangeMs'> {
  const { operation } = aggregate
  if (aggregate.kind === 'range') {
    const { unwrap, quantile, rangeMs } = aggregate
    return { operation, by: labelsOf(aggregate), unwrap, quantile, rangeMs }
  }
  const { by, unwrap, quantile } = aggregate
  return { operation, by, unwrap, quantile }
}

/** What records are grouped by. Stages may make labels of which only the records tell. */
function labelsOf({ grouping, selector, unwrap }: RangeAggregate): readonly string[] {
  if (grouping?.mode === 'by') return grouping.labels
  // Series that differ only in the values that are taken would be of one value each.
  const without = [...(grouping?.labels ?? []), ...(unwrap === undefined ? [] : [unwrap])]
  if (selector.stages !== undefined) return [labelSetName(without)]
  return seriesLabels.filter(label => !without.includes(label))
}

function checkSize({ refusal }: SeriesTally): void {
  if (refusal !== undefined) throw new ProblemError('query_too_large', refusal, { field: 'query' })
}
