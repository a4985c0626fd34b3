/**
 * The only door to storage. What is behind it may change (DESIGN: a second implementation on
 * another machine); what it promises may not: an append that resolves is durable and in the very next
 * answer, counts are exact, order is by timestamp and then by arrival.
 */
import type { BatchWriter, EncodedBatch } from '../journal/batch-writer.ts'
import type { OnWritten } from '../journal/large-appends.ts'
import type { RequestReceipt } from '../journal/receipts.ts'
import type { Aggregate, RangeAggregate, Selector } from '../language/ast.ts'
import type { Series } from '../query/evaluate/vector.ts'
import type { ExportFormat } from '../query/export/task.ts'
import type { SeriesBuckets } from '../query/series/cells.ts'
import type { Order } from '../query/top-k.ts'
import type { LogRecord, Stream, TimeRange, Timestamp } from '../record.ts'
import type {
  ChangesRequest,
  ChangesResult,
  PatternsRequest,
  PatternsResult,
} from './answer/pattern-answers.ts'
import type {
  AnswerGroup,
  AnswerRecord,
  ContextResult,
  FacetsResult,
  FieldsResult,
  HistogramResult,
  SelectStats,
  TraceResult,
  ValuesResult,
} from './answer/schemas.ts'
import type { FindingCounts } from './maintain/findings.ts'
import type { RetentionBounds } from './maintain/retention.ts'
import type { ScrubStats } from './maintain/scrub.ts'
import type { Receipts } from './receipts/receipts.ts'
import type { TailForm } from './tail/text.ts'

export type * from './answer/schemas.ts'

export interface Store {
  /** Appends one record. Throws or rejects with a ProblemError that says what to do. `receipt`: under which
   *  key it was sent, to be as durable as the record. */
  append(record: LogRecord, stream: Stream, receipt?: RequestReceipt): Promise<void>
  /** Appends the few records that `add`, called at once, adds to a batch, all or none. */
  appendWith(add: (writer: BatchWriter) => void, receipt?: RequestReceipt): Promise<void>
  /** Appends batches encoded elsewhere (see `ingest/`), all or nothing; at least one. Of many, each is
   *  given to `onWritten` as soon as its payload is not read any more. */
  appendBatches(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void>
  /** Under which keys events were stored. */
  readonly receipts: Receipts
  /** Throws what an append would throw now: too much waits for the disk, or the disk has failed. */
  checkRoom(): void
  /**
   * Answers a query. Throws the signal's reason when it is aborted, or ProblemError
   * `query_regex`, `query_too_large` (too many groups), `cursor_invalid`.
   */
  select(request: SelectRequest, signal: AbortSignal): Promise<SelectResult>
  /** Counts per bucket of time and level. Throws as `select` does. */
  histogram(request: HistogramRequest, signal: AbortSignal): Promise<HistogramResult>
  /**
   * One aggregate's series over time. Throws as `select` does, and `query_too_large` for too many
   * series, points or distinct values.
   */
  series(request: SeriesRequest, signal: AbortSignal): Promise<SeriesResult>
  /** Top values of several fields, with counts. Throws as `select` does. */
  facets(request: FacetsRequest, signal: AbortSignal): Promise<FacetsResult>
  /** The names of all fields, with counts. Throws as `select` does. */
  fields(request: RecordsRequest, signal: AbortSignal): Promise<FieldsResult>
  /** Top values of a field that begin with a text. Throws as `select` does. */
  values(request: ValuesRequest, signal: AbortSignal): Promise<ValuesResult>
  /** Which kinds of messages there are, and how many of each. Throws as `select` does. */
  patterns(request: PatternsRequest, signal: AbortSignal): Promise<PatternsResult>
  /** What is special about the records of a time: patterns and values of fields. Throws as `select` does. */
  changes(request: ChangesRequest, signal: AbortSignal): Promise<ChangesResult>
  /**
   * The records around one. Throws the signal's reason, or ProblemError `field_invalid` for what is
   * no id, `record_unknown`.
   */
  context(request: ContextRequest, signal: AbortSignal): Promise<ContextResult>
  /**
   * The records of one trace. Throws as `context` does, and ProblemError `trace_unknown` when the record
   * that it is asked by belongs to none, `cursor_invalid`.
   */
  trace(request: TraceRequest, signal: AbortSignal): Promise<TraceResult>
  /**
   * Follows the records that match, in the order in which they arrive: first those that are there
   * already, as `start` says, then each new one soon after it was acknowledged; none twice and none
   * left out without a word. Resolves when the first of them are found; `signal` ends only that.
   * Throws as `select` does, or ProblemError `tails_too_many`, `field_invalid` (`Last-Event-ID`).
   */
  tail(request: TailRequest, signal: AbortSignal): Promise<Tail>
  /**
   * Every record that matches, in order, as text in UTF-8: the view is that of the first `next()`,
   * and memory does not grow with the answer. A chunk is valid until the next is asked for. Throws
   * as `select` does, ProblemError `data_damaged` when a part cannot be read, the signal's reason;
   * `return()` ends the work.
   */
  exportText(request: ExportRequest, signal: AbortSignal): AsyncIterable<Uint8Array>
  stats(): StoreStats
  /** What bounds of retention would delete now. */
  wouldDelete(bounds: RetentionBounds): Promise<Deletion>
  /** The bounds have changed: what they do not allow goes now. */
  retentionChanged(): void
  /**
   * Puts everything acknowledged before the call into a directory, so that a store that opens on it
   * has just that (and perhaps some of what came meanwhile), each record once. For a snapshot: the files
   * may be the store's own, under another name. Rejects when the disk is full or failed.
   */
  linkInto(directory: string): Promise<void>
  /** Refuses further appends, makes everything durable and releases the directory. */
  close(): Promise<void>
}

/** Which records a request is about. */
export interface RecordsRequest extends TimeRange {
  readonly selector: Selector
}

export interface SelectRequest extends RecordsRequest {
  /** Labels to group by; absent or empty for no groups. */
  readonly by?: readonly string[]
  readonly limit: number
  readonly order: Order
  /** `nextCursor` of an earlier answer to the same query. */
  readonly cursor: string | undefined
  /** Whether no column is read: the stats say what would be, all else is not the answer. */
  readonly isExplained?: boolean
}

export interface SelectResult {
  /** All matching records, whatever the limit. */
  readonly count: number
  readonly records: readonly AnswerRecord[]
  readonly nextCursor: string | undefined
  /** Largest first; undefined when the query does not group. */
  readonly groups: readonly AnswerGroup[] | undefined
  readonly stats: SelectStats
}

export interface HistogramRequest extends RecordsRequest {
  /** Width of a bucket in ms; buckets are aligned to the epoch. */
  readonly bucketMs: number
}

/** The times of the points, one at least, before the aggregate's offset is taken off. */
export interface SeriesRequest extends SeriesBuckets {
  readonly aggregate: Aggregate | RangeAggregate
  /** How far back from the end of its bucket each point's records are taken, ms; absent: its own bucket.
   *  Groups without a record there have no point. An aggregate over a range has its own. */
  readonly windowMs?: number
  /** In which the records are that `distinct` leaves the first of; ascending when absent. */
  readonly order?: Order
  /** Whether no column is read: the stats say what would be, the series are not those. */
  readonly isExplained?: boolean
}

export interface SeriesResult {
  /** In order of their labels' values; none without a point. */
  readonly series: readonly Series[]
  /** Matching records whose value was no number, where an operation asks for numbers. */
  readonly skipped: number
  readonly stats: SelectStats
}

export interface FacetsRequest extends RecordsRequest {
  /** None twice; undefined for the most useful ones. */
  readonly fields: readonly string[] | undefined
  /** Values shown of each. */
  readonly limit: number
  /** Whether what the fields' values write as numbers is summed up, too. */
  readonly isNumeric?: boolean
}

export interface ValuesRequest extends RecordsRequest {
  readonly field: string
  /** In the same case as the values; empty for all values. Well-formed. */
  readonly prefix: string
  readonly limit: number
}

export interface ContextRequest {
  /** Of a record in an earlier answer. */
  readonly id: string
  /** How many records of the same stream are wanted on either side. */
  readonly before: number
  readonly after: number
}

export interface TraceRequest {
  /** The trace's id, or that of a record of it in an earlier answer. */
  readonly of: { readonly traceId: string } | { readonly recordId: string }
  /** Both inclusive; of all time where they are absent. */
  readonly startTime?: Timestamp | undefined
  readonly endTime?: Timestamp | undefined
  readonly limit: number
  /** `nextCursor` of an earlier answer about the same trace. */
  readonly cursor: string | undefined
}

export interface ExportRequest extends RecordsRequest {
  readonly order: Order
  readonly format: ExportFormat
}

export interface TailRequest {
  readonly selector: Selector
  /** After the record or the position of this id, or with the last few records that match, none of them
   *  from before `since`. */
  readonly start: { readonly after: string } | { readonly last: number; readonly since?: Timestamp }
  /** `events` when absent. */
  readonly form?: TailForm
}

/** What a tailing client gets next. */
export type TailEvent =
  /** One or more records as text, in the form that was asked for. */
  | { readonly kind: 'records'; readonly text: Uint8Array }
  /** This many matching records are missing here: the client reads too slowly, or was away too long. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** Nothing follows; whoever resumes loses nothing. `reason`: for people. */
  | { readonly kind: 'ended'; readonly reason: string }

export interface Tail {
  /** The next event; undefined when there was none for `waitMs`. Not to be called twice at once. */
  next(waitMs: number): Promise<TailEvent | undefined>
  /** When `next` had nothing to give: an id after everything that has arrived so far. */
  readonly position: string
  /** To be called when nobody reads any more. May be called again. */
  close(): void
}

/** Of whole segments. */
export interface Deletion {
  readonly segments: number
  readonly records: number
  readonly bytes: number
  /** Of the records, from the earliest to the latest; undefined when there are none. */
  readonly times: { readonly earliest: Timestamp; readonly latest: Timestamp } | undefined
}

export interface ShippingStats {
  /** Closed journal files that wait to be sent. */
  readonly files: number
  /** Bytes of the journal that wait, those of the open file too. */
  readonly waitingBytes: number
  /** What was sent since the start; bytes are those of the rows. */
  readonly records: number
  readonly inserts: number
  readonly bytes: number
  readonly failures: number
  /** How long the oldest closed file has waited, ms. */
  readonly lagMs: number
}

export interface StoreStats extends ScrubStats {
  readonly journalRecords: number
  readonly journalFiles: number
  readonly journalBytes: number
  readonly segmentRecords: number
  readonly segmentFiles: number
  readonly segmentBytes: number
  readonly segmentBlocks: number
  readonly pendingBytes: number
  readonly commitCount: number
  readonly lastCommitMs: number
  readonly queuedScans: number
  /** Closed journal files that wait to be sealed. */
  readonly unsealedFiles: number
  readonly sealedRecords: number
  readonly sealMs: number
  readonly compactions: number
  readonly compactionMs: number
  readonly deletedSegments: number
  /** What was found damaged since the start, by whomever. */
  readonly findings: FindingCounts
  /** Blocks that are known to be damaged, and left out of answers. */
  readonly damagedBlocks: number
  readonly tailingClients: number
  /** Records that tailing clients were not given since the start. */
  readonly tailDroppedRecords: number
  /** Of a store that sends the journal elsewhere. */
  readonly shipping?: ShippingStats
}
