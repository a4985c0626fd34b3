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
