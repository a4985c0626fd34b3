/**
 * Decides, from index entries alone, what a query must read.
 *
 * An entry whose stream and level cannot match, or whose time lies outside, is pruned. When only
 * stream, level and time matter and all of a source's matching entries lie wholly inside the time
 * range, the index alone fills the count and the collector (`decided`); such a source is read only if
 * it may hold one of the first records of the answer. Everything else is scanned.
 */
import type { IndexEntry } from '../index/entry.ts'
import { type SourceRef, sourceKey } from '../index/source.ts'
import type { Stream, Times, Timestamp } from '../record.ts'
import type { Collector, WantedLevels } from './collect/collector.ts'
import type { Sieve } from './kept-filters.ts'
import type { LevelEnds } from './level-ends.ts'
import type { Predicate } from './predicate.ts'
import { recordsToFind, type ScanQuery } from './scan-task.ts'
import type { PlaceOrder } from './top-k.ts'

/** What of a query a plan looks at. */
type PlanRange = Pick<ScanQuery, 'startTime' | 'endTime' | 'limit' | 'order' | 'after' | 'arrived'>

/** Of what arrived between others the index decides nothing: it does not know what of a source did when. */
export interface PlanQuery extends PlanRange {
  readonly predicate: Predicate
  /** Collects what the index knows; undefined when only the count is wanted. */
  readonly collector: Collector | undefined
  /** What is known of the times of levels; absent: nothing. */
  readonly levelEnds?: LevelEnds
  /** What is quickly said of blocks; absent: nothing. */
  readonly sieve?: Sieve | undefined
}

/** A source that is read, with the time range of what may match in it. */
export interface PlannedSource extends Times {
  readonly source: SourceRef
  /** Whether it is a block of which only columns tell more than is known; absent: it is not. */
  readonly isSifted?: boolean
}

export interface Plan {
  /** Matching records that the index has counted. */
  readonly count: number
  /** Scanned for counts and records, first of the order first. */
  readonly scanned: PlannedSource[]
  /** Scanned for records only; the index has their counts. */
  readonly searched: PlannedSource[]
  /** Blocks left unread because the sieve says that no record of them can match. */
  readonly siftedCount: number
  readonly stats: PlanStats
}

export interface PlanStats {
  readonly entries: number
  /** Those of them that are blocks of segments. */
  readonly blockEntries: number
  /** Entries left unread because no level in them can match. */
  readonly entriesPruned: number
  /** Sources that the index answered, and of which nothing was read. */
  readonly sourcesFromIndex: number
}

/**
 * An entry, the number of its records that match, and the times between which they all are. One object for
 * each: of a thousand blocks that is most of what a plan costs.
 */
interface Match extends Times {
  readonly entry: IndexEntry
  readonly count: number
  /** Whether the first and the last of them are at these times. */
  readonly isExact: boolean
  /** Of the first of a source: whether the index has counted them all, and those of the next ones. */
  isDecided: boolean
  /** The next one of the same source, which is a range of the journal: it has an entry for each stream. */
  next: Match | undefined
  /** As `PlannedSource` has it. */
  readonly isSifted: boolean
}

const anyLevel: WantedLevels = { matchesLevel: () => true }

/**
 * Which levels of a stream match, decided once for each: a thousand blocks have a few dozen streams, and
 * conditions are asked in code that nobody has compiled yet.
 */
class LevelVerdicts {
  readonly #predicate: Predicate
  /** Whether nothing is asked of levels: of a stream that matches, all do. */
  readonly areAny: boolean
  readonly #byStream = new Map<Stream, StreamLevels>()

  constructor(predicate: Predicate) {
    this.#predicate = predicate
    this.areAny = !predicate.asksLevel
  }

  /** Of a stream that matches, by the object that its entries share. */
  of(stream: Stream): WantedLevels {
    if (this.areAny) return anyLevel
    let levels = this.#byStream.get(stream)
    if (levels === undefined) {
      levels = new StreamLevels(this.#predicate, stream)
      this.#byStream.set(stream, levels)
    }
    return levels
  }
}

/** Those of one stream. */
class StreamLevels implements WantedLevels {
  readonly #predicate: Predicate
  readonly #stream: Stream
  readonly #verdicts = new Map<string, boolean>()

  constructor(predicate: Predicate, stream: Stream) {
    this.#predicate = predicate
    this.#stream = stream
  }

  matchesLevel(level: string): boolean {
    let verdict = this.#verdicts.get(level)
    if (verdict === undefined) {
      verdict = this.#predicate.matchesLevel(level, this.#stream)
      this.#verdicts.set(level, verdict)
    }
    return verdict
  }
}

/** Makes the plan from the entries whose stream matches and whose time overlaps. */
export function plan(query: PlanQuery, entries: Iterable<IndexEntry>): Plan {
  const levels = new LevelVerdicts(query.predicate)
  const { sources, siftedCount, counts } = gatherSources(query, levels, entries)
  const scanned: PlannedSource[] = []
  const decided: Match[] = []
  let count = 0
  for (const first of sources) {
    if (!first.isDecided) {
      scanned.push(planned(first))
      continue
    }
    decided.push(first)
    for (let match: Match | undefined = first; match !== undefined; match = match.next) {
      count += match.count
      query.collector?.addEntry?.(match.entry, levels.of(match.entry.stream))
    }
  }
  const searched = sourcesToSearch(query, decided)
  sortForOrder(scanned, query.order)
  sortForOrder(searched, query.order)
  const stats = { ...counts, sourcesFromIndex: decided.length - searched.length }
  return { count, scanned, searched, siftedCount, stats }
}

/** `sources`: of each its first match. */
function gatherSources(query: PlanQuery, levels: LevelVerdicts, entries: Iterable<IndexEntry>) {
  const { startTime, endTime, collector, sieve } = query
  const { needsOnlyIndex } = query.predicate
  const mayDecide = needsOnlyIndex && query.arrived === undefined
  const sources: Match[] = []
  const ranges = new Map<string, Match>()
  const counts = { entries: 0, blockEntries: 0, entriesPruned: 0 }
  let siftedCount = 0
  for (const entry of entries) {
    counts.entries++
    const { source, minTimestamp, maxTimestamp } = entry
    const isBlock = source.kind === 'block'
    if (isBlock) counts.blockEntries++
    const wanted = levels.of(entry.stream)
    const count = levels.areAny ? entry.recordCount : countMatching(wanted, entry)
    if (count === 0) {
      counts.entriesPruned++
      continue
    }
    const quickly = sieve?.verdict(source)
    if (quickly === 'none') {
      siftedCount++
      continue
    }
    const isInside = mayDecide && startTime <= minTimestamp && maxTimestamp <= endTime
    const isTaken = isInside && (collector === undefined || collector.takesEntry?.(entry) === true)
    const isExact = count === entry.recordCount
    const ends =
      !isExact && isBlock && needsOnlyIndex ? query.levelEnds?.timesOf(source, wanted) : undefined
    const match: Match = {
      entry,
      count,
      minTimestamp: ends?.minTimestamp ?? minTimestamp,
      maxTimestamp: ends?.maxTimestamp ?? maxTimestamp,
      isExact: isExact || ends !== undefined,
      isDecided: isTaken,
      next: undefined,
      isSifted: quickly === 'some',
    }
    const key = isBlock ? undefined : sourceKey(source)
    const first = key === undefined ? undefined : ranges.get(key)
    if (first === undefined) {
      sources.push(match)
      if (key !== undefined) ranges.set(key, match)
      continue
    }
    match.next = first.next
    first.next = match
    if (!isTaken) first.isDecided = false
  }
  return { sources, siftedCount, counts }
}

/** Records of an entry whose level matches. */
function countMatching(wanted: WantedLevels, { levelCounts }: IndexEntry): number {
  let count = 0
  for (let i = 0; i < levelCounts.length; i += 2) {
    if (wanted.matchesLevel(levelCounts[i] as string)) count += levelCounts[i + 1] as number
  }
  return count
}

/**
 * Of the sources that the index has counted, those that may hold one of the first records: there are
 * `limit` matching records up to some time, so nothing that begins after it is needed.
 */
function sourcesToSearch(query: PlanQuery, decided: readonly Match[]): PlannedSource[] {
  const { order, after } = query
  const limit = recordsToFind(query)
  if (limit === 0) return []
  const behind = after === undefined ? Number.NEGATIVE_INFINITY : alongOrder(after.timestamp, order)
  const horizon = horizonOf(decided, limit, order, behind)
  const searched: PlannedSource[] = []
  for (const first of decided) {
    for (let match: Match | undefined = first; match !== undefined; match = match.next) {
      if (nearEnd(match, order) > horizon || farEnd(match, order) < behind) continue
      searched.push(planned(first))
      break
    }
  }
  return searched
}

interface End {
  readonly far: number
  readonly count: number
}

const byFarEnd = (a: End, b: End) => a.far - b.far
const ascending = (a: number, b: number) => a - b
const byFirst = (a: Times, b: Times) => a.minTimestamp - b.minTimestamp
const byLast = (a: Times, b: Times) => b.maxTimestamp - a.maxTimestamp

/**
 * How far down the order there are certainly `limit` matching records after `behind`: an entry has all
 * of its matches up to its far end, and one at its near end if that is exact. Infinity when nowhere.
 *
 * In loops, not by `filter` and `map`: a question about a thousand blocks comes here once, in code that
 * nobody has compiled yet.
 */
function horizonOf(
  decided: readonly Match[],
  limit: number,
  order: PlaceOrder,
  behind: number,
): number {
  // Most entries have enough by themselves: what reaches after the first of them is not sorted.
  let horizon = Number.POSITIVE_INFINITY
  for (const first of decided) {
    for (let match: Match | undefined = first; match !== undefined; match = match.next) {
      if (match.count < limit || nearEnd(match, order) <= behind) continue
      horizon = Math.min(horizon, farEnd(match, order))
    }
  }
  const ends: End[] = []
  const nearEnds: number[] = []
  for (const first of decided) {
    for (let match: Match | undefined = first; match !== undefined; match = match.next) {
      const near = nearEnd(match, order)
      if (near <= behind || near >= horizon) continue
      const far = farEnd(match, order)
      if (far < horizon) ends.push({ far, count: match.count })
      if (match.isExact) nearEnds.push(near)
    }
  }
  let sum = 0
  for (const { far, count } of ends.sort(byFarEnd)) {
    sum += count
    if (sum < limit) continue
    horizon = far
    break
  }
  nearEnds.sort(ascending)
  return Math.min(horizon, nearEnds[limit - 1] ?? horizon)
}

/** How far down the order matches begin. */
function nearEnd({ minTimestamp, maxTimestamp }: Match, order: PlaceOrder): number {
  return alongOrder(order === 'asc' ? minTimestamp : maxTimestamp, order)
}

/** How far down the order matches end. */
function farEnd({ minTimestamp, maxTimestamp }: Match, order: PlaceOrder): number {
  return alongOrder(order === 'asc' ? maxTimestamp : minTimestamp, order)
}

function alongOrder(timestamp: Timestamp, order: PlaceOrder): number {
  return order === 'asc' ? timestamp : -timestamp
}

function planned(first: Match): PlannedSource {
  let { minTimestamp, maxTimestamp } = first
  for (let match = first.next; match !== undefined; match = match.next) {
    minTimestamp = Math.min(minTimestamp, match.minTimestamp)
    maxTimestamp = Math.max(maxTimestamp, match.maxTimestamp)
  }
  const { entry, isSifted } = first
  return { source: entry.source, minTimestamp, maxTimestamp, isSifted }
}

function sortForOrder(sources: PlannedSource[], order: PlaceOrder): void {
  sources.sort(order === 'asc' ? byFirst : byLast)
}
