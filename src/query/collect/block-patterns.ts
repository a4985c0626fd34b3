/** What a batch or block has of each kind of message, counted in arrays: a row is looked at a few times. */

import type { Integers } from '../../columns/integers.ts'
import { begunCodes, forgetCodes } from '../../columns/patterns/column-patterns.ts'
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import { countBelow, type RecordColumns } from '../../columns/record-columns.ts'
import type { Timestamp } from '../../record.ts'
import {
  type CountedKinds,
  type KindCounts,
  kindsOf,
  numberCodes,
  type WholeKinds,
} from './block-kinds.ts'
import { timesOf } from './histogram.ts'
import { isList, type SelectedRows, selectedRows } from './selected-rows.ts'

/** To be used before the next one is made. */
export class BlockPatterns {
  /** Selected records may be of these kinds; that of `noKind` means nothing. */
  readonly patterns: readonly MessagePattern[]
  readonly counts: Uint32Array
  readonly firstTimes: Float64Array
  readonly lastTimes: Float64Array
  readonly #columns: RecordColumns
  readonly #codes: Integers
  readonly #kindOfCode: Uint32Array
  readonly #rows: SelectedRows
  readonly #whole: WholeKinds | undefined

  /** Reads all that it will need of the columns but their messages. Throws TurnOver. */
  constructor(columns: RecordColumns, selected: Uint8Array) {
    this.#columns = columns
    const told = columns.toldPatterns?.()
    const coded = begunCodes(columns.message, told)
    const kinds = kindsOf(columns, coded, told)
    this.#codes = coded.codes
    this.#kindOfCode = kinds.kindOfCode
    this.#rows = selectedRows(selected)
    const isWhole = this.#rows.count === columns.recordCount && columns.isSorted
    if (!kinds.isNumbered) numberCodes(kinds, coded.codes, this.#rows)
    kinds.isNumbered ||= isWhole
    forgetCodes(columns.message)
    this.patterns = kinds.patterns
    if (isWhole) kinds.whole ??= this.#countKinds()
    this.#whole = isWhole ? kinds.whole : undefined
    const { counts, firstTimes, lastTimes } = this.#whole ?? this.#countKinds()
    this.counts = counts
    this.firstTimes = firstTimes
    this.lastTimes = lastTimes
  }

  /** Some records of a kind: the first and the last one. */
  endsOf(kind: number): readonly number[] {
    const { sortedTimes } = this.#columns
    const placeOf = (time: Timestamp) =>
      sortedTimes && this.#placesBefore(countBelow(sortedTimes.distances, time - sortedTimes.base))
    const [firstTime, lastTime] = [this.firstTimes[kind]!, this.lastTimes[kind]!]
    const first = this.#rowOf(kind, firstTime, placeOf(firstTime) ?? 0, 1)
    const last = this.#rowOf(kind, lastTime, (placeOf(lastTime + 1) ?? this.#rows.count) - 1, -1)
    return first === last ? [first] : [first, last]
  }

  /** How many of the selected rows are before a row. */
  #placesBefore(row: number): number {
    const rows = this.#rows
    if (isList(rows)) return countBelow(rows.list, row, 0, rows.count)
    return Math.min(Math.max(0, row - rows.from), rows.count)
  }

  /** A row of a kind at a time that it has; looked for from a place among the selected rows on. */
  #rowOf(kind: number, time: Timestamp, from: number, step: 1 | -1): number {
    const rows = this.#rows
    for (let i = from; i >= 0 && i < rows.count; i += step) {
      const row = isList(rows) ? rows.list[i]! : rows.from + i
      const isOfKind = this.#kindOfCode[this.#codes[row]!] === kind
      if (isOfKind && this.#columns.timestamp(row) === time) return row
    }
    throw new RangeError('no record has the time that is told of its kind')
  }

  /** How many of each kind have each level of the columns. */
  countsByLevel(): KindCounts {
    if (this.#whole?.byLevel !== undefined) return this.#whole.byLevel
    const { levels, levelCodes } = this.#columns
    const byLevel = this.countsBy(levelCodes, levels.length)
    if (this.#whole !== undefined) this.#whole.byLevel = byLevel
    return byLevel
  }

  /** How many of each kind have each of `valueCount` values. */
  countsBy(values: Integers, valueCount: number): KindCounts {
    if (valueCount === 1) return this.counts
    const codes = this.#codes
    const kindOfCode = this.#kindOfCode
    const kindCount = this.patterns.length
    const counts = new Uint32Array(valueCount * kindCount)
    const rows = this.#rows
    if (isList(rows)) {
      for (let i = 0; i < rows.count; i++) {
        const row = rows.list[i]!
        counts[values[row]! * kindCount + kindOfCode[codes[row]!]!]!++
      }
      return counts
    }
    for (let row = rows.from; row < rows.to; row++) {
      counts[values[row]! * kindCount + kindOfCode[codes[row]!]!]!++
    }
    return counts
  }

  /** How many of each kind are in each bucket of time, from that of the first to that of the last one. */
  countsByTime(bucketMs: number): { firstBucket: number; counts: KindCounts } {
    const { minTimestamp, maxTimestamp, sortedTimes } = this.#columns
    const bucketOf = (timestamp: Timestamp) => Math.floor(timestamp / bucketMs)
    if (bucketOf(minTimestamp) === bucketOf(maxTimestamp)) {
      return { firstBucket: bucketOf(minTimestamp), counts: this.counts }
    }
    const rows = this.#rows
    if (sortedTimes === undefined || isList(rows)) return this.#countsOfRows(bucketMs)
    const { base, distances } = sortedTimes
    const firstBucket = bucketOf(base + distances[rows.from]!)
    const width = bucketOf(base + distances[rows.to - 1]!) - firstBucket + 1
    if (width === 1) return { firstBucket, counts: this.counts }
    const codes = this.#codes
    const kindOfCode = this.#kindOfCode
    const kindCount = this.patterns.length
    const counts = new Uint32Array(width * kindCount)
    for (let row = rows.from; row < rows.to; ) {
      const bucket = bucketOf(base + distances[row]!)
      const end = countBelow(distances, (bucket + 1) * bucketMs - base, row, rows.to)
      const at = (bucket - firstBucket) * kindCount
      for (; row < end; row++) counts[at + kindOfCode[codes[row]!]!]!++
    }
    return { firstBucket, counts }
  }

  /**
   * The same of rows that do not follow one another. From the first to the last of the selected ones: a batch
   * may be of days where a few milliseconds are asked for.
   */
  #countsOfRows(bucketMs: number): { firstBucket: number; counts: KindCounts } {
    const { base, distances } = this.#columns.sortedTimes ?? timesOf(this.#columns)
    const firstTime = this.firstTimes.reduce((least, time) => Math.min(least, time))
    const lastTime = this.lastTimes.reduce((greatest, time) => Math.max(greatest, time))
    const firstBucket = Math.floor(firstTime / bucketMs)
    const width = Math.floor(lastTime / bucketMs) - firstBucket + 1
    const codes = this.#codes
    const kindOfCode = this.#kindOfCode
    const kindCount = this.patterns.length
    const counts = new Uint32Array(width * kindCount)
    const rows = this.#rows
    // Neighbours mostly share a bucket: its borders are compared instead of dividing each time.
    let [start, end, at] = [0, 0, 0]
    for (let i = 0; i < rows.count; i++) {
      const row = isList(rows) ? rows.list[i]! : rows.from + i
      const distance = distances[row]!
      if (distance < start || distance >= end) {
        const bucket = Math.floor((base + distance) / bucketMs)
        start = bucket * bucketMs - base
        end = start + bucketMs
        at = (bucket - firstBucket) * kindCount
      }
      counts[at + kindOfCode[codes[row]!]!]!++
    }
    return { firstBucket, counts }
  }

  #countKinds(): CountedKinds {
    const rows = this.#rows
    const codes = this.#codes
    const kindOfCode = this.#kindOfCode
    const kindCount = this.patterns.length
    const counts = new Uint32Array(kindCount)
    const firstTimes = new Float64Array(kindCount).fill(Number.POSITIVE_INFINITY)
    const lastTimes = new Float64Array(kindCount).fill(Number.NEGATIVE_INFINITY)
    const { base, distances } = this.#columns.sortedTimes ?? timesOf(this.#columns)
    for (let i = 0; i < rows.count; i++) {
      const row = isList(rows) ? rows.list[i]! : rows.from + i
      const kind = kindOfCode[codes[row]!]!
      const time = base + distances[row]!
      counts[kind]!++
      if (time < firstTimes[kind]!) firstTimes[kind] = time
      if (time > lastTimes[kind]!) lastTimes[kind] = time
    }
    return { counts, firstTimes, lastTimes }
  }
}
