/**
 * The values of a rule's query at moments of time, from what is stored. One moment or a thousand are one
 * query by the same way: a preview sees what evaluating the rule would have seen.
 */
import type { Labels, Series } from '../query/evaluate/vector.ts'
import type { Timestamp } from '../record.ts'
import { evaluateStored } from '../store/answer/evaluate-stored.ts'
import type { Store } from '../store/store.ts'
import { newPatternsOf } from './new-patterns.ts'
import type { Rule } from './rule.ts'
import { expressionOf } from './rule-query.ts'

/** Moments of evaluation, the same time apart. */
export interface Moments {
  readonly first: Timestamp
  readonly stepMs: number
  /** At least 1. */
  readonly count: number
}

/** What a group comes to at one moment. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export const momentAt = ({ first, stepMs }: Moments, i: number): Timestamp => first + i * stepMs

/**
 * The series of a rule, a point for each moment: about the records of the window that ends `delayMs`
 * before it, both that end and what lies after its beginning.
 * @throws ProblemError as the store, or the signal's reason.
 */
export async function seriesOf(
  store: Pick<Store, 'series' | 'patterns'>,
  rule: Rule,
  moments: Moments,
  signal: AbortSignal,
): Promise<readonly Series[]> {
  const { query, windowMs, delayMs, newPattern } = rule
  if (newPattern !== undefined) {
    return newPatternsOf(store, { ...rule, newPattern }, moments, signal)
  }
  const { first, stepMs, count } = moments
  // Of one moment the window is one bucket, however seldom it is asked for.
  const bucketMs = count === 1 ? windowMs : stepMs
  const origin = first - delayMs - bucketMs + 1
  const buckets = { origin, stepMs: bucketMs, pointCount: count, windowMs }
  const { value } = await evaluateStored(store, expressionOf(query), buckets, signal)
  // A scalar is refused where rules are made.
  return value.kind === 'vector' ? value.series : []
}

/** The groups that have a value at moment `i`. */
export function samplesAt(series: readonly Series[], i: number): Sample[] {
  return series.flatMap(({ labels, points }) => {
    const value = points[i]
    return value === undefined ? [] : [{ labels, value }]
  })
}
