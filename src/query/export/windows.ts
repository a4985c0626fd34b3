/**
 * Cuts the time of an export into windows of about as many records as are wanted at a time.
 *
 * How many records a window has is guessed from the index: the records of a source are taken to be
 * spread evenly over its time. A guess that is wrong costs time, never memory or exactness: see
 * `scan.ts`.
 *
 * Descending exports run over the same line backwards: here, times count from the first time of the
 * order, whichever that is.
 */
import type { RecordTimes, TimeRange, Timestamp } from '../../record.ts'
import type { Order } from '../top-k.ts'

/** A source with the times of the records in it that may match, and their number. */
export type WindowSource = RecordTimes

export interface ExportRange extends TimeRange {
  readonly order: Order
}

/** A source on the line of the order. */
interface Span<Source> {
  readonly source: Source
  readonly start: number
  readonly end: number
  /** Records per ms. */
  readonly density: number
}

export class ExportWindows<Source extends WindowSource> {
  readonly #isAscending: boolean
  readonly #last: number
  /** By start; those before `#entered` have begun in or before the current window. */
  readonly #spans: readonly Span<Source>[]
  #entered = 0
  /** Spans that have begun and not ended before the current window. */
  #open: Span<Source>[] = []

  constructor(sources: readonly Source[], { startTime, endTime, order }: ExportRange) {
    this.#isAscending = order === 'asc'
    const first = this.#isAscending ? startTime : -endTime
    this.#last = this.#isAscending ? endTime : -startTime
    const spans = sources.map(source => {
      const { minTimestamp, maxTimestamp, recordCount } = source
      const start = this.#isAscending ? minTimestamp : -maxTimestamp
      const end = this.#isAscending ? maxTimestamp : -minTimestamp
      return { source, start, end, density: recordCount / (end - start + 1) }
    })
    this.#spans = spans.filter(({ end }) => end >= first).sort((a, b) => a.start - b.start)
  }

  /**
   * The next window that begins at `from` of the order or, where nothing lies there, later. Undefined
   * when nothing follows. Each `from` must not come before the last one.
   */
  next(from: Timestamp, wanted: number) {
    const place = this.#isAscending ? from : -from
    this.#enter(place)
    this.#open = this.#open.filter(({ end }) => end >= place)
    const start = this.#open.length > 0 ? place : Math.max(place, this.#nextStart())
    if (start > this.#last) return undefined
    this.#enter(start)
    const end = Math.min(this.#endOf(start, wanted), this.#last)
    const sources = this.#open.filter(span => span.start <= end).map(({ source }) => source)
    return this.#isAscending
      ? { from: start, to: end, sources }
      : { from: -end, to: -start, sources }
  }

  /** Where the window after one that ends (in the order) at `end` begins. */
  behind(end: Timestamp): Timestamp {
    return this.#isAscending ? end + 1 : end - 1
  }

  /** Where a window that begins at `start` has about `wanted` records. Enters all spans up to it. */
  #endOf(start: number, wanted: number): number {
    let rest = wanted
    let at = start
    for (;;) {
      const here = this.#open.filter(span => span.end >= at)
      const density = here.reduce((sum, span) => sum + span.density, 0)
      const nextEnd = here.reduce(
        (least, { end }) => Math.min(least, end),
        Number.POSITIVE_INFINITY,
      )
      const change = Math.min(nextEnd + 1, this.#nextStart())
      if (density * (change - at) >= rest) return at + Math.max(0, Math.ceil(rest / density) - 1)
      if (change > this.#last) return this.#last
      rest -= density * (change - at)
      at = change
      this.#enter(at)
    }
  }

  #nextStart(): number {
    return this.#spans[this.#entered]?.start ?? Number.POSITIVE_INFINITY
  }

  #enter(place: number): void {
    while (this.#nextStart() <= place) this.#open.push(this.#spans[this.#entered++]!)
  }
}
