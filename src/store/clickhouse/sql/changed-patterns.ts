/**
 * What there is of each kind of line that stages have made another, as `patterns.ts` has it of messages: of
 * each text that is like some lines. All is counted in one pass, so that stages run once.
 */
import { setImmediate as othersWaited } from 'node:timers/promises'
import { patternOfMessage } from '../../../columns/patterns/message-pattern.ts'
import { limits } from '../../../limits.ts'
import type { PlainBucketCounts } from '../../../query/collect/bucket-counts.ts'
import type {
  PatternCounts,
  PatternsRequest,
  PlainPatterns,
} from '../../../query/collect/patterns.ts'
import { tellingBytes } from '../pattern-numbers.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { bucketsOf, countsOf, kindsAtOnce, samplesBytesMax, samplesOf } from './patterns.ts'
import { whole } from './whole.ts'

/** In SQL: a line, and a text that is of the same kind. */
export interface ChangedLine {
  readonly line: string
  readonly like: string
}

type Counts = readonly [names: readonly string[], counts: readonly (number | string)[]]

interface Row {
  readonly alike: string
  readonly found: number | string
  /** Of all texts. */
  readonly allFound: number | string
  readonly firstSeen: number | string
  readonly lastSeen: number | string
  readonly samples: readonly string[]
  readonly levels: Counts
  readonly services: Counts
  readonly buckets: Counts
}

export function changedPatternsQuestion(
  { bucketMs, samples }: PatternsRequest,
  { line, like }: ChangedLine,
): CollectedQuestion {
  const bound = new Bound('q')
  const bucket = `floor(Time / ${bound.number(bucketMs)})`
  const countsBy = (name: string) => `sumMap([toString(${name})], [toUInt64(1)])`
  const ends = samples === 0 ? '' : ', argMax(text, Time)'
  const order = 'ORDER BY found DESC, alike'
  const before = `sum(length(alike) + arraySum(text -> length(text), samples)) OVER (
    ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  return {
    statement: from => `SELECT * EXCEPT (before) FROM (
      SELECT *, ${before} AS before FROM (
        SELECT alike, count() AS found, sum(found) OVER () AS allFound, min(Time) AS firstSeen,
          max(Time) AS lastSeen, [argMin(text, Time)${ends}] AS samples,
          ${countsBy('Level')} AS levels, ${countsBy('ServiceName')} AS services,
          ${countsBy(bucket)} AS buckets
        FROM (SELECT ${like} AS alike, Time, Level, ServiceName,
          substring(${line}, 1, ${whole(tellingBytes)}) AS text FROM ${from})
        GROUP BY alike ${order} LIMIT ${whole(limits.patternsMax)}
      )
    ) WHERE before <= ${whole(samplesBytesMax)}`,
    params: bound.params,
    plainOf: rows => plainOf(rows as readonly Row[], samples),
  }
}

/** Undefined where texts were left out, which may be of kinds that are told. */
async function plainOf(
  rows: readonly Row[],
  samplesWanted: number,
): Promise<PlainPatterns | undefined> {
  const patterns: PatternCounts<PlainBucketCounts>[] = []
  let leftOut = Number(rows[0]?.allFound ?? 0)
  for (const [i, row] of rows.entries()) {
    if (i % kindsAtOnce === kindsAtOnce - 1) await othersWaited()
    const { id, text } = patternOfMessage(row.alike)
    const count = Number(row.found)
    leftOut -= count
    patterns.push({
      ...{ id, text, count },
      firstSeen: Number(row.firstSeen),
      lastSeen: Number(row.lastSeen),
      levels: countsOf(named(row.levels)),
      services: countsOf(named(row.services)),
      buckets: bucketsOf(named(row.buckets)),
      ...samplesOf(row.samples, samplesWanted),
    })
  }
  return leftOut > 0 ? undefined : { patterns, forgottenCount: 0 }
}

function named([names, counts]: Counts) {
  return { names, counts }
}
