/**
 * How long a task may continue while others wait for its thread.
 *
 * Where nothing is half done, between sources and between frames, a task asks whether its turn is over.
 * What may take long without coming to such a place is matching regular expressions: a block is
 * thousands of texts, and one text can take seconds. So the matcher looks at the clock, and throws
 * `TurnOver` out of the selection when that has taken too long or is no longer wanted. Whoever runs a
 * selection within a turn must not have counted anything of it before it has ended.
 *
 * One task at a time runs in a thread, so the turn that matchers look at is the module's. Outside of
 * `Turn.within`, as on the main thread, they never throw.
 */

/** What a task is told of its turn. */
export interface TurnBounds {
  /** How long it may hold its thread, ms; and each selection while others wait. */
  readonly turnMs: number
  /** How long a selection may take when nobody waits, ms. Infinity: as long as it takes, and others
   *  wait until it comes to the end of a frame or source. */
  readonly longMs: number
  /** One integer in shared memory; not zero: the answer is no longer wanted. */
  readonly cancelled: Int32Array
  /** One integer in shared memory: the tasks of this thread, this one too. Absent: there is no other. */
  readonly taskCount?: Int32Array | undefined
}

/** Thrown by a matcher in the middle of a selection. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver'

  constructor() {
    super('an expression takes longer than the turn of its task')
  }
}

/** Characters matched between two looks at the clock: at worst 10 ms, as a rule 0.1 ms. */
const unitsPerLook = 2_048
/** What a text takes however short it is, in the time of this many characters. */
const unitsPerText = 64

let unitsLeft = unitsPerLook
let current: Turn | undefined

export class Turn {
  readonly #bounds: TurnBounds
  readonly #startedAt = performance.now()
  /** When the selection under way began. */
  #selectingFrom = 0
  #endsCancelledOnly = false

  /** Begins now. */
  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
  }

  get isCancelled(): boolean {
    return Atomics.load(this.#bounds.cancelled, 0) !== 0
  }

  /** Whether another task waits for the thread. */
  get othersWait(): boolean {
    const { taskCount } = this.#bounds
    return taskCount !== undefined && Atomics.load(taskCount, 0) > 1
  }

  /** Whether its time is up, though nobody may wait. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt > this.#bounds.turnMs
  }

  /** Whether its time is up, and another task waits for the thread. */
  get isWanted(): boolean {
    return this.othersWait && this.isOver
  }

  /** Whether a selection can be too long at all. */
  get endsLong(): boolean {
    return this.#bounds.longMs < Number.POSITIVE_INFINITY
  }

  /** Makes a selection. Throws TurnOver when it takes too long, or is cancelled on the way. */
  within<T>(select: () => T): T {
    this.#selectingFrom = performance.now()
    current = this
    try {
      return select()
    } finally {
      current = undefined
    }
  }

  /**
   * Does what must not end half done: while others wait it continues. Throws TurnOver when it is cancelled,
   * after which nobody looks at what is half done.
   */
  toItsEnd<T>(work: () => T): T {
    this.#endsCancelledOnly = true
    try {
      return this.within(work)
    } finally {
      this.#endsCancelledOnly = false
    }
  }

  /** For the matcher. */
  look(): void {
    if (this.isCancelled) throw new TurnOver()
    if (!this.endsLong || this.#endsCancelledOnly) return
    const { turnMs, longMs } = this.#bounds
    const bound = this.othersWait ? Math.min(turnMs, longMs) : longMs
    if (performance.now() - this.#selectingFrom > bound) throw new TurnOver()
  }
}

/** To be called before a text is matched, with its length. Throws TurnOver. */
export function beforeMatch(length: number): void {
  unitsLeft -= length + unitsPerText
  if (unitsLeft < 0) lookAtTurn()
}

/** To be called now and then while one text is matched. Throws TurnOver. */
export function lookAtTurn(): void {
  unitsLeft = unitsPerLook
  current?.look()
}
