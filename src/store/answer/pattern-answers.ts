/** Kinds of messages as the API gives them: what is asked, and what is answered. */

import type { Change } from '../../query/compare/change.ts'
import type { Timestamp } from '../../record.ts'
import type { RecordsRequest, SelectStats } from '../store.ts'

/** Both inclusive. */
export interface TimeRange {
  readonly startTime: Timestamp
  readonly endTime: Timestamp
}

export interface PatternsRequest extends RecordsRequest {
  /** Width of a bucket in ms; buckets are aligned to the epoch. */
  readonly bucketMs: number
  /** Patterns listed at most. */
  readonly limit: number
  /** The records of another time, with which these are compared; the selector is the same. */
  readonly compareWith?: TimeRange | undefined
}

/** One kind of message. */
export interface PatternAnswer {
  /** Its id. */
  readonly pattern: string
  /** What its messages have in common, `<*>` in the place of each variable. */
  readonly text: string
  readonly count: number
  /** Of all records of the range. */
  readonly share: number
  /** No prototype. Only levels that occur. */
  readonly levels: Readonly<Record<string, number>>
  /** No prototype. The most frequent ones. */
  readonly services: Readonly<Record<string, number>>
  /** Of a pattern that is gone: in the time before. */
  readonly firstSeen: Timestamp
  readonly lastSeen: Timestamp
  /** Counts of all buckets of the range in order, empty ones included. */
  readonly buckets: readonly number[]
  /** Of each variable of the text, in order, some of its values. */
  readonly variables: readonly { readonly samples: readonly string[] }[]
  readonly change?: Change
}

export interface PatternsResult {
  readonly count: number
  /** Records of the range compared with. */
  readonly countBefore?: number
  /** Distinct patterns of the records. */
  readonly patternCount: number
  readonly bucketMs: number
  readonly firstBucket: Timestamp
  /** There are more patterns than are counted: of the rare ones counts are too low, or missing. */
  readonly truncated?: true
  readonly patterns: readonly PatternAnswer[]
  readonly stats: SelectStats
}

export interface ChangesRequest extends RecordsRequest {
  /** Width of a bucket of the patterns' counts, ms. */
  readonly bucketMs: number
  /** Patterns, and values, listed at most. */
  readonly limit: number
  /** What it is compared with; the same length before and after, together, when absent. */
  readonly compareWith?: TimeRange | undefined
}

/** A value of a field that more of the records have than of those compared with. */
export interface ChangedValue {
  readonly field: string
  readonly value: string
  readonly count: number
  /** Of all records of the range, and of the others. */
  readonly share: number
  readonly countBefore: number
  readonly shareBefore: number
  /** As of `Change`. */
  readonly score: number
}

export interface ChangesResult {
  readonly count: number
  readonly countBefore: number
  /** The ranges compared with; none of them has a record of the range itself, if it was not asked for. */
  readonly compareWith: readonly TimeRange[]
  readonly bucketMs: number
  readonly firstBucket: Timestamp
  /** Those with a greater share than before, the most changed first. */
  readonly patterns: readonly PatternAnswer[]
  readonly values: readonly ChangedValue[]
  /** Fields that were not looked at: they have too many values, or a value of its own for most records. */
  readonly fieldsLeftOut: readonly string[]
  readonly truncated?: true
  readonly stats: SelectStats
}
