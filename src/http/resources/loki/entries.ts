/** The entries of a range, read from the records of the store. */

import type { Selector } from '../../../language/ast.ts'
import { limits } from '../../../limits.ts'
import type { Order } from '../../../query/top-k.ts'
import type { TimeRange as Times } from '../../../record.ts'
import { hasDistinct } from '../../../store/answer/distinct.ts'
import { type LokiEntry, lokiEntry } from '../../../store/answer/loki-entry.ts'
import { addSelectStats } from '../../../store/answer/select-stats.ts'
import type { AnswerRecord, SelectResult, SelectStats } from '../../../store/store.ts'
import type { StoreDoor } from '../../dependencies.ts'
import { millisecondsOf, nsPerMs, type TimeRange } from './times.ts'

export interface EntriesAsked {
  readonly selector: Selector
  readonly range: TimeRange
  /** At least 1. */
  readonly limit: number
  /** `desc`: the latest come first. */
  readonly order: Order
  /** The least time from one entry to the next, ms; 0 for all. */
  readonly intervalMs: number
}

export interface Entries {
  /** In order of time to the nanosecond. */
  readonly entries: readonly LokiEntry[]
  /** Undefined when nothing was asked of the store. */
  readonly stats: SelectStats | undefined
  /** Whether there are more, within the limit, than one answer may hold. */
  readonly isCut: boolean
}

/** A part of the range, as the store knows it. */
interface Place extends Times {
  readonly cursor: string | undefined
}

type Select = (place: Place, limit?: number) => Promise<SelectResult>

/**
 * The first entries in the order that is asked for. Throws as `select`.
 *
 * The store orders by milliseconds and arrival, and knows no ranges finer than that. So where entries
 * lie outside of the range by nanoseconds, or too close to each other, further pages are read; and of
 * the millisecond in which a page ends all is read, because some of it may belong before the rest.
 */
export async function readEntries(
  store: Pick<StoreDoor, 'select'>,
  asked: EntriesAsked,
  stop: AbortSignal,
): Promise<Entries> {
  const { selector, range, limit, order } = asked
  let stats: SelectStats | undefined
  const select: Select = async (place, pageLimit = limit) => {
    const page = await store.select({ selector, limit: pageLimit, order, ...place }, stop)
    stats = stats === undefined ? page.stats : addSelectStats(stats, page.stats)
    return page
  }
  const times = millisecondsOf(range)
  const chosen = new ChosenEntries(asked)
  let next: Place | undefined = times && { ...times, cursor: undefined }
  while (next !== undefined && !chosen.isFull) {
    const page = await select(next)
    // What `distinct` leaves of a part of the range is not what it leaves of all of it.
    const whole = hasDistinct(selector.stages)
      ? asPaged(page, next)
      : await toWholeMillisecond(page, next, { order, select })
    chosen.add(inOrder(whole.records, order))
    next = whole.next
    const isCut = next !== undefined && page.records.length < limit
    if (isCut) return { entries: chosen.entries, stats, isCut }
  }
  return { entries: chosen.entries, stats, isCut: false }
}

/**
 * The records of a page with all of its last millisecond, and what follows. Of a millisecond with more
 * records than an answer may have, those stay that came first.
 */
async function toWholeMillisecond(
  { records, nextCursor: cursor }: SelectResult,
  place: Place,
  { order, select }: { readonly order: Order; readonly select: Select },
): Promise<{ records: readonly AnswerRecord[]; next: Place | undefined }> {
  const last = records.at(-1)
  if (cursor === undefined || last === undefined) return { records, next: undefined }
  const { timestamp } = last
  const times = { startTime: timestamp, endTime: timestamp }
  const same = await select({ ...times, cursor: undefined }, limits.lokiEntriesMax)
  if (same.nextCursor !== undefined) return { records, next: { ...place, cursor } }
  const before = records.filter(record => record.timestamp !== timestamp)
  const rest = order === 'asc' ? { startTime: timestamp + 1 } : { endTime: timestamp - 1 }
  const next = { ...place, ...rest, cursor: undefined }
  const hasMore = next.startTime <= next.endTime
  return { records: [...before, ...same.records], next: hasMore ? next : undefined }
}

function asPaged({ records, nextCursor: cursor }: SelectResult, place: Place) {
  return { records, next: cursor === undefined ? undefined : { ...place, cursor } }
}

/** By time to the nanosecond; those of the same time stay as they come. */
function inOrder(records: readonly AnswerRecord[], order: Order): LokiEntry[] {
  const sign = order === 'asc' ? 1 : -1
  return records.map(lokiEntry).sort((a, b) => sign * Number(a.time - b.time))
}

/** Takes entries in their order until there are enough. */
class ChosenEntries {
  readonly entries: LokiEntry[] = []
  readonly #asked: EntriesAsked

  constructor(asked: EntriesAsked) {
    this.#asked = asked
  }

  get isFull(): boolean {
    return this.entries.length >= this.#asked.limit
  }

  add(entries: readonly LokiEntry[]): void {
    const { start, end } = this.#asked.range
    for (const entry of entries) {
      const isInRange = start <= entry.time && entry.time < end
      if (!this.isFull && isInRange && !this.#isTooClose(entry)) this.entries.push(entry)
    }
  }

  #isTooClose({ time }: LokiEntry): boolean {
    const last = this.entries.at(-1)
    if (last === undefined) return false
    const distance = time > last.time ? time - last.time : last.time - time
    return distance < BigInt(this.#asked.intervalMs) * nsPerMs
  }
}
