/** Operations over log records: query, histogram, facets, fields, values, context, export. */

import type { Variables } from '../../language/variables.ts'
import type {
  AnswerGroup,
  AnswerRecord,
  ContextRequest,
  ContextResult,
  FacetsResult,
  FieldsResult,
  HistogramResult,
  SelectStats,
  TraceResult,
  ValuesResult,
} from '../../store/store.ts'
import { call, callForResponse } from './client.ts'

export type * from '../../store/answer/schemas.ts'

/** Which records: both times inclusive, ms since 1970. */
export interface RecordsAsked {
  readonly query: string
  readonly startTime: number
  readonly endTime: number
  readonly variables?: Variables
  readonly timeoutMs?: number
}

export interface LogsAsked extends RecordsAsked {
  /** 1 to 1000; 100 when absent. */
  readonly limit?: number
  readonly order?: 'asc' | 'desc'
  readonly cursor?: string
}

export interface LogsAnswer {
  /** Of all that match, whatever `limit` was. */
  readonly count: number
  readonly logs: readonly AnswerRecord[]
  readonly nextCursor?: string
  readonly groups?: readonly AnswerGroup[]
  readonly stats: SelectStats
}

export function queryLogs(asked: LogsAsked, signal?: AbortSignal): Promise<LogsAnswer> {
  return call('POST', '/api/v1/query/logs', { body: asked, signal })
}

/** `bucketMs` absent: about 60 buckets of a round width. */
export function queryHistogram(
  asked: RecordsAsked & { readonly bucketMs?: number },
  signal?: AbortSignal,
): Promise<HistogramResult> {
  return call('POST', '/api/v1/query/logs/histogram', { body: asked, signal })
}

/** `fields` absent: those that matter most under this query. */
export function queryFacets(
  asked: RecordsAsked & {
    readonly fields?: readonly string[]
    readonly limit?: number
    readonly numeric?: boolean
  },
  signal?: AbortSignal,
): Promise<FacetsResult> {
  return call('POST', '/api/v1/query/logs/facets', { body: asked, signal })
}

export function queryFields(asked: RecordsAsked, signal?: AbortSignal): Promise<FieldsResult> {
  return call('POST', '/api/v1/query/logs/fields', { body: asked, signal })
}

export function queryValues(
  asked: RecordsAsked & {
    readonly field: string
    readonly prefix?: string
    readonly limit?: number
  },
  signal?: AbortSignal,
): Promise<ValuesResult> {
  return call('POST', '/api/v1/query/logs/values', { body: asked, signal })
}

/** The records of the same stream around one, by its `id`. */
export function queryContext(
  asked: Pick<ContextRequest, 'id'> & Partial<ContextRequest>,
  signal?: AbortSignal,
): Promise<ContextResult> {
  return call('POST', '/api/v1/query/logs/context', { body: asked, signal })
}

/** All records of a trace in order of time: the first thousand, and by the cursor the next. */
export function queryTrace(
  asked: { readonly traceId: string; readonly cursor?: string },
  signal?: AbortSignal,
): Promise<TraceResult> {
  return call('POST', '/api/v1/query/logs/trace', { body: asked, signal })
}

export type ExportFormat = 'application/x-ndjson' | 'text/csv'

/** The whole result in time order, as it comes. */
export function exportLogs(
  asked: RecordsAsked,
  format: ExportFormat,
  signal?: AbortSignal,
): Promise<Response> {
  return callForResponse('POST', '/api/v1/query/logs/export', {
    body: asked,
    accept: format,
    signal,
  })
}
