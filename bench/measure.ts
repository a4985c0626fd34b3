/**
 * Asks a query, takes the time of the whole HTTP request, and compares the answer with the right one:
 * a wrong answer has no time, it ends the benchmark.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Oracle, TimeRange } from './oracle.ts'
import type { Asked, BenchQuery, Expected } from './query-list.ts'
import {
  adminKey,
  type BenchService,
  type HistogramAnswer,
  type QueryAnswer,
  type RangeSeries,
} from './service.ts'

/** A query with the time that it asks for and its right answer. */
export interface PreparedQuery extends BenchQuery {
  readonly range: TimeRange
  /** The right answer; where something else is asked each time, as far as it is always the same. */
  readonly expected: Expected
  /** What to ask now. */
  next(): Asked
}

/** An answer in the form of what is expected. */
export interface Seen {
  /** Undefined for figures, which come without one. */
  readonly count: number | undefined
  readonly groups: ReadonlyMap<string, number>
  readonly figures: ReadonlyMap<string, number>
  readonly timestamps: readonly number[]
}

/** Asks for the query's own time, or else for all of `dataRange`, in which all records lie. */
export function prepare(query: BenchQuery, oracle: Oracle, dataRange: TimeRange): PreparedQuery {
  return prepareOver(query, oracle, query.range ?? dataRange)
}

/** Asks for the given time, whatever the query's own is. */
export function prepareOver(query: BenchQuery, oracle: Oracle, range: TimeRange): PreparedQuery {
  const truth = oracle.over(range)
  const expected = query.expect(truth)
  const same = { query: query.query, expected }
  return { ...query, range, expected, next: query.vary?.(truth) ?? (() => same) }
}

/** Asks once. Throws when the answer is not the right one. */
export async function timeQuery(on: BenchService, query: PreparedQuery): Promise<number> {
  const asked = query.next()
  const { seen, elapsedMs } = await ask(on, query, asked.query)
  checkAnswer(query, asked, seen)
  return elapsedMs
}

/** Always the same answer to who may ask questions. Not `/ready`, which now and then looks at the disk. */
export const pathOfNothing = '/api/v1/status/buildinfo'

/** Milliseconds of an answer to which nothing is looked up. */
export async function timeNothing(on: BenchService): Promise<number> {
  const startedAt = performance.now()
  await on.client.get(pathOfNothing, adminKey)
  return performance.now() - startedAt
}

/** Throws when the answer is not the right one. */
export function checkAnswer({ work, order }: BenchQuery, asked: Asked, seen: Seen): void {
  const difference = findDifference(seen, asked.expected, order)
  if (difference !== undefined) {
    throw new Error(`wrong answer to "${work}", ${asked.query}: ${difference}`)
  }
}

/** Asks once while records come in: only the count can be judged, by the caller. Not for figures. */
export async function timeGrowing(
  on: BenchService,
  query: PreparedQuery,
): Promise<{ count: number; elapsedMs: number }> {
  const { seen, elapsedMs } = await ask(on, query, query.next().query)
  return { count: seen.count!, elapsedMs }
}

async function ask(
  on: BenchService,
  { range, limit, order, bucketMs, isFigure, groupBy = [] }: PreparedQuery,
  query: string,
): Promise<{ seen: Seen; elapsedMs: number }> {
  const startedAt = performance.now()
  if (bucketMs !== undefined) {
    const answer = await on.histogram(query, { ...range, bucketMs })
    const elapsedMs = performance.now() - startedAt
    return { seen: seenInHistogram(answer, range), elapsedMs }
  }
  if (isFigure === true) {
    const end = range.endTime / 1000
    const step = (range.endTime + 1 - range.startTime) / 1000
    const series = await on.range(query, { start: end, end, step })
    const elapsedMs = performance.now() - startedAt
    return { seen: seenInSeries(series, groupBy), elapsedMs }
  }
  const answer = await on.query(query, {
    ...range,
    ...(limit !== undefined && { limit }),
    ...(order !== undefined && { order }),
  })
  const elapsedMs = performance.now() - startedAt
  return { seen: seenInAnswer(answer, groupBy), elapsedMs }
}

function seenInAnswer({ count, groups = [], logs }: QueryAnswer, groupBy: readonly string[]): Seen {
  return {
    count,
    groups: new Map(groups.map(group => [keyOf(group.labels, groupBy), group.count])),
    figures: new Map(),
    timestamps: logs.map(({ timestamp }) => timestamp),
  }
}

/** Throws when a series has not the one point that was asked for. */
function seenInSeries(series: readonly RangeSeries[], groupBy: readonly string[]): Seen {
  const figures = series.map(({ metric, values }): [string, number] => {
    if (values.length !== 1) throw new Error(`${values.length} points instead of one`)
    return [keyOf(metric, groupBy), Number(values[0]![1])]
  })
  return { count: undefined, groups: new Map(), figures: new Map(figures), timestamps: [] }
}

function keyOf(labels: Readonly<Record<string, string>>, groupBy: readonly string[]): string {
  return groupBy.map(label => labels[label]).join('/')
}

/** Throws when the buckets are not all of the range, in order. */
function seenInHistogram({ bucketMs, buckets }: HistogramAnswer, range: TimeRange): Seen {
  const first = Math.floor(range.startTime / bucketMs)
  const bucketCount = Math.floor(range.endTime / bucketMs) - first + 1
  const isWhole =
    buckets.length === bucketCount &&
    buckets.every(({ start }, index) => start === (first + index) * bucketMs)
  if (!isWhole) throw new Error(`not the ${bucketCount} buckets of the range, in order`)

  const groups = buckets.flatMap(({ start, levels }) =>
    Object.entries(levels).map(([level, count]): [string, number] => [`${start}/${level}`, count]),
  )
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  return { count, groups: new Map(groups), figures: new Map(), timestamps: [] }
}

function findDifference(
  seen: Seen,
  expected: Expected,
  order: BenchQuery['order'],
): string | undefined {
  if (seen.count !== undefined && seen.count !== expected.count) {
    return `count is ${seen.count}, expected ${expected.count}`
  }
  const { timestamps, groups, figures } = expected
  if (timestamps !== undefined && !isDeepStrictEqual(seen.timestamps, timestamps)) {
    const which = order === 'desc' ? 'latest' : 'earliest'
    return `the records are not the ${which} ${timestamps.length}, in order`
  }
  if (groups !== undefined && !isDeepStrictEqual(seen.groups, groups)) {
    return 'the groups differ'
  }
  if (figures !== undefined && !areFiguresSame(seen.figures, figures)) {
    return 'the figures differ'
  }
  return undefined
}

function areFiguresSame(
  seen: ReadonlyMap<string, number>,
  expected: ReadonlyMap<string, number>,
): boolean {
  const isSame = ([key, figure]: [string, number]) =>
    Math.abs((seen.get(key) ?? Number.NaN) - figure) <= 1e-9 * Math.abs(figure)
  return seen.size === expected.size && [...expected].every(isSame)
}
