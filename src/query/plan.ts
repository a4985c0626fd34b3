/**
 * Decides, from index entries alone, what a query must read.
 *
 * An entry whose stream and level cannot match, or whose time lies outside, is pruned. When only
 * stream, level and time matter and all of a source's matching entries lie wholly inside the time
 * range, the index alone fills the count and the collector (`decided`); such a source is read only if
 * it may hold one of the first records of the answer. Everything else is scanned.
 */
import { forEachLevel, type IndexEntry } from '../index/entry.ts'
import { type SourceRef, sourceKey } from '../index/source.ts'
import type { Stream, Times, Timestamp } from '../record.ts'
import type { Collector } from './collect/collector.ts'
import type { LevelEnds } from './level-ends.ts'
import type { Predicate } from './predicate.ts'
import { recordsToFind, type ScanQuery } from './scan-task.ts'
import type { PlaceOrder } from './top-k.ts'

/** Of what arrived between others the index decides nothing: it does not know what of a source did when. */
export interface PlanQuery extends Omit<ScanQuery, 'selector' | 'collector'> {
  readonly predicate: Predicate
  /** Collects what the index knows; undefined when only the count is wanted. */
  readonly collector: Collector | undefined
  /** What is known of the times of levels; absent: nothing. */
  readonly levelEnds?: LevelEnds
}

/** A source that is read, with the time range of what may match in it. */
export interface PlannedSource extends Times {
  readonly source: SourceRef
}

export interface Plan {
  /** Matching records that the index has counted. */
  readonly count: number
  /** Scanned for counts and records, first of the order first. */
  readonly scanned: PlannedSource[]
  /** Scanned for records only; the index has their counts. */
  readonly searched: PlannedSource[]
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

/** An entry, the number of its records that match, and the times between which they all are. */
interface Match extends Times {
  readonly entry: IndexEntry
  readonly count: number
  /** Whether the first and the last of them are at these times. */
  readonly isExact: boolean
}

interface SourceWork {
  readonly source: SourceRef
  readonly matches: Match[]
  isDecided: boolean
}

/**
 * Which levels of a stream match, decided once for each: a thousand blocks have a few dozen streams, and
 * conditions are asked in code that nobody has compiled yet.
 */
class LevelVerdicts {
  readonly #predicate: Predicate
  readonly #byStream = new Map<Stream, (level: string) => boolean>()

  constructor(predicate: Predicate) {
    this.#predicate = predicate
  }

  /** Of a stream, by the object that its entries share. */
  of(stream: Stream): (level: string) => boolean {
    let matches = this.#byStream.get(stream)
    if (matches === undefined) {
      const verdicts = new Map<string, boolean>()
      matches = level => {
        let verdict = verdicts.get(level)
        if (verdict === undefined) {
          verdict = this.#predicate.matchesLevel(level, stream)
          verdicts.set(level, verdict)
        }
        return verdict
      }
      this.#byStream.set(stream, matches)
    }
    return matches
  }
}

/** Makes the plan from the entries whose stream matches and whose time overlaps. */
export function plan(query: PlanQuery, entries: Iterable<IndexEntry>): Plan {
  const levels = new LevelVerdicts(query.predicate)
  const { works, entryCount, blockCount, prunedCount } = gatherSources(query, levels, entries)
  const scanned: PlannedSource[] = []
  const decided: SourceWork[] = []
  let count = 0
  for (const work of works) {
    if (!work.isDecided) {
      scanned.push(planned(work))
      continue
    }
    decided.push(work)
    for (const match of work.matches) {
      count += match.count
      query.collector?.addEntry?.(match.entry, levels.of(match.entry.stream))
    }
  }
  const searched = sourcesToSearch(query, decided)
  sortForOrder(scanned, query.order)
  sortForOrder(searched, query.order)
  const stats = {
    entries: entryCount,
    blockEntries: blockCount,
    entriesPruned: prunedCount,
    sourcesFromIndex: decided.length - searched.length,
  }
  return { count, scanned, searched, stats }
}

function gatherSources(query: PlanQuery, levels: LevelVerdicts, entries: Iterable<IndexEntry>) {
  const { predicate, startTime, endTime, collector } = query
  const works: SourceWork[] = []
  /** A range of the journal has an entry for each of its streams, a block has one. */
  const ranges = new Map<string, SourceWork>()
  let entryCount = 0
  let blockCount = 0
  let prunedCount = 0
  for (const entry of entries) {
    entryCount++
    if (entry.source.kind === 'block') blockCount++
    const matchesLevel = levels.of(entry.stream)
    const count = countMatching(matchesLevel, entry)
    if (count === 0) {
      prunedCount++
      continue
    }
    const key = entry.source.kind === 'journal' ? sourceKey(entry.source) : undefined
    let work = key === undefined ? undefined : ranges.get(key)
    if (work === undefined) {
      work = {
        source: entry.source,
        matches: [matchOf(query, matchesLevel, entry, count)],
        isDecided: true,
      }
      works.push(work)
      if (key !== undefined) ranges.set(key, work)
    } else work.matches.push(matchOf(query, matchesLevel, entry, count))
    const isWithinTime = startTime <= entry.minTimestamp && entry.maxTimestamp <= endTime
    const isInside = isWithinTime && query.arrived === undefined
    const isTaken = isInside && (collector === undefined || collector.takesEntry?.(entry) === true)
    if (!predicate.needsOnlyIndex || !isTaken) work.isDecided = false
  }
  return { works, entryCount, blockCount, prunedCount }
}

function matchOf(
  { predicate, levelEnds }: PlanQuery,
  matchesLevel: (level: string) => boolean,
  entry: IndexEntry,
  count: number,
): Match {
  const { source, minTimestamp, maxTimestamp } = entry
  const isExact = count === entry.recordCount
  if (!isExact && source.kind === 'block' && predicate.needsOnlyIndex) {
    const times = levelEnds?.timesOf(source, matchesLevel)
    if (times !== undefined) return { entry, count, ...times, isExact: true }
  }
  return { entry, count, minTimestamp, maxTimestamp, isExact }
}

/** Records of an entry whose level matches. */
function countMatching(matchesLevel: (level: string) => boolean, entry: IndexEntry): number {
  let count = 0
  forEachLevel(entry, (level, levelCount) => {
    if (matchesLevel(level)) count += levelCount
  })
  return count
}

/**
 * Of the sources that the index has counted, those that may hold one of the first records: there are
 * `limit` matching records up to some time, so nothing that begins after it is needed.
 */
function sourcesToSearch(query: PlanQuery, decided: readonly SourceWork[]): PlannedSource[] {
  const { order, after } = query
  const limit = recordsToFind(query)
  if (limit === 0) return []
  const behind = after === undefined ? Number.NEGATIVE_INFINITY : alongOrder(after.timestamp, order)
  const horizon = horizonOf(decided, limit, order, behind)
  const searched: PlannedSource[] = []
  for (const work of decided) {
    for (const match of work.matches) {
      if (nearEnd(match, order) > horizon || farEnd(match, order) < behind) continue
      searched.push(planned(work))
      break
    }
  }
  return searched
}

/**
 * How far down the order there are certainly `limit` matching records after `behind`: an entry has all
 * of its matches up to its far end, and one at its near end if that is exact. Infinity when nowhere.
 *
 * In loops, not by `filter` and `map`: a question about a thousand blocks comes here once, in code that
 * nobody has compiled yet.
 */
function horizonOf(
  decided: readonly SourceWork[],
  limit: number,
  order: PlaceOrder,
  behind: number,
): number {
  // Most entries have enough by themselves: what reaches after the first of them is not sorted.
  let horizon = Number.POSITIVE_INFINITY
  for (const { matches } of decided) {
    for (const match of matches) {
      if (match.count < limit || nearEnd(match, order) <= behind) continue
      horizon = Math.min(horizon, farEnd(match, order))
    }
  }
  const ends: { readonly far: number; readonly count: number }[] = []
  const nearEnds: number[] = []
  for (const { matches } of decided) {
    for (const match of matches) {
      const near = nearEnd(match, order)
      if (near <= behind || near >= horizon) continue
      const far = farEnd(match, order)
      if (far < horizon) ends.push({ far, count: match.count })
      if (match.isExact) nearEnds.push(near)
    }
  }
  let sum = 0
  for (const { far, count } of ends.sort((a, b) => a.far - b.far)) {
    sum += count
    if (sum < limit) continue
    horizon = far
    break
  }
  nearEnds.sort((a, b) => a - b)
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

function planned({ source, matches }: SourceWork): PlannedSource {
  let minTimestamp = Number.POSITIVE_INFINITY
  let maxTimestamp = Number.NEGATIVE_INFINITY
  for (const match of matches) {
    minTimestamp = Math.min(minTimestamp, match.minTimestamp)
    maxTimestamp = Math.max(maxTimestamp, match.maxTimestamp)
  }
  return { source, minTimestamp, maxTimestamp }
}

function sortForOrder(sources: PlannedSource[], order: PlaceOrder): void {
  if (order === 'asc') sources.sort((a, b) => a.minTimestamp - b.minTimestamp)
  else sources.sort((a, b) => b.maxTimestamp - a.maxTimestamp)
}
