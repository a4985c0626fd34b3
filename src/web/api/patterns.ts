/** Kinds of messages, and what is special about a time. */

import type {
  ChangesResult,
  PatternAnswer,
  PatternsResult,
} from '../../store/answer/pattern-answers.ts'
import { call } from './client.ts'
import type { RecordsAsked } from './records.ts'

export type { ChangesResult, PatternAnswer, PatternsResult }

interface PatternsAsked extends RecordsAsked {
  readonly limit?: number
  /** Each pattern then has its change from there. */
  readonly compareWith?: { readonly startTime: number; readonly endTime: number }
}

export function queryPatterns(asked: PatternsAsked, signal?: AbortSignal): Promise<PatternsResult> {
  return call('POST', '/api/v1/query/logs/patterns', { body: asked, signal })
}

/** Compared with the same length before and after, where nothing else is said. */
export function queryChanges(asked: PatternsAsked, signal?: AbortSignal): Promise<ChangesResult> {
  return call('POST', '/api/v1/query/logs/changes', { body: asked, signal })
}
