/** Operations over log records: query, histogram, facets, fields, values, context, export. */

import type { Variables } from '../../language/variables.ts'
import type { TimeRange } from '../../record.ts'
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
export interface RecordsAsked extends TimeRange {
  readonly query: string
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

/** Of an operation, whose path ends so, over records: what asks it. */
export function asking<Asked, Answer>(ending: string) {
  return (asked: Asked, signal?: AbortSignal): Promise<Answer> =>
    call('POST', `/api/v1/query/logs${ending}`, { body: asked, signal })
}

export const queryLogs = asking<LogsAsked, LogsAnswer>('')

/** `bucketMs` absent: about 60 buckets of a round width. */
export const queryHistogram = asking<
  RecordsAsked & { readonly bucketMs?: number },
  HistogramResult
>('/histogram')

/** `fields` absent: those that matter most under this query. */
export const queryFacets = asking<
  RecordsAsked & {
    readonly fields?: readonly string[]
    readonly limit?: number
    readonly numeric?: boolean
  },
  FacetsResult
>('/facets')

export const queryFields = asking<RecordsAsked, FieldsResult>('/fields')

export const queryValues = asking<
  RecordsAsked & { readonly field: string; readonly prefix?: string; readonly limit?: number },
  ValuesResult
>('/values')

/** The records of the same stream around one, by its `id`. */
export const queryContext = asking<
  Pick<ContextRequest, 'id'> & Partial<ContextRequest>,
  ContextResult
>('/context')

/** All records of a trace in order of time: the first thousand, and by the cursor the next. */
export const queryTrace = asking<
  { readonly traceId: string; readonly cursor?: string },
  TraceResult
>('/trace')

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
