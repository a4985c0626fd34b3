/**
 * Counts per bucket of time and level. Buckets are aligned to the epoch; a bucket's number is its start
 * divided by its width.
 */

import type { Numbers } from '../../columns/numbers.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { forEachLevel, type IndexEntry } from '../../index/entry.ts'
import type { Timestamp } from '../../record.ts'
import { BucketCounts, type PlainBucketCounts } from './bucket-counts.ts'
import type { Collector, WantedLevels } from './collector.ts'

export interface HistogramRequest {
  readonly kind: 'histogram'
  /** Width of a bucket in milliseconds, at least 1. */
  readonly bucketMs: number
}

/** As it travels between threads: of each level that occurs its buckets. */
export type HistogramCounts = [level: string, buckets: PlainBucketCounts][]

/** The times of records that are in no order of time. */
export function timesOf(columns: RecordColumns): Numbers {
  const distances = new Float64Array(columns.recordCount)
  for (let row = 0; row < distances.length; row++) distances[row] = columns.timestamp(row)
  return { base: 0, distances }
}

export class Histogram implements Collector<HistogramCounts> {
  readonly request: HistogramRequest
  readonly #levels = new Map<string, BucketCounts>()
  /** The caller bounds the number of buckets in the range. */
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

  addEntry(entry: IndexEntry, wanted: WantedLevels): void {
    const bucket = this.#bucketOf(entry.minTimestamp)
    forEachLevel(entry, (level, levelCount) => {
      if (wanted.matchesLevel(level)) this.#bucketsOf(level).add(bucket, levelCount)
    })
  }

  #bucketOf(timestamp: Timestamp): number {
    return Math.floor(timestamp / this.bucketMs)
  }

  #bucketsOf(level: string): BucketCounts {
    return getOrInsertComputed(this.#levels, level, () => new BucketCounts())
  }

  addPlain(counts: HistogramCounts): void {
    for (const [level, buckets] of counts) this.#bucketsOf(level).addPlain(buckets)
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
    for (let row = 0; row < selected.length; ) {
      const bucket = this.#bucketOf(base + distances[row]!) - first
      const start = (first + bucket) * this.bucketMs - base
      const end = start + this.bucketMs
      do {
        counts[levelCodes[row]! * width + bucket]! += selected[row]!
        row++
      } while (row < selected.length && distances[row]! >= start && distances[row]! < end)
    }
    levels.forEach((level, code) => {
      const ofLevel = counts.subarray(code * width, (code + 1) * width)
      const buckets = this.#bucketsOf(level)
      for (let i = 0; i < width; i++) buckets.add(first + i, ofLevel[i]!)
    })
  }

  toPlain(): HistogramCounts {
    const counts: HistogramCounts = []
    for (const [level, buckets] of this.#levels) counts.push([level, buckets.toPlain()])
    return counts
  }

  /** For few records in a long time: no array of all buckets between the first and the last. */
  #addOneByOne(columns: RecordColumns, selected: Uint8Array): void {
    for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
      const level = columns.levels[columns.levelCodes[row]!]!
      this.#bucketsOf(level).add(this.#bucketOf(columns.timestamp(row)), 1)
    }
  }
}
