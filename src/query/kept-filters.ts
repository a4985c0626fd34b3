/**
 * Filters of blocks that the main thread keeps, so that a question about an id or a word wakes scan threads
 * only for blocks that may have it: mostly one, or none. To hand a question to two threads and back takes
 * longer than the filters of a hundred blocks.
 *
 * It never reads a file: whatever it lacks it asks the scan threads for, after the question that would have
 * needed it (`store/answer/learn-filters.ts`), and leaves the block to them meanwhile.
 */

import { getOrInsertComputed } from '../get-or-insert.ts'
import type { BlockRef, SourceRef } from '../index/source.ts'
import {
  type PlainBlockFilters,
  type QuickConditions,
  type QuickVerdict,
  quickConditionsOf,
  RunFilters,
} from '../segment/skip/run-filters.ts'
import type { Predicate } from './predicate.ts'

/** Of more blocks than this the scan threads look at the filters, each at half of them. */
const blocksMax = 2_048
/** How long filters may keep the main thread from its other work, ms; looked at after so many blocks. */
const pruneMsMax = 2
const blocksPerLook = 4
/** Filters that were not asked in so many questions make room for others. */
const idleQuestions = 64

interface Kept {
  /** Undefined where they cannot be read. */
  readonly filters: RunFilters | undefined
  readonly heldBytes: number
  /** The number of the last question that asked them. */
  usedAt: number
}

export interface Sieve {
  /** What is quickly said of a source; undefined: nothing. */
  verdict(source: SourceRef): QuickVerdict | undefined
}

export interface BlockPruner {
  /** For a question about so many sources; undefined where nothing is quickly said of any of them. */
  sieveFor(predicate: Predicate, sourceCount: number): Sieve | undefined
}

export class KeptFilters implements BlockPruner {
  readonly #bytesMax: number
  readonly #now: () => number
  /** By segment, and by the place of the skip index in it. */
  readonly #kept = new Map<number, Map<number, Kept>>()
  /** A block of each run whose filters were asked for and are not there; by place, as text. */
  readonly #wanted = new Map<string, BlockRef>()
  #heldBytes = 0
  #questionCount = 0
  /** The question at which there was no room for more. */
  #fullAt = Number.NEGATIVE_INFINITY

  /** `now`: the clock by which a question takes time, ms. */
  constructor(bytesMax: number, now = () => performance.now()) {
    this.#bytesMax = bytesMax
    this.#now = now
  }

  sieveFor(predicate: Predicate, sourceCount: number): Sieve | undefined {
    const asked = sourceCount <= blocksMax ? allQuick(predicate) : undefined
    if (asked === undefined) return undefined
    this.#questionCount++
    return new FilterSieve(this, asked, predicate.needs.length > 0, this.#now)
  }

  /** A block of a run whose filters are to be read; undefined when there is none. */
  get wanted(): BlockRef | undefined {
    const [next] = this.#wanted.values()
    return next
  }

  /** Keeps what was read of the run of a block, where there is room; undefined: it cannot be read. */
  note(source: BlockRef, read: readonly PlainBlockFilters[] | undefined): void {
    const { segment, skip } = source
    this.#wanted.delete(keyOf(source))
    if (skip === undefined || this.#kept.get(segment)?.has(skip.index.offset) === true) return
    const filters = read && new RunFilters(read)
    const heldBytes = filters?.heldBytes ?? 0
    if (!this.#makeRoom(heldBytes)) {
      this.#fullAt = this.#questionCount
      this.#wanted.clear()
      return
    }
    const ofSegment = getOrInsertComputed(this.#kept, segment, () => new Map())
    ofSegment.set(skip.index.offset, { filters, heldBytes, usedAt: this.#questionCount })
    this.#heldBytes += heldBytes
  }

  /** Forgets the runs of segments that are gone. */
  keepOnly(isLive: (segment: number) => boolean): void {
    for (const [segment, runs] of this.#kept) {
      if (isLive(segment)) continue
      for (const { heldBytes } of runs.values()) this.#heldBytes -= heldBytes
      this.#kept.delete(segment)
    }
    for (const [key, { segment }] of this.#wanted) {
      if (!isLive(segment)) this.#wanted.delete(key)
    }
  }

  /** The filters of a block's run, for the question that is asked now; undefined: they are not there. */
  filtersOf(source: BlockRef): RunFilters | undefined {
    const kept = this.#kept.get(source.segment)?.get(source.skip!.index.offset)
    if (kept === undefined) {
      if (this.#questionCount - this.#fullAt > idleQuestions)
        this.#wanted.set(keyOf(source), source)
      return undefined
    }
    kept.usedAt = this.#questionCount
    return kept.filters
  }

  /** Lets go of what nobody has asked for long. False when there is no room even so. */
  #makeRoom(bytes: number): boolean {
    for (const [segment, runs] of this.#kept) {
      if (this.#heldBytes + bytes <= this.#bytesMax) return true
      for (const [offset, { heldBytes, usedAt }] of runs) {
        if (this.#questionCount - usedAt <= idleQuestions) continue
        runs.delete(offset)
        this.#heldBytes -= heldBytes
      }
      if (runs.size === 0) this.#kept.delete(segment)
    }
    return this.#heldBytes + bytes <= this.#bytesMax
  }
}

/** Of one question. */
class FilterSieve implements Sieve {
  readonly #kept: KeptFilters
  readonly #asked: readonly QuickConditions[]
  readonly #needsMore: boolean
  readonly #now: () => number
  readonly #startedAt: number
  #looks = 0
  #isOver = false
  #before: BlockRef | undefined
  #filters: RunFilters | undefined

  /** `needsMore`: than the conditions say, for what stages make of a record that meets them. */
  constructor(
    kept: KeptFilters,
    asked: readonly QuickConditions[],
    needsMore: boolean,
    now: () => number,
  ) {
    this.#kept = kept
    this.#asked = asked
    this.#needsMore = needsMore
    this.#now = now
    this.#startedAt = now()
  }

  verdict(source: SourceRef): QuickVerdict | undefined {
    if (this.#looks++ % blocksPerLook === 0) {
      this.#isOver = this.#now() - this.#startedAt > pruneMsMax
    }
    if (this.#isOver || source.kind !== 'block' || source.skip === undefined) return undefined
    // Mostly of the same run as the block before.
    if (this.#before === undefined || !isOfSameRun(this.#before, source)) {
      this.#filters = this.#kept.filtersOf(source)
    }
    this.#before = source
    const verdict = this.#filters && verdictOfAny(this.#filters, source.skip.block, this.#asked)
    return verdict === 'some' && this.#needsMore ? undefined : verdict
  }
}

/** Undefined when of one of the alternatives nothing is quickly said. */
function allQuick({ alternatives }: Predicate): readonly QuickConditions[] | undefined {
  const quick: QuickConditions[] = []
  for (const alternative of alternatives) {
    const conditions = quickConditionsOf(alternative)
    if (conditions === undefined) return undefined
    quick.push(conditions)
  }
  return quick
}

/** Records may match as soon as they may meet one of several conditions. */
function verdictOfAny(
  filters: RunFilters,
  block: number,
  asked: readonly QuickConditions[],
): QuickVerdict | undefined {
  let verdict: QuickVerdict | undefined = 'none'
  for (let i = 0; i < asked.length; i++) {
    const own = filters.verdict(block, asked[i]!)
    if (own === 'some') return 'some'
    if (own === undefined) verdict = undefined
  }
  return verdict
}

/** For the questions of a warm-up, of which every other one is left to the scan threads: what is asked about
 *  more blocks is left to them, too, and their code must be compiled for it. */
export function everyOther(pruner: BlockPruner): BlockPruner {
  let asked = 0
  return {
    sieveFor: (predicate, sourceCount) => {
      const sieve = pruner.sieveFor(predicate, sourceCount)
      if (++asked % 2 === 0 || sieve === undefined) return sieve
      return {
        verdict: source => {
          sieve.verdict(source) // What it lacks is wanted even so.
          return undefined
        },
      }
    },
  }
}

function isOfSameRun(a: BlockRef, b: BlockRef): boolean {
  return a.segment === b.segment && a.skip?.index.offset === b.skip?.index.offset
}

function keyOf({ segment, skip }: BlockRef): string {
  return `${segment}:${skip?.index.offset}`
}
