/**
 * Top-k selection: of any number of records offered, keeps the `limit` earliest (or latest) by
 * timestamp, ties by arrival. Only places are kept; a record is rebuilt when it is in the answer.
 */
import type { Sequence, TimeRange, Timestamp } from '../record.ts'

export type Order = 'asc' | 'desc'

/** `latest`: by arrival alone, the last to come first, whatever times the records have. */
export type PlaceOrder = Order | 'latest'

/** A place in the order of records: no two records have the same. */
export interface RecordPlace {
  readonly timestamp: Timestamp
  readonly sequence: Sequence
}

/** A matching record and where it lies. */
export interface Candidate extends RecordPlace {
  /** The source's number in the query. */
  readonly source: number
  /** The frame in a journal file; both 0 for a block. */
  readonly frameOffset: number
  readonly frameBytes: number
  readonly row: number
}

/** Negative when `a` is before `b` in the order. */
export function comparePlaces(a: RecordPlace, b: RecordPlace, order: PlaceOrder): number {
  return placeComparers[order](a, b)
}

const ascending = (a: RecordPlace, b: RecordPlace) =>
  a.timestamp - b.timestamp || a.sequence - b.sequence

/** For sorting by the order. Of each one for good, which V8 compiles once. */
export const placeComparers: Readonly<
  Record<PlaceOrder, (a: RecordPlace, b: RecordPlace) => number>
> = {
  asc: ascending,
  desc: (a, b) => -ascending(a, b),
  latest: (a, b) => b.sequence - a.sequence,
}

export class TopK {
  readonly #limit: number
  readonly #order: PlaceOrder
  #kept: Candidate[] = []
  /** The last place of those kept, once they are `limit`: what is after it is of no interest. */
  #worst: RecordPlace | undefined

  /** `bound`: a place from which on nothing is of interest, known from elsewhere. */
  constructor(limit: number, order: PlaceOrder, bound?: RecordPlace) {
    this.#limit = limit
    this.#order = order
    this.#worst = bound
  }

  /** A place from which on nothing is of interest; undefined while anything may be. */
  get bound(): RecordPlace | undefined {
    this.#cut()
    return this.#worst
  }

  /** Learns from elsewhere that no record of a later time in the order is of interest. */
  learn(timestamp: Timestamp): void {
    if (this.#order === 'latest') return
    // Of that time itself any may be, whenever they arrived.
    const sequence = this.#order === 'asc' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const place = { timestamp, sequence }
    if (!this.mayKeep(place)) return
    this.#worst = place
    this.#kept = this.#kept.filter(kept => this.mayKeep(kept))
  }

  /** Whether a record at this place could still be among the first. */
  mayKeep(place: RecordPlace): boolean {
    return this.#worst === undefined || comparePlaces(place, this.#worst, this.#order) < 0
  }

  /** Whether any record within these times could still be among the first. */
  mayKeepWithin(minTimestamp: Timestamp, maxTimestamp: Timestamp): boolean {
    if (this.#worst === undefined || this.#order === 'latest') return true
    return this.#order === 'asc'
      ? minTimestamp <= this.#worst.timestamp
      : maxTimestamp >= this.#worst.timestamp
  }

  /** The part of a time range in which a record could still be among the first. */
  within({ startTime, endTime }: TimeRange): TimeRange {
    if (this.#worst === undefined || this.#order === 'latest') return { startTime, endTime }
    const { timestamp } = this.#worst
    return this.#order === 'asc'
      ? { startTime, endTime: Math.min(endTime, timestamp) }
      : { startTime: Math.max(startTime, timestamp), endTime }
  }

  offer(candidate: Candidate): void {
    if (!this.mayKeep(candidate)) return
    this.#kept.push(candidate)
    // Sorted now and then instead of kept sorted: twice the limit is sorted in one go.
    if (this.#kept.length >= 2 * this.#limit + 16) this.#cut()
  }

  /** What is kept, in order. */
  toArray(): Candidate[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept.sort(placeComparers[this.#order])
    this.#kept.length = Math.min(this.#kept.length, this.#limit)
    // Never looser than before: a bound from elsewhere may be tighter than what is kept here.
    const last = this.#kept[this.#limit - 1]
    if (last !== undefined && this.mayKeep(last)) this.#worst = last
  }
}
