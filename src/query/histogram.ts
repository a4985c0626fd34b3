/**
 * Counts per bucket of time and level. Buckets are aligned to the epoch; a bucket's number is its start
 * divided by its width.
 */
import { forEachLevel, type IndexEntry } from '../index/entry.ts'
import type { Timestamp } from '../record.ts'
import type { Numbers } from '../segment/columns/numbers.ts'
import type { RecordColumns } from './record-columns.ts'
import type { Tally } from './tally.ts'

export interface HistogramRequest {
  readonly kind: 'histogram'
  /** Width of a bucket in milliseconds, at least 1. */
  readonly bucketMs: number
}

/** As it travels between threads: bucket number, level and count, for those that occur. */
export type HistogramCounts = [bucket: number, level: string, count: number][]

/** The times of records that are in no order of time. */
export function timesOf(columns: RecordColumns): Numbers {
  const distances = new Float64Array(columns.recordCount)
  for (let row = 0; row < distances.length; row++) distances[row] = columns.timestamp(row)
  return { base: 0, distances }
}

export class Histogram implements Tally<HistogramCounts> {
  readonly request: HistogramRequest
  readonly #levels = new Map<string, Map<number, number>>()
  /** Whoever asks has seen to it that the buckets of the range are not too many. */
  readonly refusal = undefined

  constructor(bucketMs: number) {
    this.request = { kind: 'histogram', bucketMs }
  }

  get bucketMs(): number {
    return this.request.bucketMs
  }

  takesEntry({ minTimestamp, maxTimestamp }: IndexEntry): boolean {
    return this.#bucketOf(minTimestamp) === this.#bucketOf(maxTimestamp)
  }

  addEntry(entry: IndexEntry, matchesLevel: (level: string) => boolean): void {
    const bucket = this.#bucketOf(entry.minTimestamp)
    forEachLevel(entry, (level, levelCount) => {
      if (matchesLevel(level)) this.#addCount(bucket, level, levelCount)
    })
  }

  #bucketOf(timestamp: Timestamp): number {
    return Math.floor(timestamp / this.bucketMs)
  }

  #addCount(bucket: number, level: string, count: number): void {
    let buckets = this.#levels.get(level)
    if (buckets === undefined) {
      buckets = new Map()
      this.#levels.set(level, buckets)
    }
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  }

  addPlain(counts: HistogramCounts): void {
    for (const [bucket, level, count] of counts) this.#addCount(bucket, level, count)
  }

  /** Adds the selected records of a batch or block, from its times and levels alone. */
  add(columns: RecordColumns, selected: Uint8Array): void {
    const { levels, levelCodes } = columns
    const first = this.#bucketOf(columns.minTimestamp)
    const width = this.#bucketOf(columns.maxTimestamp) - first + 1
    if (width * levels.length > 4 * columns.recordCount + 1024) {
      this.#addOneByOne(columns, selected)
      return
    }
    const counts = new Uint32Array(width * levels.length)
    const { base, distances } = columns.sortedTimes ?? timesOf(columns)
    // Neighbours mostly share a bucket: its borders are compared instead of dividing each time.
    let bucket = 0
    let start = first * this.bucketMs
    let end = start + this.bucketMs
    for (let row = 0; row < selected.length; row++) {
      const time = base + distances[row]!
      if (time >= end || time < start) {
        bucket = Math.floor(time / this.bucketMs) - first
        start = (first + bucket) * this.bucketMs
        end = start + this.bucketMs
      }
      counts[levelCodes[row]! * width + bucket]! += selected[row]!
    }
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] === 0) continue
      this.#addCount(first + (i % width), levels[Math.floor(i / width)]!, counts[i]!)
    }
  }

  toPlain(): HistogramCounts {
    const counts: HistogramCounts = []
    for (const [level, buckets] of this.#levels) {
      for (const [bucket, count] of buckets) counts.push([bucket, level, count])
    }
    return counts
  }

  /** For few records in a long time: no array of all buckets between the first and the last. */
  #addOneByOne(columns: RecordColumns, selected: Uint8Array): void {
    for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
      const level = columns.levels[columns.levelCodes[row]!]!
      this.#addCount(this.#bucketOf(columns.timestamp(row)), level, 1)
    }
  }
}
