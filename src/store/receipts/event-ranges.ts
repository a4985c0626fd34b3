/** Which events of a request are stored: ranges of their numbers, counted from 0. */

/** `to` is exclusive. */
export interface EventRange {
  readonly from: number
  readonly to: number
}

export class EventRanges {
  /** Ascending, none touches the next. */
  #ranges: EventRange[] = []

  get list(): readonly EventRange[] {
    return this.#ranges
  }

  add(from: number, to: number): void {
    const touched = this.#ranges.filter(range => range.from <= to && from <= range.to)
    const others = this.#ranges.filter(range => !touched.includes(range))
    const start = Math.min(from, ...touched.map(range => range.from))
    const end = Math.max(to, ...touched.map(range => range.to))
    this.#ranges = [...others, { from: start, to: end }].sort((a, b) => a.from - b.from)
  }

  /** Whether all events below `total` are in it. */
  covers(total: number): boolean {
    const [first] = this.#ranges
    return first !== undefined && first.from === 0 && first.to >= total
  }
}
