/** What may be asked of a store, but for what it streams: each question becomes queries. */
import { Groups } from '../../query/collect/groups.ts'
import { Histogram } from '../../query/collect/histogram.ts'
import type {
  ContextRequest,
  ContextResult,
  FacetsRequest,
  FacetsResult,
  FieldsResult,
  HistogramRequest,
  HistogramResult,
  RecordsRequest,
  SelectRequest,
  SelectResult,
  SeriesRequest,
  SeriesResult,
  Store,
  TraceRequest,
  TraceResult,
  ValuesRequest,
  ValuesResult,
} from '../store.ts'
import { seriesOf } from './aggregate-series.ts'
import { answerGroups, answerHistogram, answerRecord } from './answers.ts'
import { changesOf } from './changes.ts'
import { contextOf } from './context.ts'
import { facetsOf, fieldsOf, type RunQuery, valuesOf } from './explore.ts'
import type {
  ChangesRequest,
  ChangesResult,
  PatternsRequest,
  PatternsResult,
} from './pattern-answers.ts'
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
  readonly #run: QueryEngine['run']

  constructor(run: QueryEngine['run']) {
    this.#run = run
  }

  async select(request: SelectRequest, signal: AbortSignal): Promise<SelectResult> {
    const { selector, by = [], startTime, endTime, limit, order, isExplained } = request
    const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor, order)
    const query = {
      ...{ selector, startTime, endTime, limit, order, after },
      ...(isExplained && { isExplained }),
    }
    const newCollector = () => (by.length > 0 ? new Groups(by) : undefined)
    const { result, collector, stats } = await this.#run(query, newCollector, signal)
    const last = result.records.at(-1)
    return {
      count: result.count,
      records: result.records.map(answerRecord),
      nextCursor: result.hasMore && last ? encodeCursor(last, order) : undefined,
      groups: collector && answerGroups(by, collector.toPlain()),
      stats,
    }
  }

  async histogram(request: HistogramRequest, signal: AbortSignal): Promise<HistogramResult> {
    const { selector, startTime, endTime, bucketMs } = request
    const query = { selector, startTime, endTime, ...noRecords }
    const { collector, stats } = await this.#run(query, () => new Histogram(bucketMs), signal)
    return { ...answerHistogram(request, collector.toPlain()), stats }
  }

  series(request: SeriesRequest, signal: AbortSignal): Promise<SeriesResult> {
    return seriesOf(request, this.#runUntil(signal))
  }

  facets(request: FacetsRequest, signal: AbortSignal): Promise<FacetsResult> {
    return facetsOf(request, this.#runUntil(signal))
  }

  fields(request: RecordsRequest, signal: AbortSignal): Promise<FieldsResult> {
    return fieldsOf(request, this.#runUntil(signal))
  }

  values(request: ValuesRequest, signal: AbortSignal): Promise<ValuesResult> {
    return valuesOf(request, this.#runUntil(signal))
  }

  patterns(request: PatternsRequest, signal: AbortSignal): Promise<PatternsResult> {
    return patternsOf(request, this.#runUntil(signal))
  }

  changes(request: ChangesRequest, signal: AbortSignal): Promise<ChangesResult> {
    return changesOf(request, this.#runUntil(signal))
  }

  context(request: ContextRequest, signal: AbortSignal): Promise<ContextResult> {
    return contextOf(request, this.#runUntil(signal))
  }

  trace(request: TraceRequest, signal: AbortSignal): Promise<TraceResult> {
    return traceOf(request, this.#runUntil(signal))
  }

  #runUntil(signal: AbortSignal): RunQuery {
    return (query, newCollector) => this.#run(query, newCollector, signal)
  }
}
