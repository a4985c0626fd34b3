/**
 * The only door to storage. What is behind it may change (DESIGN: a second implementation on
 * another machine); what it promises may not: an append that resolves is durable and in the very next
 * answer, counts are exact, order is by timestamp and then by arrival.
 */
import type { BatchWriter, EncodedBatch } from '../journal/batch-writer.ts'
import type { RequestReceipt } from '../journal/receipts.ts'
import type { Aggregate, RangeAggregate, Selector } from '../language/ast.ts'
import type { QuantityKind } from '../language/quantity.ts'
import type { NumberSummary } from '../query/collect/number-summary.ts'
import type { ServiceSpan } from '../query/collect/services.ts'
import type { ValueCount } from '../query/collect/value-counts.ts'
import type { Series } from '../query/evaluate/vector.ts'
import type { ExportFormat } from '../query/export/task.ts'
import type { Order } from '../query/top-k.ts'
import type { LogRecord, Stream, Timestamp } from '../record.ts'
import type {
  ChangesRequest,
  ChangesResult,
  PatternsRequest,
  PatternsResult,
} from './answer/pattern-answers.ts'
import type { FindingCounts } from './maintain/findings.ts'
import type { RetentionBounds } from './maintain/retention.ts'
import type { Receipts } from './receipts/receipts.ts'
import type { TailForm } from './tail/text.ts'

export interface Store {
  /** Appends one record. Throws or rejects with a ProblemError that says what to do. `receipt`: under which
   *  key it was sent, to be as durable as the record. */
  append(record: LogRecord, stream: Stream, receipt?: RequestReceipt): Promise<void>
  /** Appends the few records that `add`, called at once, adds to a batch, all or none. */
  appendWith(add: (writer: BatchWriter) => void, receipt?: RequestReceipt): Promise<void>
  /** Appends batches encoded elsewhere (see `ingest/`), all or nothing; at least one. */
  appendBatches(batches: readonly EncodedBatch[]): Promise<void>
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
export interface RecordsRequest {
  readonly selector: Selector
  /** Both inclusive. */
  readonly startTime: Timestamp
  readonly endTime: Timestamp
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

/** A record as the API returns it. */
export interface AnswerRecord {
  /** Opaque; the same for the same record in every answer. */
  readonly id: string
  readonly timestamp: Timestamp
  readonly log_level: string
  readonly message: string
  /** No prototype: any text may be a name. Includes `service.name` and `environment`. */
  readonly attributes: Readonly<Record<string, string>>
  /** The attributes that stages have made, or made anew; absent when they have made none. */
  readonly made?: readonly string[]
}

export interface AnswerGroup {
  /** No prototype. */
  readonly labels: Readonly<Record<string, string>>
  readonly count: number
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

export interface HistogramBucket {
  readonly start: Timestamp
  readonly count: number
  /** Only levels that occur. */
  readonly levels: Readonly<Record<string, number>>
}

export interface HistogramResult {
  readonly bucketMs: number
  /** All buckets of the range in order, empty ones included. */
  readonly buckets: readonly HistogramBucket[]
  readonly stats: SelectStats
}

/** The times of the points: bucket i holds records from `origin + i * stepMs` up to the next one's. */
export interface SeriesRequest {
  readonly aggregate: Aggregate | RangeAggregate
  /** Before the aggregate's offset is taken off. */
  readonly origin: Timestamp
  /** At least 1. */
  readonly stepMs: number
  /** At least 1. */
  readonly pointCount: number
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

export interface Facet {
  readonly field: string
  /** The most frequent values, ties by value. */
  readonly values: readonly ValueCount[]
  /** Matching records that have another value, and those that do not have the field. */
  readonly others: number
  readonly missing: number
  /** The field has more values than are counted: none is shown, and all are `others`. */
  readonly tooManyValues?: true
  /** The numbers that its values write, where that is asked for; absent when there is none. */
  readonly numeric?: NumericSummary
}

export interface NumericSummary extends NumberSummary {
  /** As what the values are read: durations are in seconds. */
  readonly unit: QuantityKind
}

export interface FacetsResult {
  readonly facets: readonly Facet[]
  readonly stats: SelectStats
}

export interface FieldsResult {
  /** By count, ties by name. */
  readonly fields: readonly { readonly name: string; readonly count: number }[]
  readonly stats: SelectStats
}

export interface ValuesRequest extends RecordsRequest {
  readonly field: string
  /** In the same case as the values; empty for all values. Well-formed. */
  readonly prefix: string
  readonly limit: number
}

export interface ValuesResult {
  /** The most frequent values, ties by value. */
  readonly values: readonly ValueCount[]
  /** More values than are counted begin so: none is shown. */
  readonly tooManyValues?: true
  readonly stats: SelectStats
}

export interface ContextRequest {
  /** Of a record in an earlier answer. */
  readonly id: string
  /** How many records of the same stream are wanted on either side. */
  readonly before: number
  readonly after: number
}

export interface ContextResult {
  /** In order of time, the nearest last. Fewer than asked where there are no more, or where more
   *  would make the answer larger than one may be. */
  readonly before: readonly AnswerRecord[]
  readonly record: AnswerRecord
  /** In order of time, the nearest first; fewer as above. */
  readonly after: readonly AnswerRecord[]
  readonly stats: SelectStats
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

export interface TraceResult {
  readonly traceId: string
  /** All of its records in the range, whatever the limit. */
  readonly count: number
  /** Of the first and the last of all these; absent when there are none. */
  readonly startTime?: Timestamp
  readonly endTime?: Timestamp
  /** In order of time, ties in order of arrival. */
  readonly records: readonly AnswerRecord[]
  /** Of all its records; in the order in which they come into it, ties by name. */
  readonly services: readonly ServiceSpan[]
  /** There are more records than these; then with a cursor. */
  readonly truncated?: true
  readonly nextCursor?: string
  readonly stats: SelectStats
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

/** What an answer cost. (A type, not an interface: it is also handed on as a record of numbers.) */
export type SelectStats = {
  /** All segments and blocks there are. */
  readonly segments: number
  readonly blocks: number
  /** Blocks outside of the time range, or of streams that nobody asked for: not even looked at. */
  readonly blocksPrunedByTime: number
  /** Index entries looked at (blocks, and streams of the journal's ranges), and those of them in
   *  which no level could match. */
  readonly entries: number
  readonly entriesPruned: number
  /** Blocks and ranges of the journal answered from the index alone. */
  readonly sourcesFromIndex: number
  /** Frames of the journal and blocks of segments that were read, in part or whole. */
  readonly framesScanned: number
  readonly blocksScanned: number
  /** Blocks that a missing word or attribute, and those that their templates, ruled out. */
  readonly blocksPrunedByFilter: number
  readonly blocksPrunedByTemplate: number
  readonly recordsScanned: number
  readonly bytesScanned: number
  /** Not zero: part of the data is damaged and the answer lacks it. */
  readonly damagedFrames: number
  readonly damagedBlocks: number
  readonly elapsedMs: number
}

/** Of whole segments. */
export interface Deletion {
  readonly segments: number
  readonly records: number
  readonly bytes: number
  /** Of the records, from the earliest to the latest; undefined when there are none. */
  readonly times: { readonly earliest: Timestamp; readonly latest: Timestamp } | undefined
}

export interface StoreStats {
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
  /** Read by the scrub, times that it has read all, and the time of the last of these, ms. */
  readonly scrubbedBytes: number
  readonly scrubPasses: number
  readonly scrubPassMs: number
  /** When the last pass ended; 0 before that. */
  readonly scrubPassAt: Timestamp
  /** What was found damaged since the start, by whomever. */
  readonly findings: FindingCounts
  /** Blocks that are known to be damaged, and left out of answers. */
  readonly damagedBlocks: number
  readonly tailingClients: number
  /** Records that tailing clients were not given since the start. */
  readonly tailDroppedRecords: number
}
