/** Merges what the lanes found of one window: their records as one text, in order. */
import { comparePlaces, type Order, type RecordPlace } from './earliest.ts'
import type { ExportRows } from './export-task.ts'

export type LaneRows = Omit<ExportRows, 'bytes'> & { readonly bytes: Uint8Array }

export interface MergedRows {
  readonly bytes: Uint8Array
  readonly count: number
  /** Where the window goes on; undefined when these are all of its records. */
  readonly after: RecordPlace | undefined
}

/**
 * A lane that was cut short may have left out records behind its last one: of all lanes, what stands
 * behind the first such place is put off.
 */
export function mergeRows(lanes: readonly LaneRows[], order: Order): MergedRows {
  const cuts = lanes.filter(({ isCut }) => isCut).map(lastPlaceOf)
  const after = cuts.toSorted((a, b) => comparePlaces(a, b, order))[0]
  const cursors = lanes.map(rows => new Cursor(rows, after, order)).filter(cursor => !cursor.isDone)
  const bytes = new Uint8Array(cursors.reduce((sum, cursor) => sum + cursor.bytesLeft, 0))
  const count = cursors.reduce((sum, cursor) => sum + cursor.rowsLeft, 0)
  let at = 0
  let open = cursors
  while (open.length > 0) {
    const [first, second] = firstTwo(open, order)
    const run = first.takeRun(second, order)
    bytes.set(run, at)
    at += run.length
    if (first.isDone) open = open.filter(cursor => cursor !== first)
  }
  return { bytes, count, after }
}

/** The two cursors that stand first; of few, so by looking at each. */
function firstTwo(open: readonly Cursor[], order: Order): [Cursor, Cursor | undefined] {
  let first = open[0]!
  let second: Cursor | undefined
  for (let i = 1; i < open.length; i++) {
    const cursor = open[i]!
    if (comparePlaces(cursor, first, order) < 0) {
      second = first
      first = cursor
    } else if (second === undefined || comparePlaces(cursor, second, order) < 0) {
      second = cursor
    }
  }
  return [first, second]
}

function lastPlaceOf({ timestamps, sequences }: LaneRows): RecordPlace {
  return { timestamp: timestamps.at(-1)!, sequence: sequences.at(-1)! }
}

/** How far one lane's rows have been taken. */
class Cursor implements RecordPlace {
  readonly #rows: LaneRows
  readonly #end: number
  #at = 0
  #byteAt = 0

  constructor(rows: LaneRows, last: RecordPlace | undefined, order: Order) {
    this.#rows = rows
    let end = rows.ends.length
    while (
      last !== undefined &&
      end > 0 &&
      comparePlaces(this.#placeOf(end - 1), last, order) > 0
    ) {
      end--
    }
    this.#end = end
  }

  get isDone(): boolean {
    return this.#at === this.#end
  }

  get rowsLeft(): number {
    return this.#end - this.#at
  }

  get bytesLeft(): number {
    return (this.#rows.ends[this.#end - 1] ?? 0) - this.#byteAt
  }

  get timestamp(): number {
    return this.#rows.timestamps[this.#at]!
  }

  get sequence(): number {
    return this.#rows.sequences[this.#at]!
  }

  /** The text of the rows that stand before the next one of `other`; at least of one. */
  takeRun(other: Cursor | undefined, order: Order): Uint8Array {
    do {
      this.#at++
    } while (!this.isDone && (other === undefined || comparePlaces(this, other, order) < 0))
    const start = this.#byteAt
    this.#byteAt = this.#rows.ends[this.#at - 1]!
    return this.#rows.bytes.subarray(start, this.#byteAt)
  }

  #placeOf(row: number): RecordPlace {
    return { timestamp: this.#rows.timestamps[row]!, sequence: this.#rows.sequences[row]! }
  }
}
