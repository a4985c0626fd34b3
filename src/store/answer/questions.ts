/** What may be asked of a store, but for what it streams: each question becomes queries. */
import { Groups } from '../../query/collect/groups.ts'
import { Histogram } from '../../query/collect/histogram.ts'
import type {
  HistogramRequest,
  HistogramResult,
  SelectRequest,
  SelectResult,
  Store,
} from '../store.ts'
import { seriesOf } from './aggregate-series.ts'
import { answerGroups, answerHistogram, answerRecord } from './answers.ts'
import { changesOf } from './changes.ts'
import { contextOf } from './context.ts'
import { facetsOf, fieldsOf, type RunQuery, valuesOf } from './explore.ts'
import { patternsOf } from './patterns.ts'
import { decodeCursor, encodeCursor } from './place-text.ts'
import type { QueryEngine } from './query-engine.ts'
import { traceOf } from './trace.ts'

/** Of a query that only counts. */
const noRecords = { limit: 0, order: 'asc', after: undefined } as const

/** The questions of `Store`, which says what each throws. */
export type QuestionsDoor = Pick<
  Store,
  | 'select'
  | 'histogram'
  | 'series'
  | 'facets'
  | 'fields'
  | 'values'
  | 'patterns'
  | 'changes'
  | 'context'
  | 'trace'
>

export class Questions implements QuestionsDoor {
  readonly select: QuestionsDoor['select']
  readonly histogram: QuestionsDoor['histogram']
  readonly series: QuestionsDoor['series']
  readonly facets: QuestionsDoor['facets']
  readonly fields: QuestionsDoor['fields']
  readonly values: QuestionsDoor['values']
  readonly patterns: QuestionsDoor['patterns']
  readonly changes: QuestionsDoor['changes']
  readonly context: QuestionsDoor['context']
  readonly trace: QuestionsDoor['trace']

  constructor(run: QueryEngine['run']) {
    const asked =
      <R, A>(answerOf: (request: R, run: RunQuery) => Promise<A>) =>
      (request: R, signal: AbortSignal): Promise<A> =>
        answerOf(request, (query, newCollector) => run(query, newCollector, signal))
    this.select = asked(selectOf)
    this.histogram = asked(histogramOf)
    this.series = asked(seriesOf)
    this.facets = asked(facetsOf)
    this.fields = asked(fieldsOf)
    this.values = asked(valuesOf)
    this.patterns = asked(patternsOf)
    this.changes = asked(changesOf)
    this.context = asked(contextOf)
    this.trace = asked(traceOf)
  }
}

async function selectOf(request: SelectRequest, run: RunQuery): Promise<SelectResult> {
  const { selector, by = [], startTime, endTime, limit, order, isExplained } = request
  const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor, order)
  const query = {
    ...{ selector, startTime, endTime, limit, order, after },
    ...(isExplained && { isExplained }),
  }
  const newCollector = () => (by.length > 0 ? new Groups(by) : undefined)
  const { result, collector, stats } = await run(query, newCollector)
  const last = result.records.at(-1)
  return {
    count: result.count,
    records: result.records.map(answerRecord),
    nextCursor: result.hasMore && last ? encodeCursor(last, order) : undefined,
    groups: collector && answerGroups(by, collector.toPlain()),
    stats,
  }
}

async function histogramOf(request: HistogramRequest, run: RunQuery): Promise<HistogramResult> {
  const { selector, startTime, endTime, bucketMs } = request
  const query = { selector, startTime, endTime, ...noRecords }
  const { collector, stats } = await run(query, () => new Histogram(bucketMs))
  return { ...answerHistogram(request, collector.toPlain()), stats }
}
