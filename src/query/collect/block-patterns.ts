/** What a batch or block has of each kind of message, counted in arrays: a row is looked at a few times. */

import type { Integers } from '../../columns/integers.ts'
import { type PatternCodes, patternCodes } from '../../columns/patterns/column-patterns.ts'
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { timesOf } from './histogram.ts'

/** In the place of a kind's number, for records that are not selected: kinds are numbered from 1. */
const noKind = 0

/** Counts of kinds by something else: that of kind k is at `number * kindCount + k`. */
export type KindCounts = Uint32Array

/** What is known of all records of a block, whatever is asked of them. */
interface WholeBlock {
  readonly patterns: readonly MessagePattern[]
  readonly kindOfCode: Uint32Array
  readonly counts: Uint32Array
  readonly firstRows: Uint32Array
  readonly lastRows: Uint32Array
}

/** Kept for as long as the codes are, and counted with them (`codeBytes`): blocks do not change. */
const wholeBlocks = new WeakMap<PatternCodes, WholeBlock>()

/** The kinds of the rows of the block at hand: memory anew for each block would be most of the work. */
let kindsRoom = new Uint32Array(0)

/** To be used before the next one is made. */
export class BlockPatterns {
  /** The kinds that selected records are of; that of `noKind` means nothing. */
  readonly patterns: readonly MessagePattern[]
  readonly counts: Uint32Array
  /** The rows in which each kind is first and last, in order of time. */
  readonly firstRows: Uint32Array
  readonly lastRows: Uint32Array
  readonly #columns: RecordColumns
  /** Of each record. */
  readonly #kinds: Uint32Array

  /** Reads all that it will need of the columns but their messages. Throws TurnOver. */
  constructor(columns: RecordColumns, selected: Uint8Array) {
    this.#columns = columns
    const coded = patternCodes(columns.message)
    const isWhole = columns.isSorted && !selected.includes(0)
    const known = isWhole ? wholeBlocks.get(coded) : undefined
    const { patterns, kindOfCode } = known ?? numberedKinds(coded, selected)
    this.patterns = patterns
    this.#kinds = kindsOf(coded.codes, kindOfCode, selected)
    if (known !== undefined) {
      this.counts = known.counts
      this.firstRows = known.firstRows
      this.lastRows = known.lastRows
      return
    }
    const kindCount = patterns.length
    this.counts = new Uint32Array(kindCount)
    for (let row = 0; row < this.#kinds.length; row++) this.counts[this.#kinds[row]!]!++
    this.firstRows = new Uint32Array(kindCount)
    this.lastRows = new Uint32Array(kindCount)
    if (columns.isSorted) this.#findEnds()
    else this.#findEndsByTime()
    if (!isWhole) return
    const { counts, firstRows, lastRows } = this
    wholeBlocks.set(coded, { patterns, kindOfCode, counts, firstRows, lastRows })
  }

  /** How many of each kind have each of `valueCount` values. */
  countsBy(codes: Integers, valueCount: number): KindCounts {
    const kindCount = this.patterns.length
    if (valueCount === 1) return this.counts
    const kinds = this.#kinds
    const counts = new Uint32Array(valueCount * kindCount)
    for (let row = 0; row < kinds.length; row++) counts[codes[row]! * kindCount + kinds[row]!]!++
    return counts
  }

  /** How many of each kind are in each bucket of time, from the first to the last one of the block. */
  countsByTime(bucketMs: number): { firstBucket: number; counts: KindCounts } {
    const { minTimestamp, maxTimestamp } = this.#columns
    const firstBucket = Math.floor(minTimestamp / bucketMs)
    const width = Math.floor(maxTimestamp / bucketMs) - firstBucket + 1
    if (width === 1) return { firstBucket, counts: this.counts }
    const kinds = this.#kinds
    const kindCount = this.patterns.length
    const counts = new Uint32Array(width * kindCount)
    const { base, distances } = this.#columns.sortedTimes ?? timesOf(this.#columns)
    // Neighbours mostly share a bucket: its borders are compared instead of dividing each time.
    for (let row = 0; row < kinds.length; ) {
      const bucket = Math.floor((base + distances[row]!) / bucketMs)
      const start = bucket * bucketMs - base
      const end = start + bucketMs
      const at = (bucket - firstBucket) * kindCount
      do {
        counts[at + kinds[row]!]!++
        row++
      } while (row < kinds.length && distances[row]! >= start && distances[row]! < end)
    }
    return { firstBucket, counts }
  }

  #findEnds(): void {
    const kinds = this.#kinds
    for (let row = kinds.length - 1; row >= 0; row--) this.firstRows[kinds[row]!] = row
    for (let row = 0; row < kinds.length; row++) this.lastRows[kinds[row]!] = row
  }

  #findEndsByTime(): void {
    const kinds = this.#kinds
    const firsts = new Float64Array(this.patterns.length).fill(Number.POSITIVE_INFINITY)
    const lasts = new Float64Array(this.patterns.length).fill(Number.NEGATIVE_INFINITY)
    for (let row = 0; row < kinds.length; row++) {
      const kind = kinds[row]!
      if (kind === noKind) continue
      const time = this.#columns.timestamp(row)
      if (time < firsts[kind]!) {
        firsts[kind] = time
        this.firstRows[kind] = row
      }
      if (time >= lasts[kind]!) {
        lasts[kind] = time
        this.lastRows[kind] = row
      }
    }
  }
}

/** Numbers the kinds of the selected records. Throws TurnOver. */
function numberedKinds(
  { codes, codeCount, patternOf }: PatternCodes,
  selected: Uint8Array,
): Pick<WholeBlock, 'patterns' | 'kindOfCode'> {
  const isSeen = new Uint8Array(codeCount)
  for (let row = 0; row < selected.length; row++) isSeen[codes[row]!]! |= selected[row]!
  const patterns: MessagePattern[] = [{ id: '', text: '' }]
  const kindOfCode = new Uint32Array(codeCount)
  const kindOf = new Map<string, number>()
  for (let code = isSeen.indexOf(1); code !== -1; code = isSeen.indexOf(1, code + 1)) {
    const pattern = patternOf(code)
    let kind = kindOf.get(pattern.id)
    if (kind === undefined) {
      kind = patterns.push(pattern) - 1
      kindOf.set(pattern.id, kind)
    }
    kindOfCode[code] = kind
  }
  return { patterns, kindOfCode }
}

/** The kind of each record, `noKind` of those that are not selected. */
function kindsOf(codes: Integers, kindOfCode: Uint32Array, selected: Uint8Array): Uint32Array {
  if (kindsRoom.length < selected.length) kindsRoom = new Uint32Array(selected.length)
  const kinds = kindsRoom.subarray(0, selected.length)
  for (let row = 0; row < kinds.length; row++) {
    kinds[row] = selected[row]! * kindOfCode[codes[row]!]!
  }
  return kinds
}
