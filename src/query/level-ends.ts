/**
 * When the records of each level of a block are first and last: with these, a question about a level whose
 * count the index knows opens the block of its first record, and no others. Skip indexes tell the times
 * (`columns/patterns/level-times.ts`); what was told of a block is kept here, since blocks never change.
 */

import { forEachLevel, type IndexEntry } from '../index/entry.ts'
import type { BlockRef } from '../index/source.ts'
import type { Times, Timestamp } from '../record.ts'
import type { ToldBlock, WantedLevels } from './collect/collector.ts'

/** Of the records of a level in a block. */
export interface LevelEnd {
  readonly level: string
  readonly count: number
  readonly first: Timestamp
  readonly last: Timestamp
}

/** Blocks of which it is kept, about 300 bytes each. */
const blocksMax = 50_000

/** Of each level that a block has; undefined where not all of its records are told of. */
export function levelEndsOf(block: ToldBlock): LevelEnd[] | undefined {
  const told = block.toldPatterns()
  if (told?.byLevel === undefined) return undefined
  const { levels, counts, byLevel, patterns } = told
  const ends: LevelEnd[] = []
  let pair = 0
  let sum = 0
  for (const [number, level] of levels.entries()) {
    let count = 0
    let first = Number.POSITIVE_INFINITY
    let last = Number.NEGATIVE_INFINITY
    for (let kind = 0; kind < patterns.length; kind++) {
      const ofPair = counts[number * patterns.length + kind]!
      if (ofPair === 0) continue
      count += ofPair
      first = Math.min(first, byLevel.firstTimes[pair]!)
      last = Math.max(last, byLevel.lastTimes[pair]!)
      pair++
    }
    sum += count
    const { minTimestamp } = block
    if (count > 0)
      ends.push({ level, count, first: minTimestamp + first, last: minTimestamp + last })
  }
  return sum === block.recordCount ? ends : undefined
}

export class LevelEnds {
  /** By segment, and offset of the block's directory. */
  readonly #bySegment = new Map<number, Map<number, readonly LevelEnd[]>>()
  readonly #blocksMax: number
  #blockCount = 0

  constructor(max = blocksMax) {
    this.#blocksMax = max
  }

  /** Whether what is told of another block would be kept. */
  get hasRoom(): boolean {
    return this.#blockCount < this.#blocksMax
  }

  /** Whether it is known what is told of a block: nothing perhaps. */
  has({ segment, directory }: BlockRef): boolean {
    return this.#bySegment.get(segment)?.has(directory.offset) === true
  }

  /** Keeps what is told of a block, if it agrees with the block's entry. */
  note({ source, levelCounts }: BlockEntry, told: readonly LevelEnd[] = []): void {
    if (!this.hasRoom || this.has(source)) return
    const { segment, directory } = source
    const ofSegment = this.#bySegment.get(segment) ?? new Map()
    this.#bySegment.set(
      segment,
      ofSegment.set(directory.offset, agrees(told, levelCounts) ? told : []),
    )
    this.#blockCount++
  }

  /** Forgets the blocks of segments that are gone. */
  keepOnly(isLive: (segment: number) => boolean): void {
    for (const [segment, blocks] of this.#bySegment) {
      if (isLive(segment)) continue
      this.#bySegment.delete(segment)
      this.#blockCount -= blocks.size
    }
  }

  /** From the first to the last record of a block with one of the levels; undefined where it is not known. */
  timesOf({ segment, directory }: BlockRef, wanted: WantedLevels): Times | undefined {
    const ends = this.#bySegment.get(segment)?.get(directory.offset)
    if (ends === undefined) return undefined
    let minTimestamp = Number.POSITIVE_INFINITY
    let maxTimestamp = Number.NEGATIVE_INFINITY
    for (const { level, first, last } of ends) {
      if (!wanted.matchesLevel(level)) continue
      minTimestamp = Math.min(minTimestamp, first)
      maxTimestamp = Math.max(maxTimestamp, last)
    }
    return minTimestamp <= maxTimestamp ? { minTimestamp, maxTimestamp } : undefined
  }
}

/** What the index says of a block. */
export type BlockEntry = Pick<IndexEntry, 'levelCounts'> & { readonly source: BlockRef }

function agrees(told: readonly LevelEnd[], levelCounts: BlockEntry['levelCounts']): boolean {
  let isSame = 2 * told.length === levelCounts.length
  forEachLevel({ levelCounts }, (level, count) => {
    if (!told.some(end => end.level === level && end.count === count)) isSame = false
  })
  return isSame
}
