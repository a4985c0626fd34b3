/** Which kinds of messages there are, and which of them are more or fewer than at another time. */

import { variablesIn } from '../../columns/patterns/variables.ts'
import type { BucketCounts } from '../../query/collect/bucket-counts.ts'
import { type PatternCounts, Patterns } from '../../query/collect/patterns.ts'
import { type Change, changeOf } from '../../query/compare/change.ts'
import type { TimeRange } from '../../record.ts'
import type { RecordsRequest, SelectStats } from '../store.ts'
import { only, type RunQuery } from './explore.ts'
import type { PatternAnswer, PatternsRequest, PatternsResult } from './pattern-answers.ts'
import { addSelectStats } from './select-stats.ts'

/** Messages of each pattern from which values of its variables are taken. */
const samplesWanted = 4
/** Services listed of each. */
const servicesListed = 20
/** Wider than any range: where buckets do not matter. */
export const wholeTimeMs = 1e17

/** The patterns of the records of one time. */
export interface CountedPatterns {
  readonly count: number
  readonly patterns: Patterns
  readonly stats: SelectStats
}

export async function patternsOf(request: PatternsRequest, run: RunQuery): Promise<PatternsResult> {
  const { bucketMs, compareWith } = request
  const now = await countPatterns(request, bucketMs, run)
  const before =
    compareWith && (await countPatterns({ ...request, ...compareWith }, wholeTimeMs, run))
  const all = before === undefined ? now.patterns.all : withGone(now, before)
  const found = all.map(pattern => ({
    pattern,
    change: before && changeFrom(pattern, now, before),
  }))
  found.sort((a, b) => byStrength(a, b) || byCount(a, b))
  const isTruncated = now.patterns.forgottenCount + (before?.patterns.forgottenCount ?? 0) > 0
  return {
    count: now.count,
    ...(before && { countBefore: before.count }),
    patternCount: now.patterns.all.length,
    bucketMs,
    firstBucket: firstBucketOf(request),
    ...(isTruncated && { truncated: true }),
    patterns: found
      .slice(0, request.limit)
      .map(({ pattern, change }) => answerPattern(pattern, now.count, bucketsIn(request), change)),
    stats: before === undefined ? now.stats : addSelectStats(now.stats, before.stats),
  }
}

/** Counts the patterns of the records that a request is about; `samples`: messages wanted of each. */
export async function countPatterns(
  request: RecordsRequest,
  bucketMs: number,
  run: RunQuery,
  samples = samplesWanted,
): Promise<CountedPatterns> {
  const newPatterns = () => new Patterns({ bucketMs, samples })
  const { result, collector, stats } = await run(only(request), newPatterns)
  return { count: result.count, patterns: collector, stats }
}

/** All patterns of now, and those that were only before, with no record. */
function withGone(now: CountedPatterns, before: CountedPatterns): PatternCounts[] {
  const gone = before.patterns.all.filter(pattern => now.patterns.get(pattern) === undefined)
  return [...now.patterns.all, ...gone.map(pattern => ({ ...pattern, count: 0 }))]
}

function changeFrom(pattern: PatternCounts, now: CountedPatterns, before: CountedPatterns) {
  const countBefore = before.patterns.get(pattern)?.count ?? 0
  const { count } = pattern
  return changeOf({ count, total: now.count }, { count: countBefore, total: before.count })
}

interface Found {
  readonly pattern: PatternCounts
  readonly change: Change | undefined
}

function byStrength(a: Found, b: Found): number {
  return Math.abs(b.change?.score ?? 0) - Math.abs(a.change?.score ?? 0)
}

function byCount(a: Found, b: Found): number {
  return b.pattern.count - a.pattern.count || (a.pattern.id < b.pattern.id ? -1 : 1)
}

/** Those of which there is more come first. */
export function byScore(a: Found, b: Found): number {
  return (b.change?.score ?? 0) - (a.change?.score ?? 0) || byCount(a, b)
}

/** When the first of a range's buckets begins. */
export function firstBucketOf({
  startTime,
  bucketMs,
}: Pick<PatternsRequest, 'startTime' | 'bucketMs'>): number {
  return Math.floor(startTime / bucketMs) * bucketMs
}

/** The buckets of a range by their numbers. */
export interface AskedBuckets {
  readonly first: number
  readonly count: number
}

export function bucketsIn({
  startTime,
  endTime,
  bucketMs,
}: TimeRange & { readonly bucketMs: number }): AskedBuckets {
  const first = Math.floor(startTime / bucketMs)
  return { first, count: Math.floor(endTime / bucketMs) - first + 1 }
}

/** `count`: of all records; `buckets`: of their time. */
export function answerPattern(
  pattern: PatternCounts,
  count: number,
  buckets: AskedBuckets,
  change: Change | undefined,
): PatternAnswer {
  const isGone = pattern.count === 0
  return {
    pattern: pattern.id,
    text: pattern.text,
    count: pattern.count,
    share: count === 0 ? 0 : pattern.count / count,
    levels: isGone ? {} : named(pattern.levels),
    services: isGone ? {} : named(pattern.services, servicesListed),
    firstSeen: pattern.firstSeen,
    lastSeen: pattern.lastSeen,
    buckets: isGone ? new Array<number>(buckets.count).fill(0) : laid(pattern.buckets, buckets),
    variables: samplesOf(pattern),
    ...(change && { change }),
  }
}

function laid(counts: BucketCounts, { first, count }: AskedBuckets): number[] {
  const all = new Array<number>(count).fill(0)
  const plain = counts.toPlain()
  plain.counts.forEach((inBucket, i) => {
    if (inBucket > 0) all[plain.first + i - first] = inBucket
  })
  return all
}

/** The largest first. */
function named(counts: ReadonlyMap<string, number>, max = counts.size): Record<string, number> {
  const all: Record<string, number> = Object.create(null)
  const largest = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, max)
  for (const [name, count] of largest) all[name] = count
  return all
}

function samplesOf({ text, samples }: PatternCounts): PatternAnswer['variables'] {
  const variableCount = text.split('<*>').length - 1
  const ofVariable = Array.from({ length: variableCount }, () => new Set<string>())
  for (const sample of samples) {
    variablesIn(text, sample)?.forEach((value, i) => {
      if (value !== '') ofVariable[i]!.add(value)
    })
  }
  return ofVariable.map(values => ({ samples: [...values] }))
}
