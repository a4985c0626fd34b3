/** Merges what the lanes found of one window: their records as one text, in order. */
import { comparePlaces, type Order, type RecordPlace } from '../top-k.ts'
import type { ExportTarget } from './task.ts'

/** The rows of a lane, as many as it gave. */
export interface LaneRows extends Omit<ExportTarget, 'text'> {
  readonly bytes: Uint8Array
  /** Whether the window has more, after the last of these. */
  readonly isCut: boolean
}

export interface MergedRows {
  /** Valid until the next merge of the same `Merger`. */
  readonly bytes: Uint8Array
  /** Where the window continues; undefined when these are all of its records. */
  readonly after: RecordPlace | undefined
}

/** Merges one window after the other, into the same memory: fresh megabytes each time would keep the
 *  garbage collector busy, and be many before it comes. */
export class Merger {
  readonly #order: Order
  #target = new Uint8Array(0)

  constructor(order: Order) {
    this.#order = order
  }

  /**
   * A lane that was cut short may have left out records after its last one: of all lanes, what stands
   * after the first such place is put off.
   */
  merge(lanes: readonly LaneRows[]): MergedRows {
    const order = this.#order
    const cuts = lanes.filter(({ isCut }) => isCut).map(lastPlaceOf)
    const after = cuts.toSorted((a, b) => comparePlaces(a, b, order))[0]
    const cursors = lanes.map(rows => new Cursor(rows, after, order))
    const length = cursors.reduce((sum, cursor) => sum + cursor.bytesLeft, 0)
    if (this.#target.length < length) this.#target = new Uint8Array(length)
    let open = cursors.filter(cursor => !cursor.isDone)
    let at = 0
    while (open.length > 0) {
      const [first, second] = firstTwo(open, order)
      const run = first.takeRun(second, order)
      this.#target.set(run, at)
      at += run.length
      if (first.isDone) open = open.filter(cursor => cursor !== first)
    }
    return { bytes: this.#target.subarray(0, length), after }
  }
}

/** The first two cursors; there are few, so each is looked at. */
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

  get bytesLeft(): number {
    return (this.#rows.ends[this.#end - 1] ?? 0) - this.#byteAt
  }

  get timestamp(): number {
    return this.#rows.timestamps[this.#at]!
  }

  get sequence(): number {
    return this.#rows.sequences[this.#at]!
  }

  /** The text of the rows that are before the next one of `other`; at least of one. */
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
