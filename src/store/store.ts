/**
 * The only door to storage. What stands behind it may change (DESIGN: a second implementation on
 * another machine); what it promises may not: an append that resolves is durable and in the very next
 * answer, counts are exact, order is by timestamp and then by arrival.
 */
import type { EncodedBatch } from '../journal/batch-writer.ts'
import type { Selector } from '../query/ast.ts'
import type { Order } from '../query/earliest.ts'
import type { LogRecord, Stream, Timestamp } from '../record.ts'

export interface Store {
  /** Appends one record. Throws or rejects with a ProblemError that says what to do. */
  append(record: LogRecord, stream: Stream): Promise<void>
  /** Appends batches encoded elsewhere (see `ingest/`), all or nothing; at least one. */
  appendBatches(batches: readonly EncodedBatch[]): Promise<void>
  /**
   * Answers a query. Throws the signal's reason when it is aborted, or ProblemError
   * `query_regex`, `query_too_large` (too many groups), `cursor_invalid`.
   */
  select(request: SelectRequest, signal: AbortSignal): Promise<SelectResult>
  /** Counts per bucket of time and level. Throws as `select` does. */
  histogram(request: HistogramRequest, signal: AbortSignal): Promise<HistogramResult>
  stats(): StoreStats
  /** Refuses further appends, makes everything durable and lets go of the directory. */
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
}

/** A record as the API gives it. */
export interface AnswerRecord {
  /** Opaque; the same for the same record in every answer. */
  readonly id: string
  readonly timestamp: Timestamp
  readonly log_level: string
  readonly message: string
  /** No prototype: any text may be a name. Includes `service.name` and `environment`. */
  readonly attributes: Readonly<Record<string, string>>
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
}
