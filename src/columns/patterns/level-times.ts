/**
 * When the messages of a block are logged, by kind and level: so that neither a timeline nor a question about
 * one level has to read the times of its records.
 *
 * A *pair* is a kind and a level that some records have both. Pairs are in the order of the block's counts
 * (`PatternTable`), where theirs are not 0: nothing else says which they are.
 */

import { hourMs, minuteMs } from '../../time-units.ts'
import type { Integers } from '../integers.ts'

export interface LevelTimes {
  /** When each pair is first and last, ms since the block's first record. */
  readonly firstTimes: Uint32Array
  readonly lastTimes: Uint32Array
  /** Width of a cell of time, ms; cells are aligned to 1970, and the first is that of the first record. 0:
   *  they are not counted. */
  readonly cellMs: number
  readonly cellCount: number
  /** How many records of each pair are in each cell: pair p in cell c at `p * cellCount + c`. */
  readonly cells: Uint16Array
}

/**
 * Widths of cells: each is a part of all wider ones, and of the widths that people are shown
 * (`query/collect/bucket-width.ts`), so that such a bucket is some whole cells.
 */
const cellWidthsMs = [
  ...[1_000, 5_000, 30_000],
  ...[minuteMs, 5 * minuteMs, 30 * minuteMs],
  ...[hourMs, 6 * hourMs],
]
/** Cells of a block: half an hour each for a day. */
const cellsMax = 49

/** What of a block is counted; kinds are numbers from 0 up. */
interface CountedRows {
  readonly levelCodes: ArrayLike<number>
  /** Ascending, ms. */
  readonly timestamps: Float64Array
  readonly codes: Integers
  readonly kindOfCode: Uint32Array
  readonly kindCount: number
  /** Kind k has level l at `l * kindCount + k`. */
  readonly counts: Uint32Array
}

export function levelTimesOf(rows: CountedRows): LevelTimes {
  const { levelCodes, timestamps, codes, kindOfCode, kindCount, counts } = rows
  const { pairOf, pairCount } = pairsOf(counts)
  const startTime = timestamps[0]!
  const { cellMs, cellCount } = cellsFor(timestamps, pairCount)
  const firstCell = cellCount > 0 ? Math.floor(startTime / cellMs) : 0
  const firstTimes = new Uint32Array(pairCount)
  const lastTimes = new Uint32Array(pairCount)
  const cells = new Uint16Array(pairCount * cellCount)
  const pairAt = (row: number) => pairOf[levelCodes[row]! * kindCount + kindOfCode[codes[row]!]!]!
  for (let row = codes.length - 1; row >= 0; row--) {
    firstTimes[pairAt(row)] = timestamps[row]! - startTime
  }
  for (let row = 0; row < codes.length; row++) {
    const pair = pairAt(row)
    const time = timestamps[row]!
    lastTimes[pair] = time - startTime
    if (cellCount > 0) cells[pair * cellCount + Math.floor(time / cellMs) - firstCell]!++
  }
  return { firstTimes, lastTimes, cellMs, cellCount, cells }
}

/** The number of each pair by its place among the counts; that of a place with a 0 means nothing. */
export function pairsOf(counts: Uint32Array): { pairOf: Uint32Array; pairCount: number } {
  const pairOf = new Uint32Array(counts.length)
  let pairCount = 0
  for (let i = 0; i < counts.length; i++) {
    pairOf[i] = pairCount
    if (counts[i]! > 0) pairCount++
  }
  return { pairOf, pairCount }
}

/** The narrowest cells that are few, and of which no more are counted than there are records. */
function cellsFor(
  timestamps: Float64Array,
  pairCount: number,
): Pick<LevelTimes, 'cellMs' | 'cellCount'> {
  const none = { cellMs: 0, cellCount: 0 }
  // A cell's count takes two bytes.
  if (timestamps.length > 0xffff) return none
  const [startTime, endTime] = [timestamps[0]!, timestamps.at(-1)!]
  for (const cellMs of cellWidthsMs) {
    const cellCount = Math.floor(endTime / cellMs) - Math.floor(startTime / cellMs) + 1
    const isFew = cellCount <= cellsMax && pairCount * cellCount <= timestamps.length
    // In one cell everything is in one bucket, too.
    if (isFew) return cellCount === 1 ? none : { cellMs, cellCount }
  }
  return none
}
