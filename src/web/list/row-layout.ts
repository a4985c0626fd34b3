/**
 * Where the rows of a long list are: all of one height, but for those that are opened and have something
 * below them. Only the opened ones are kept, so a list of a million rows costs nothing.
 */

export class RowLayout {
  readonly #rowHeight: number
  readonly #count: number
  /** Numbers of opened rows in order, and how much all up to and with each of them add. */
  readonly #opened: readonly number[]
  readonly #added: readonly number[]

  /** `extras`: the heights below opened rows, by row number, pixels. */
  constructor(rowHeight: number, count: number, extras: ReadonlyMap<number, number> = new Map()) {
    this.#rowHeight = rowHeight
    this.#count = count
    const sorted = [...extras].filter(([row]) => row < count).sort(([a], [b]) => a - b)
    let sum = 0
    this.#opened = sorted.map(([row]) => row)
    this.#added = sorted.map(([, height]) => {
      sum += height
      return sum
    })
  }

  get height(): number {
    return this.offsetOf(this.#count)
  }

  /** Pixels above the row. */
  offsetOf(row: number): number {
    const before = partition(this.#opened, opened => opened < row)
    return row * this.#rowHeight + (before === 0 ? 0 : this.#added[before - 1]!)
  }

  /** The row at a distance from the top; the last one beyond the end. */
  rowAt(offset: number): number {
    let low = 0
    let high = Math.max(0, this.#count - 1)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.offsetOf(middle) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** How many at the beginning of the sorted list fulfil the condition. */
function partition(sorted: readonly number[], holds: (value: number) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
