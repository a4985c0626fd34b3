/** Kinds of messages, and what is special about a time. */

import type {
  ChangesResult,
  PatternAnswer,
  PatternsResult,
} from '../../store/answer/pattern-answers.ts'
import { asking, type RecordsAsked } from './records.ts'

export type { ChangesResult, PatternAnswer, PatternsResult }

interface PatternsAsked extends RecordsAsked {
  readonly limit?: number
  /** Each pattern then has its change from there. */
  readonly compareWith?: { readonly startTime: number; readonly endTime: number }
}

export const queryPatterns = asking<PatternsAsked, PatternsResult>('/patterns')

/** Compared with the same length before and after, where nothing else is said. */
export const queryChanges = asking<PatternsAsked, ChangesResult>('/changes')
