/**
 * Asks a query, takes the time of the whole HTTP request, and compares the answer with the right one:
 * a wrong answer has no time, it ends the benchmark.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Oracle, TimeRange } from './oracle.ts'
import type { BenchQuery, Expected } from './query-list.ts'
import type { BenchService, HistogramAnswer, QueryAnswer } from './service.ts'

/** A query with the time that it asks for and its right answer. */
export interface PreparedQuery extends BenchQuery {
  readonly range: TimeRange
  readonly expected: Expected
}

/** An answer in the form of what is expected. */
interface Seen {
  readonly count: number
  readonly groups: ReadonlyMap<string, number>
  readonly timestamps: readonly number[]
}

/** Asks for the query's own time, or else for all of `dataRange`, in which all records lie. */
export function prepare(query: BenchQuery, oracle: Oracle, dataRange: TimeRange): PreparedQuery {
  return prepareOver(query, oracle, query.range ?? dataRange)
}

/** Asks for the given time, whatever the query's own is. */
export function prepareOver(query: BenchQuery, oracle: Oracle, range: TimeRange): PreparedQuery {
  return { ...query, range, expected: query.expect(oracle.over(range)) }
}

/** Asks once. Throws when the answer is not the right one. */
export async function timeQuery(on: BenchService, query: PreparedQuery): Promise<number> {
  const { seen, elapsedMs } = await ask(on, query)
  const difference = findDifference(seen, query.expected)
  if (difference !== undefined) {
    throw new Error(`wrong answer to "${query.work}", ${query.query}: ${difference}`)
  }
  return elapsedMs
}

/** Asks once while records come in: only the count can be judged, by the caller. */
export async function timeGrowing(
  on: BenchService,
  query: PreparedQuery,
): Promise<{ count: number; elapsedMs: number }> {
  const { seen, elapsedMs } = await ask(on, query)
  return { count: seen.count, elapsedMs }
}

async function ask(
  on: BenchService,
  { query, range, limit, bucketMs, groupBy = [] }: PreparedQuery,
): Promise<{ seen: Seen; elapsedMs: number }> {
  const startedAt = performance.now()
  if (bucketMs !== undefined) {
    const answer = await on.histogram(query, { ...range, bucketMs })
    const elapsedMs = performance.now() - startedAt
    return { seen: seenInHistogram(answer, range), elapsedMs }
  }
  const answer = await on.query(query, { ...range, ...(limit !== undefined && { limit }) })
  const elapsedMs = performance.now() - startedAt
  return { seen: seenInAnswer(answer, groupBy), elapsedMs }
}

function seenInAnswer({ count, groups = [], logs }: QueryAnswer, groupBy: readonly string[]): Seen {
  const keyOf = (labels: Readonly<Record<string, string>>) =>
    groupBy.map(label => labels[label]).join('/')
  return {
    count,
    groups: new Map(groups.map(group => [keyOf(group.labels), group.count])),
    timestamps: logs.map(({ timestamp }) => timestamp),
  }
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
  return { count, groups: new Map(groups), timestamps: [] }
}

function findDifference(seen: Seen, expected: Expected): string | undefined {
  if (seen.count !== expected.count) {
    return `count is ${seen.count}, expected ${expected.count}`
  }
  const { timestamps, groups } = expected
  if (timestamps !== undefined && !isDeepStrictEqual(seen.timestamps, timestamps)) {
    return `the records are not the earliest ${timestamps.length}, in order`
  }
  if (groups !== undefined && !isDeepStrictEqual(seen.groups, groups)) {
    return 'the groups differ'
  }
  return undefined
}
