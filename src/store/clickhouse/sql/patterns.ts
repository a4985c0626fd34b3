/**
 * What there is of each kind of message, of rows that tell their kind: how many, of which levels and
 * services, when, and two messages, of which its text is made. Each column is counted in a pass of its own.
 */
import { setImmediate as othersWaited } from 'node:timers/promises'
import { patternOfMessage } from '../../../columns/patterns/message-pattern.ts'
import { limits } from '../../../limits.ts'
import type { PlainBucketCounts } from '../../../query/collect/bucket-counts.ts'
import { BucketCounts } from '../../../query/collect/bucket-counts.ts'
import type {
  PatternCounts,
  PatternsRequest,
  PlainPatterns,
} from '../../../query/collect/patterns.ts'
import { sampleLengthMax } from '../../../query/collect/patterns.ts'
import { tellingBytes } from '../pattern-numbers.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { numberOfId } from './pattern-id.ts'
import { whole } from './whole.ts'

/** What is counted of each kind. */
type Part = 'kind' | 'levels' | 'services' | 'buckets'

interface Row {
  readonly part: Part
  /** Of the kind: decimal digits. */
  readonly number: string
  readonly names: readonly string[]
  /** Of the names; of the kind itself how many there are, and how many of all kinds. */
  readonly counts: readonly (number | string)[]
  readonly firstSeen: number | string
  readonly lastSeen: number | string
  readonly samples: readonly string[]
}

/** Of messages, in an answer: kinds with fewer records are forgotten. */
export const samplesBytesMax = 32 * 1024 * 1024

/** Kinds whose texts are made before others have their turn: some milliseconds. */
export const kindsAtOnce = 512

/** Of rows that tell the kind of their message. */
export function patternsQuestion({ bucketMs, samples }: PatternsRequest): CollectedQuestion {
  const bound = new Bound('q')
  const bucket = `toString(floor(Time / ${bound.number(bucketMs)}))`
  const most = `ORDER BY found DESC, PatternNumber LIMIT ${whole(limits.patternsMax)}`
  const ofNames = (part: Part, name: string, from: string) => `SELECT '${part}' AS part,
    toString(PatternNumber) AS number, groupArray(name) AS names, groupArray(inName) AS counts,
    toInt64(0) AS firstSeen, toInt64(0) AS lastSeen, emptyArrayString() AS samples FROM (
      SELECT PatternNumber, ${name} AS name, count() AS inName FROM ${from} GROUP BY PatternNumber, name
    ) GROUP BY PatternNumber ORDER BY sum(inName) DESC, PatternNumber LIMIT ${whole(limits.patternsMax)}`
  return {
    statement: from =>
      [
        kindsFrom(from, samples, most),
        ofNames('levels', 'toString(Level)', from),
        ofNames('services', 'toString(ServiceName)', from),
        ofNames('buckets', bucket, from),
      ]
        .map(part => `(${part})`)
        .join(' UNION ALL '),
    params: bound.params,
    plainOf: rows => plainOf(rows as readonly Row[], samples),
  }
}

function kindsFrom(from: string, samples: number, most: string): string {
  const ends = samples === 0 ? '' : ', argMax(text, Time)'
  const before = `sum(arraySum(text -> length(text), samples)) OVER (
    ORDER BY found DESC, PatternNumber ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  return `SELECT 'kind' AS part, toString(PatternNumber) AS number, emptyArrayString() AS names,
    [found, allFound] AS counts, firstSeen, lastSeen, samples FROM (
      SELECT *, ${before} AS before FROM (
        SELECT PatternNumber, count() AS found, sum(found) OVER () AS allFound, min(Time) AS firstSeen,
          max(Time) AS lastSeen, [argMin(text, Time)${ends}] AS samples
        FROM (SELECT PatternNumber, Time, substring(Body, 1, ${whole(tellingBytes)}) AS text FROM ${from})
        GROUP BY PatternNumber ${most}
      )
    ) WHERE before <= ${whole(samplesBytesMax)}`
}

/** Undefined where a message is of another kind than its row tells. */
async function plainOf(
  rows: readonly Row[],
  samplesWanted: number,
): Promise<PlainPatterns | undefined> {
  const patterns = new Map<string, PatternCounts<PlainBucketCounts>>()
  let forgottenCount = 0
  let read = 0
  const parts = new Map<string, Row>(rows.map(row => [`${row.part} ${row.number}`, row]))
  for (const { part, number, counts, firstSeen, lastSeen, samples } of rows) {
    if (part !== 'kind') continue
    if (++read % kindsAtOnce === 0) await othersWaited()
    const { id, text } = patternOfMessage(samples[0]!)
    if (numberOfId(id) !== BigInt(number)) return undefined
    const [count, allFound] = counts.map(Number) as [number, number]
    forgottenCount = allFound
    patterns.set(number, {
      ...{ id, text, count },
      firstSeen: Number(firstSeen),
      lastSeen: Number(lastSeen),
      levels: countsOf(parts.get(`levels ${number}`)),
      services: countsOf(parts.get(`services ${number}`)),
      buckets: bucketsOf(parts.get(`buckets ${number}`)),
      ...samplesOf(samples, samplesWanted),
    })
  }
  for (const { count } of patterns.values()) forgottenCount -= count
  return { patterns: [...patterns.values()], forgottenCount }
}

/** Of messages that were told. */
export function samplesOf(messages: readonly string[], wanted: number) {
  const shown = messages.map(message => message.slice(0, sampleLengthMax))
  return { samples: [...new Set(shown)].slice(0, wanted), sampledCount: shown.length }
}

/** None where the kind came after its part was counted. */
export function countsOf(row: Pick<Row, 'names' | 'counts'> | undefined): Map<string, number> {
  return new Map(row?.names.map((name, i) => [name, Number(row.counts[i])]))
}

export function bucketsOf(row: Pick<Row, 'names' | 'counts'> | undefined): PlainBucketCounts {
  const buckets = new BucketCounts()
  for (const [name, count] of countsOf(row)) buckets.add(Number(name), count)
  return buckets.toPlain()
}
