/** What a block has of each kind of message, from what is told of it: none of its columns is read. */

import type { LevelTimes } from '../../columns/patterns/level-times.ts'
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import type { Timestamp } from '../../record.ts'
import type { ToldPatterns } from '../../segment/skip/run-patterns.ts'
import type { KindCounts } from './block-kinds.ts'
import type { ToldBlock, ToldPart } from './collector.ts'

/** What a block or batch has, by kind: of other things as `KindCounts`. */
export interface CountedBlock {
  readonly patterns: readonly MessagePattern[]
  readonly counts: Uint32Array
  readonly levels: readonly string[]
  readonly byLevel: KindCounts
  readonly services: readonly string[]
  readonly byStream: KindCounts
  readonly byTime: { readonly firstBucket: number; readonly counts: KindCounts }
  firstSeen(kind: number): Timestamp
  lastSeen(kind: number): Timestamp
}

/** Times of a block, and a width of buckets, ms. */
interface BlockTimes extends Pick<ToldBlock, 'minTimestamp' | 'maxTimestamp'> {
  readonly bucketMs: number
}

/** Undefined where its records must be looked at; `part`: undefined for all. */
export function countTold(
  told: ToldPatterns,
  { minTimestamp, maxTimestamp }: Pick<ToldBlock, 'minTimestamp' | 'maxTimestamp'>,
  bucketMs: number,
  part: ToldPart | undefined,
): CountedBlock | undefined {
  const times = { minTimestamp, maxTimestamp, bucketMs }
  const { levels, patterns, service } = told
  const isLevel = levels.map(level => part?.levels.matchesLevel(level) !== false)
  const isAnyLevel = told.counts.every((count, i) => count === 0 || isLevel[levelOf(told, i)])
  const takes = (i: number) =>
    told.counts[i]! > 0 &&
    isLevel[levelOf(told, i)] === true &&
    part?.kinds[i % patterns.length] !== 0
  const byTime = bucketsOf(told, times, takes)
  const ends = isAnyLevel ? told : endsOf(told, takes)
  if (byTime === undefined || ends === undefined) return undefined
  const { firstTimes, lastTimes } = ends
  const byLevel = told.counts.map((count, i) => (takes(i) ? count : 0))
  const counts = sumsOf(byLevel, patterns.length)
  return {
    ...{ patterns, counts, levels, byLevel, services: [service], byStream: counts },
    byTime: byTime === 'one' ? { firstBucket: bucketAt(times, minTimestamp), counts } : byTime,
    firstSeen: kind => minTimestamp + firstTimes[kind]!,
    lastSeen: kind => minTimestamp + lastTimes[kind]!,
  }
}

function levelOf({ patterns }: ToldPatterns, i: number): number {
  return Math.floor(i / patterns.length)
}

function bucketAt({ bucketMs }: BlockTimes, timestamp: Timestamp): number {
  return Math.floor(timestamp / bucketMs)
}

/** `one`: all records are in the same bucket. */
function bucketsOf(told: ToldPatterns, times: BlockTimes, takes: (i: number) => boolean) {
  const { minTimestamp, maxTimestamp, bucketMs } = times
  const firstBucket = bucketAt(times, minTimestamp)
  const width = bucketAt(times, maxTimestamp) - firstBucket + 1
  if (width === 1) return 'one'
  const { byLevel, patterns } = told
  const isInCells = byLevel !== undefined && byLevel.cellMs > 0 && bucketMs % byLevel.cellMs === 0
  if (!isInCells) return undefined
  const { cellMs, cellCount, cells } = byLevel
  const kindCount = patterns.length
  const counts = new Uint32Array(width * kindCount)
  const firstCell = Math.floor(minTimestamp / cellMs)
  const cellsPerBucket = bucketMs / cellMs
  forEachPair(told, (pair, i) => {
    if (!takes(i)) return
    const kind = i % kindCount
    const from = pair * cellCount
    for (let cell = 0; cell < cellCount; cell++) {
      const inCell = cells[from + cell]!
      if (inCell === 0) continue
      const bucket = Math.floor((firstCell + cell) / cellsPerBucket) - firstBucket
      counts[bucket * kindCount + kind]! += inCell
    }
  })
  return { firstBucket, counts }
}

/** When each kind is first and last with the levels that are taken. */
function endsOf(
  told: ToldPatterns,
  takes: (i: number) => boolean,
): Pick<LevelTimes, 'firstTimes' | 'lastTimes'> | undefined {
  const { byLevel, patterns } = told
  if (byLevel === undefined) return undefined
  const firstTimes = new Uint32Array(patterns.length).fill(0xffff_ffff)
  const lastTimes = new Uint32Array(patterns.length)
  forEachPair(told, (pair, i) => {
    if (!takes(i)) return
    const kind = i % patterns.length
    firstTimes[kind] = Math.min(firstTimes[kind]!, byLevel.firstTimes[pair]!)
    lastTimes[kind] = Math.max(lastTimes[kind]!, byLevel.lastTimes[pair]!)
  })
  return { firstTimes, lastTimes }
}

/** `i`: the place of the pair among the counts. */
function forEachPair({ counts }: ToldPatterns, visit: (pair: number, i: number) => void): void {
  let pair = 0
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! > 0) visit(pair++, i)
  }
}

function sumsOf(byLevel: KindCounts, kindCount: number): Uint32Array {
  const sums = new Uint32Array(kindCount)
  for (let at = 0; at < byLevel.length; at++) sums[at % kindCount]! += byLevel[at]!
  return sums
}
