/**
 * What is special about the records of a time: kinds of messages and values of fields of which they have a
 * greater share than the records compared with.
 */

import { Facets, type FieldValues } from '../../query/collect/facets.ts'
import { usefulBounds } from '../../query/collect/useful-fields.ts'
import { changeOf, isMore } from '../../query/compare/change.ts'
import { type TimeRange, timeMax } from '../../record.ts'
import type { RecordsRequest, SelectStats } from '../store.ts'
import { namedFields, only, type RunQuery } from './explore.ts'
import type { ChangedValue, ChangesRequest, ChangesResult } from './pattern-answers.ts'
import {
  answerPattern,
  bucketsIn,
  byScore,
  countPatterns,
  firstBucketOf,
  wholeTimeMs,
} from './patterns.ts'
import { addSelectStats } from './select-stats.ts'

/** What is counted of the range, and what of the ranges compared with. */
interface Compared {
  readonly request: ChangesRequest
  /** The range whose counts hold those compared with, and whether the asked range's are to be taken off. */
  readonly other: RecordsRequest
  readonly isAround: boolean
}

export async function changesOf(request: ChangesRequest, run: RunQuery): Promise<ChangesResult> {
  const { compareWith, bucketMs, limit } = request
  const isAround = compareWith === undefined
  const other = { ...request, ...(compareWith ?? around(request)) }
  const compared = { request, other, isAround }
  const patterns = await changedPatterns(compared, run)
  const values = await changedValues(compared, patterns.totals, run)
  return {
    count: patterns.totals.now,
    countBefore: patterns.totals.before,
    compareWith: isAround ? partsAround(request, other) : [compareWith],
    bucketMs,
    firstBucket: firstBucketOf(request),
    patterns: patterns.found.slice(0, limit),
    values: values.found.slice(0, limit),
    fieldsLeftOut: values.leftOut,
    ...(patterns.isTruncated && { truncated: true }),
    stats: addSelectStats(patterns.stats, values.stats),
  }
}

/** The range with as much time again on either side, as far as there are times. */
function around({ startTime, endTime }: TimeRange): TimeRange {
  const length = endTime - startTime + 1
  return {
    startTime: Math.max(-timeMax, startTime - length),
    endTime: Math.min(endTime + length, timeMax),
  }
}

function partsAround(inner: TimeRange, outer: TimeRange): TimeRange[] {
  const parts = [
    { startTime: outer.startTime, endTime: inner.startTime - 1 },
    { startTime: inner.endTime + 1, endTime: outer.endTime },
  ]
  return parts.filter(({ startTime, endTime }) => startTime <= endTime)
}

interface Totals {
  readonly now: number
  readonly before: number
}

/**
 * How many records lie around a range, of those that are counted there and within it. Of kinds that were
 * forgotten, and where days were dropped in between, fewer are counted of both than within.
 */
function outside(both: number, within: number): number {
  return Math.max(0, both - within)
}

async function changedPatterns({ request, other, isAround }: Compared, run: RunQuery) {
  const now = await countPatterns(request, request.bucketMs, run)
  const others = await countPatterns(other, wholeTimeMs, run, 0)
  const before = isAround ? outside(others.count, now.count) : others.count
  const totals = { now: now.count, before }
  const found = now.patterns.all.map(pattern => {
    const counted = others.patterns.get(pattern)?.count ?? 0
    const countBefore = isAround ? outside(counted, pattern.count) : counted
    const change = changeOf(
      { count: pattern.count, total: totals.now },
      { count: countBefore, total: totals.before },
    )
    return { pattern, change }
  })
  const buckets = bucketsIn(request)
  return {
    totals,
    found: found
      .filter(({ change }) => isMore(change))
      .sort(byScore)
      .map(({ pattern, change }) => answerPattern(pattern, now.count, buckets, change)),
    isTruncated: now.patterns.forgottenCount + others.patterns.forgottenCount > 0,
    stats: addSelectStats(now.stats, others.stats),
  }
}

async function changedValues(
  { request, other, isAround }: Compared,
  totals: Totals,
  run: RunQuery,
) {
  const named = await namedFields(other, run)
  const wanted = { prefix: '', bounds: usefulBounds }
  const newFacets = () => new Facets(named.fields, wanted)
  const now = await run(only(request), newFacets)
  const others = await run(only(other), newFacets)
  const found: ChangedValue[] = []
  const leftOut: string[] = []
  for (const [i, ofNow] of now.collector.fields.entries()) {
    const ofOthers = others.collector.fields[i]!
    if (isLeftOut(ofNow) || isLeftOut(ofOthers)) {
      leftOut.push(ofNow.field)
      continue
    }
    const counts = new Map(ofOthers.counts.top(Infinity).map(({ value, count }) => [value, count]))
    for (const { value, count } of ofNow.counts.top(Infinity)) {
      const counted = counts.get(value) ?? 0
      const countBefore = isAround ? outside(counted, count) : counted
      const change = changeOf(
        { count, total: totals.now },
        { count: countBefore, total: totals.before },
      )
      if (!isMore(change)) continue
      const shares = { share: count / totals.now, shareBefore: countBefore / totals.before }
      found.push({ field: ofNow.field, value, count, countBefore, ...shares, score: change.score })
    }
  }
  found.sort(byScoreAndName)
  leftOut.sort() // Fields come in an order that depends on which records were looked at for their names.
  const stats: SelectStats[] = [named.stats, now.stats, others.stats]
  return { found, leftOut, stats: stats.reduce(addSelectStats) }
}

function byScoreAndName(a: ChangedValue, b: ChangedValue): number {
  const byName = a.field < b.field || (a.field === b.field && a.value < b.value) ? -1 : 1
  return b.score - a.score || b.count - a.count || byName
}

/** An id has a value of its own for most of the records that have it. */
function isLeftOut({ counts, present }: FieldValues): boolean {
  return counts.isOver || (present > 0 && 2 * counts.size > Math.max(present, 2))
}
