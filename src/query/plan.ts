/**
 * Decides, from index entries alone, what a query must read.
 *
 * An entry whose stream and level cannot match, or whose time lies outside, is pruned. When only
 * stream, level and time matter and all of a range's matching entries lie wholly inside the time
 * range, the index has the count (`decided`); such a range is read only if it may hold one of the
 * first records of the answer. Everything else is scanned.
 */
import type { IndexEntry } from '../index/block-index.ts'
import type { Timestamp } from '../record.ts'
import type { Order, RecordPlace } from './earliest.ts'
import { type GroupCount, Groups, indexedValue, isIndexedLabel } from './groups.ts'
import type { Predicate } from './predicate.ts'

export interface PlanQuery {
  readonly predicate: Predicate
  readonly by: readonly string[]
  readonly startTime: Timestamp
  readonly endTime: Timestamp
  /** How many records the answer takes at most. */
  readonly limit: number
  readonly order: Order
  readonly after: RecordPlace | undefined
}

/** A range of a journal file, with the times of what in it may match. */
export interface PlannedRange {
  readonly file: number
  readonly offset: number
  readonly bytes: number
  minTimestamp: Timestamp
  maxTimestamp: Timestamp
}

export interface Plan {
  /** Matching records that the index has counted. */
  readonly count: number
  readonly groups: GroupCount[]
  /** Scanned for counts and records, earliest of the order first. */
  readonly scanned: PlannedRange[]
  /** Scanned for records only; the index has their counts. */
  readonly searched: PlannedRange[]
  readonly stats: PlanStats
}

export interface PlanStats {
  readonly entries: number
  /** Entries left unread because no level in them can match. */
  readonly entriesPruned: number
  /** Ranges that the index answered, and of which nothing was read. */
  readonly rangesFromIndex: number
}

interface RangeWork extends PlannedRange {
  /** The matching entries with their number of matching records. */
  readonly matches: { readonly entry: IndexEntry; readonly count: number }[]
  isDecided: boolean
}

/** Makes the plan from the entries whose stream matches and whose time overlaps. */
export function plan(query: PlanQuery, entries: Iterable<IndexEntry>): Plan {
  const { ranges, entryCount, prunedCount } = gatherRanges(query, entries)
  const groups = new Groups()
  const scanned: PlannedRange[] = []
  const decided: RangeWork[] = []
  let count = 0
  for (const range of ranges) {
    if (!range.isDecided) {
      scanned.push(bare(range))
      continue
    }
    decided.push(range)
    for (const match of range.matches) {
      count += match.count
      if (query.by.length > 0) groupEntry(groups, query, match.entry)
    }
  }
  const searched = rangesToSearch(query, decided)
  sortForOrder(scanned, query.order)
  sortForOrder(searched, query.order)
  const stats = {
    entries: entryCount,
    entriesPruned: prunedCount,
    rangesFromIndex: decided.length - searched.length,
  }
  return { count, groups: groups.toArray(), scanned, searched, stats }
}

function gatherRanges(query: PlanQuery, entries: Iterable<IndexEntry>) {
  const { predicate, startTime, endTime } = query
  const isAnswerable = predicate.needsOnlyIndex && query.by.every(isIndexedLabel)
  const ranges = new Map<string, RangeWork>()
  let entryCount = 0
  let prunedCount = 0
  for (const entry of entries) {
    entryCount++
    const count = countMatching(predicate, entry)
    if (count === 0) {
      prunedCount++
      continue
    }
    const key = `${entry.file}:${entry.offset}`
    let range = ranges.get(key)
    if (range === undefined) {
      const { file, offset, bytes, minTimestamp, maxTimestamp } = entry
      range = { file, offset, bytes, minTimestamp, maxTimestamp, matches: [], isDecided: true }
      ranges.set(key, range)
    }
    range.matches.push({ entry, count })
    range.minTimestamp = Math.min(range.minTimestamp, entry.minTimestamp)
    range.maxTimestamp = Math.max(range.maxTimestamp, entry.maxTimestamp)
    const isInside = startTime <= entry.minTimestamp && entry.maxTimestamp <= endTime
    if (!isAnswerable || !isInside) range.isDecided = false
  }
  return { ranges: ranges.values(), entryCount, prunedCount }
}

/** Records of an entry whose level matches. */
function countMatching(predicate: Predicate, entry: IndexEntry): number {
  let count = 0
  forEachLevel(entry, (level, levelCount) => {
    if (predicate.matchesLevel(level)) count += levelCount
  })
  return count
}

function groupEntry(groups: Groups, query: PlanQuery, entry: IndexEntry): void {
  forEachLevel(entry, (level, levelCount) => {
    if (!query.predicate.matchesLevel(level)) return
    groups.add(
      query.by.map(label => indexedValue(label, entry.stream, level)),
      levelCount,
    )
  })
}

function forEachLevel(entry: IndexEntry, visit: (level: string, count: number) => void): void {
  const { levelCounts } = entry
  for (let i = 0; i < levelCounts.length; i += 2) {
    visit(levelCounts[i] as string, levelCounts[i + 1] as number)
  }
}

/**
 * Of the ranges that the index has counted, those that may hold one of the first records: there are
 * `limit` matching records up to some time, so nothing that begins behind it is needed.
 */
function rangesToSearch(query: PlanQuery, decided: readonly RangeWork[]): PlannedRange[] {
  const { order, after, limit } = query
  const isBehind = (timestamp: Timestamp) =>
    after === undefined ||
    (order === 'asc' ? timestamp > after.timestamp : timestamp < after.timestamp)
  const near = (entry: IndexEntry) => (order === 'asc' ? entry.minTimestamp : entry.maxTimestamp)
  const far = (entry: IndexEntry) => (order === 'asc' ? entry.maxTimestamp : entry.minTimestamp)
  const direction = order === 'asc' ? 1 : -1

  const certain = decided
    .flatMap(range => range.matches)
    .filter(match => isBehind(near(match.entry)))
    .sort((a, b) => direction * (far(a.entry) - far(b.entry)))
  let sum = 0
  let horizon = direction * Number.POSITIVE_INFINITY
  for (const match of certain) {
    sum += match.count
    if (sum < limit) continue
    horizon = far(match.entry)
    break
  }

  return decided
    .filter(range =>
      range.matches.some(({ entry }) => {
        const isBeforeHorizon = direction * (near(entry) - horizon) <= 0
        const reachesBehind = after === undefined || direction * (far(entry) - after.timestamp) >= 0
        return isBeforeHorizon && reachesBehind
      }),
    )
    .map(bare)
}

function bare(range: RangeWork): PlannedRange {
  const { file, offset, bytes, minTimestamp, maxTimestamp } = range
  return { file, offset, bytes, minTimestamp, maxTimestamp }
}

function sortForOrder(ranges: PlannedRange[], order: Order): void {
  if (order === 'asc') ranges.sort((a, b) => a.minTimestamp - b.minTimestamp)
  else ranges.sort((a, b) => b.maxTimestamp - a.maxTimestamp)
}
