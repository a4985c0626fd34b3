import { getOrInsertComputed } from '../get-or-insert.ts'
/**
 * What is going on at the door: how many requests are under way, whether new ones are taken, and
 * what was answered since the start.
 *
 * Counted in plain maps, because a labelled counter of the metrics library costs a microsecond per
 * request; whoever serves metrics reads them when asked.
 */

export interface AnswerCount {
  readonly method: string
  /** As in the table of routes, with `{id}`; `*` for all paths that are not in it. */
  readonly path: string
  readonly status: number
  readonly count: number
}

export interface Operation {
  readonly method: string
  readonly path: string
}

/** Counted for a request whose client went away before the answer, after nginx. */
export const clientGoneStatus = 499

/** Counted for a WebSocket, when it is over. */
export const switchingStatus = 101

export class Traffic {
  #isStopping = false
  readonly #stopListeners = new Set<() => void>()
  #begunCount = 0
  #underWayCount = 0
  #streamCount = 0
  readonly #counts = new Map<Operation, Map<number, number>>()
  #onIdle: (() => void) | undefined

  /** Requests whose headers came since the start. */
  get begunCount(): number {
    return this.#begunCount
  }

  /** Requests whose headers came and that are neither answered nor given up. */
  get underWayCount(): number {
    return this.#underWayCount
  }

  /** Those of them that have no answer yet: a stream may go on for hours, and nobody waits for it. */
  get awaitedCount(): number {
    return this.#underWayCount - this.#streamCount
  }

  /** Whether new requests are turned away. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** From now on new requests are turned away, and what would never end by itself is told to. */
  beginStop(): void {
    this.#isStopping = true
    for (const listener of this.#stopListeners) {
      listener()
    }
    this.#stopListeners.clear()
  }

  /** Calls `listener` once when stopping begins, or now. Returns what takes that back. */
  onStop(listener: () => void): () => void {
    if (this.#isStopping) {
      listener()
    } else {
      this.#stopListeners.add(listener)
    }
    return () => this.#stopListeners.delete(listener)
  }

  /** The same, for a request whose answer is a stream and has begun; taken back when that has ended. */
  onStopOfStream(listener: () => void): () => void {
    this.#streamCount += 1
    const forget = this.onStop(listener)
    return () => {
      this.#streamCount -= 1
      forget()
    }
  }

  begin(): void {
    this.#begunCount += 1
    this.#underWayCount += 1
  }

  /** Called once for every `begin`. */
  end(operation: Operation, status: number): void {
    const counts = getOrInsertComputed(this.#counts, operation, () => new Map())
    counts.set(status, (counts.get(status) ?? 0) + 1)
    this.#underWayCount -= 1
    if (this.#underWayCount === 0) {
      this.#onIdle?.()
    }
  }

  /** Resolves when no request is under way, or after `limitMs`: then false. */
  async idle(limitMs: number): Promise<boolean> {
    if (this.#underWayCount === 0) {
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#onIdle = () => resolve(true)
    const timer = setTimeout(() => resolve(false), limitMs)
    const isIdle = await promise
    clearTimeout(timer)
    this.#onIdle = undefined
    return isIdle
  }

  *answers(): Generator<AnswerCount> {
    for (const [{ method, path }, counts] of this.#counts) {
      for (const [status, count] of counts) {
        yield { method, path, status, count }
      }
    }
  }
}
