/** What a batch or block has of each kind of message, counted in arrays: a row is looked at a few times. */

import type { Integers } from '../../columns/integers.ts'
import { type PatternCodes, patternCodes } from '../../columns/patterns/column-patterns.ts'
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import { countBelow, type RecordColumns } from '../../columns/record-columns.ts'
import type { Timestamp } from '../../record.ts'
import { timesOf } from './histogram.ts'
import { isList, type SelectedRows, selectedRows } from './selected-rows.ts'

/** In the place of a code's kind that nobody has asked for yet: kinds are numbered from 1. */
const noKind = 0

/** Counts of kinds by something else: that of kind k is at `number * kindCount + k`. */
export type KindCounts = Uint32Array

/** How many there are of each kind, and when the first and the last. */
interface CountedKinds {
  readonly counts: Uint32Array
  readonly firstRows: Uint32Array
  readonly lastRows: Uint32Array
}

/** Kept for as long as the codes are, and counted with them (`codeBytes`): blocks do not change. */
const knownKinds = new WeakMap<PatternCodes, BlockKinds>()

/** The kinds of the codes of a column, numbered as they are asked for. */
class BlockKinds {
  /** That of `noKind` means nothing. */
  readonly patterns: MessagePattern[] = [{ id: '', text: '' }]
  readonly kindOfCode: Uint32Array
  /** Of all records. */
  whole: CountedKinds | undefined
  readonly #kindOf = new Map<string, number>()
  readonly #patternOf: PatternCodes['patternOf']

  constructor({ codeCount, patternOf }: PatternCodes) {
    this.kindOfCode = new Uint32Array(codeCount)
    this.#patternOf = patternOf
  }

  /** The kind of a code. Throws TurnOver. */
  number(code: number): number {
    const pattern = this.#patternOf(code)
    let kind = this.#kindOf.get(pattern.id)
    if (kind === undefined) {
      kind = this.patterns.push(pattern) - 1
      this.#kindOf.set(pattern.id, kind)
    }
    this.kindOfCode[code] = kind
    return kind
  }
}

/** To be used before the columns change. */
export class BlockPatterns {
  /** Selected records may be of these kinds; that of `noKind` means nothing. */
  readonly patterns: readonly MessagePattern[]
  readonly counts: Uint32Array
  /** The rows in which each kind is first and last, in order of time. */
  readonly firstRows: Uint32Array
  readonly lastRows: Uint32Array
  readonly #columns: RecordColumns
  readonly #codes: Integers
  readonly #kindOfCode: Uint32Array
  readonly #rows: SelectedRows

  /** Reads all that it will need of the columns but their messages. Throws TurnOver. */
  constructor(columns: RecordColumns, selected: Uint8Array) {
    this.#columns = columns
    const coded = patternCodes(columns.message, columns.toldPatterns?.())
    let kinds = knownKinds.get(coded)
    if (kinds === undefined) {
      kinds = new BlockKinds(coded)
      knownKinds.set(coded, kinds)
    }
    this.#codes = coded.codes
    this.#kindOfCode = kinds.kindOfCode
    this.#rows = selectedRows(selected)
    const { count } = this.#rows
    const isWhole = columns.isSorted && count === columns.recordCount
    if (!isWhole || kinds.whole === undefined) numberCodes(kinds, coded.codes, this.#rows)
    this.patterns = kinds.patterns
    const known = isWhole ? kinds.whole : undefined
    const counted = known ?? this.#countKinds()
    if (isWhole) kinds.whole = counted
    this.counts = counted.counts
    this.firstRows = counted.firstRows
    this.lastRows = counted.lastRows
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

  /** The same of rows that do not follow one another. */
  #countsOfRows(bucketMs: number): { firstBucket: number; counts: KindCounts } {
    const { minTimestamp, maxTimestamp } = this.#columns
    const { base, distances } = this.#columns.sortedTimes ?? timesOf(this.#columns)
    const firstBucket = Math.floor(minTimestamp / bucketMs)
    const width = Math.floor(maxTimestamp / bucketMs) - firstBucket + 1
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
    const firstRows = new Uint32Array(kindCount)
    const lastRows = new Uint32Array(kindCount)
    const isSorted = this.#columns.isSorted
    for (let i = 0; i < rows.count; i++) {
      const row = isList(rows) ? rows.list[i]! : rows.from + i
      const kind = kindOfCode[codes[row]!]!
      if (counts[kind]!++ === 0) firstRows[kind] = lastRows[kind] = row
      else if (isSorted) lastRows[kind] = row
      else this.#widen(kind, row, firstRows, lastRows)
    }
    return { counts, firstRows, lastRows }
  }

  /** The journal is in order of arrival. */
  #widen(kind: number, row: number, firstRows: Uint32Array, lastRows: Uint32Array): void {
    const time = this.#columns.timestamp(row)
    if (time < this.#columns.timestamp(firstRows[kind]!)) firstRows[kind] = row
    if (time >= this.#columns.timestamp(lastRows[kind]!)) lastRows[kind] = row
  }
}

/** Numbers the kinds of the rows. Throws TurnOver. */
function numberCodes(kinds: BlockKinds, codes: Integers, rows: SelectedRows): void {
  const { kindOfCode } = kinds
  for (let i = 0; i < rows.count; i++) {
    const code = codes[isList(rows) ? rows.list[i]! : rows.from + i]!
    if (kindOfCode[code] === noKind) kinds.number(code)
  }
}
