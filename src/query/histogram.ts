/**
 * Counts per bucket of time and level. Buckets are aligned to the epoch; a bucket's number is its start
 * divided by its width.
 */
import type { Timestamp } from '../record.ts'
import type { Numbers } from '../segment/columns/numbers.ts'
import type { RecordColumns } from './record-columns.ts'

/** As it travels between threads: bucket number, level and count, for those that occur. */
export type HistogramCounts = [bucket: number, level: string, count: number][]

function timesOf(columns: RecordColumns): Numbers {
  const distances = new Float64Array(columns.recordCount)
  for (let row = 0; row < distances.length; row++) distances[row] = columns.timestamp(row)
  return { base: 0, distances }
}

export class Histogram {
  readonly bucketMs: number
  readonly #levels = new Map<string, Map<number, number>>()

  /** `bucketMs`: width of a bucket in milliseconds, at least 1. */
  constructor(bucketMs: number) {
    this.bucketMs = bucketMs
  }

  bucketOf(timestamp: Timestamp): number {
    return Math.floor(timestamp / this.bucketMs)
  }

  add(bucket: number, level: string, count: number): void {
    let buckets = this.#levels.get(level)
    if (buckets === undefined) {
      buckets = new Map()
      this.#levels.set(level, buckets)
    }
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  }

  addAll(counts: HistogramCounts): void {
    for (const [bucket, level, count] of counts) this.add(bucket, level, count)
  }

  /** Adds the selected records of a batch or block, from its times and levels alone. */
  addSelected(columns: RecordColumns, selected: Uint8Array): void {
    const { levels, levelCodes } = columns
    const first = this.bucketOf(columns.minTimestamp)
    const width = this.bucketOf(columns.maxTimestamp) - first + 1
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
      this.add(first + (i % width), levels[Math.floor(i / width)]!, counts[i]!)
    }
  }

  toCounts(): HistogramCounts {
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
      this.add(this.bucketOf(columns.timestamp(row)), level, 1)
    }
  }
}
