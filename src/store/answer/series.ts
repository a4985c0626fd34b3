/** The series of one aggregate, over the records that it is about. */
import { ProblemError } from '../../problems.ts'
import { SeriesTally, type SeriesTallyRequest } from '../../query/series/series.ts'
import type { SeriesRequest, SeriesResult } from '../store.ts'
import type { RunQuery } from './explore.ts'

/** Throws ProblemError `query_too_large`, or what running the query throws. */
export async function seriesOf(request: SeriesRequest, run: RunQuery): Promise<SeriesResult> {
  const { aggregate, stepMs, pointCount } = request
  const { operation, by, unwrap, quantile } = aggregate
  const origin = request.origin - aggregate.offsetMs
  const asked: SeriesTallyRequest = {
    kind: 'series',
    operation,
    by,
    unwrap,
    quantile,
    origin,
    stepMs,
    pointCount,
  }
  checkSize(new SeriesTally(asked)) // Points may be too many before there is any series.
  const endTime = origin + stepMs * pointCount - 1
  const records = { selector: aggregate.selector, startTime: origin, endTime }
  const query = { ...records, limit: 0, order: 'asc', after: undefined } as const
  const { tally, stats } = await run(query, () => new SeriesTally(asked))
  checkSize(tally) // Nothing was scanned, perhaps, and the index alone made it too large.
  return { series: tally.toSeries(), skipped: tally.skippedCount, stats }
}

function checkSize({ refusal }: SeriesTally): void {
  if (refusal !== undefined) throw new ProblemError('query_too_large', refusal, { field: 'query' })
}
