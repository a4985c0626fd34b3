/** The series of one aggregate, over the records that it is about. */
import type { Aggregate, RangeAggregate, Selector } from '../../language/ast.ts'
import { ProblemError } from '../../problems.ts'
import type { Labels, Series } from '../../query/evaluate/vector.ts'
import { piecesOf } from '../../query/series/pieces.ts'
import {
  SeriesCollector,
  type SeriesCollectorRequest,
} from '../../query/series/series-collector.ts'
import { labelSetName } from '../../query/stages/staged-columns.ts'
import { seriesLabels } from '../../record.ts'
import type { SeriesRequest, SeriesResult } from '../store.ts'
import type { RunQuery } from './explore.ts'

/** Throws ProblemError `query_too_large`, or what running the query throws. */
export async function seriesOf(request: SeriesRequest, run: RunQuery): Promise<SeriesResult> {
  const { aggregate, stepMs, pointCount, order = 'asc', isExplained = false } = request
  const origin = request.origin - aggregate.offsetMs
  const asked: SeriesCollectorRequest = {
    kind: 'series',
    ...askedOf(aggregate, request.windowMs),
    origin,
    stepMs,
    pointCount,
  }
  checkSize(new SeriesCollector(asked)) // Points may be too many before there is any series.
  const startTime = piecesOf(asked, asked.rangeMs).origin
  const endTime = origin + stepMs * pointCount - 1
  const records = { selector: aggregate.selector, startTime, endTime }
  const query = {
    ...records,
    limit: 0,
    order,
    after: undefined,
    ...(isExplained && { isExplained }),
  } as const
  const { collector, stats } = await run(query, () => new SeriesCollector(asked))
  checkSize(collector) // Nothing was scanned, perhaps, and the index alone made it too large.
  const found = collector.toSeries()
  collector.release()
  const series =
    aggregate.operation === 'absent_over_time'
      ? absenceOf(found, aggregate.selector, pointCount)
      : isNothingZero(request)
        ? [withZeros(found, pointCount)]
        : found
  return { series, skipped: collector.skippedCount, stats }
}

/** Whether a window without records has a value all the same: the number of all that there are is 0. */
function isNothingZero({ aggregate, windowMs }: SeriesRequest): boolean {
  const counts: readonly string[] = ['count', 'rate', 'count_distinct']
  const isWhole = aggregate.kind === 'aggregate' && aggregate.by.length === 0
  return windowMs !== undefined && isWhole && counts.includes(aggregate.operation)
}

function withZeros([only]: readonly Series[], pointCount: number): Series {
  const labels = only?.labels ?? Object.create(null)
  return { labels, points: Array.from({ length: pointCount }, (_, i) => only?.points[i] ?? 0) }
}

function askedOf(
  aggregate: Aggregate | RangeAggregate,
  windowMs: number | undefined,
): Pick<
  SeriesCollectorRequest,
  'operation' | 'by' | 'unwrap' | 'unwrapUnit' | 'quantile' | 'rangeMs'
> {
  const unit = aggregate.unwrapUnit && { unwrapUnit: aggregate.unwrapUnit }
  if (aggregate.kind === 'range') {
    const { unwrap, quantile, rangeMs } = aggregate
    const shared = { unwrap, quantile, rangeMs, ...unit }
    if (aggregate.operation !== 'absent_over_time') {
      return { operation: aggregate.operation, by: labelsOf(aggregate), ...shared }
    }
    const presence = unwrap === undefined ? 'count_over_time' : 'last_over_time'
    return { operation: presence, by: [], ...shared }
  }
  const { operation, by, unwrap, quantile } = aggregate
  const range = windowMs === undefined ? {} : { rangeMs: windowMs }
  return { operation, by, unwrap, quantile, ...unit, ...range }
}

/** What records are grouped by. Stages may make labels that are known from the records only. */
function labelsOf({ grouping, selector, unwrap }: RangeAggregate): readonly string[] {
  if (grouping?.mode === 'by') return grouping.labels
  // Series that differ only in the values that are taken would be of one value each.
  const without = [...(grouping?.labels ?? []), ...(unwrap === undefined ? [] : [unwrap])]
  if (selector.stages !== undefined) return [labelSetName(without)]
  return seriesLabels.filter(label => !without.includes(label))
}

/** 1 where there is nothing in a range, under the labels that the selector says with `=`. */
function absenceOf(present: readonly Series[], selector: Selector, pointCount: number): Series[] {
  const points = Array.from({ length: pointCount }, (_, i) =>
    present.some(series => series.points[i] !== undefined) ? undefined : 1,
  )
  if (!points.includes(1)) return []
  return [{ labels: saidLabels(selector), points }]
}

/** As in LogQL: of a label that more than one matcher is about, nothing is said. */
function saidLabels({ matchers, alternatives }: Selector): Labels {
  const labels: Record<string, string> = Object.create(null)
  if (alternatives !== undefined) return labels
  for (const matcher of matchers) {
    const { label, operator } = matcher
    const isAlone = matchers.every(other => other === matcher || other.label !== label)
    if (operator === '=' && isAlone) labels[label] = matcher.value
  }
  return labels
}

function checkSize({ refusal }: SeriesCollector): void {
  if (refusal !== undefined) throw new ProblemError('query_too_large', refusal, { field: 'query' })
}
