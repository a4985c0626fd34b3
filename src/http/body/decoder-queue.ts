/**
 * Who decodes when. A body that was sent encoded waits until a decoder is free and there is room for
 * all that it may become: none begins that could not be finished, so that bodies half decoded never
 * wait for one another. Large bodies have a queue and a decoder of their own, behind which small ones
 * need not wait.
 *
 *     ┌─ waiting ─┐    room for all of it,   ┌─ decoding ─┐   ┌─ read, stored, answered ─┐
 *     │ encoded   ├───▶ a free decoder ─────▶│ decoder    ├──▶│ claim                    │
 *     └───────────┘                          └────────────┘   └──────────────────────────┘
 *       too many: 429                          aborted: both are released
 *
 * Bodies that wait hold the memory of what was sent. When nobody else holds any, and still none of
 * them can begin, the last to come are refused.
 */

import {
  type BodyClaim,
  type BodyMemory,
  memoryPerBodyByte,
  overloaded,
} from '../../ingest/body-memory.ts'
import { limits } from '../../limits.ts'
import type { ProblemError } from '../../problems.ts'
import type { DecoderKind } from './decoder-kind.ts'
import { RetryTimes } from './retry-times.ts'

/** How many decode at once. Node has four threads for this, with which the journal is written too. */
const decodersOf = { small: 2, large: 1 } as const
const placesOf = { small: limits.smallBodiesWaitingMax, large: limits.largeBodiesWaitingMax }
const kinds = ['small', 'large'] as const

/** Ends a body's decoding. Its claim is for `decodedBytes` from now on, or else for what was sent. */
export type EndDecoding = (decodedBytes?: number) => void

interface Waiting {
  readonly claim: BodyClaim
  readonly encodedBytes: number
  /** What the claim is to have in all. */
  readonly bytes: number
  readonly begun: PromiseWithResolvers<void>
}

export class DecoderQueue {
  readonly #memory: BodyMemory
  readonly #waiting: Record<DecoderKind, Waiting[]> = { small: [], large: [] }
  readonly #decodingCount: Record<DecoderKind, number> = { small: 0, large: 0 }
  readonly #retryTimes = { small: new RetryTimes(), large: new RetryTimes() }
  readonly #now: () => number

  /** `now` counts milliseconds from any time on. */
  constructor(memory: BodyMemory, now = () => performance.now()) {
    this.#memory = memory
    this.#now = now
    memory.onFreed = () => this.#admit()
  }

  get waitingCount(): number {
    return this.#waiting.small.length + this.#waiting.large.length
  }

  get decodingCount(): number {
    return this.#decodingCount.small + this.#decodingCount.large
  }

  /** Throws `ingest_overloaded` when so many wait that a body of that kind would be refused. */
  checkPlace(kind: DecoderKind): void {
    const { length } = this.#waiting[kind]
    if (length < placesOf[kind]) return
    const seconds = this.#retryTimes[kind].next(this.#now())
    throw overloaded(`${length} other bodies wait to be decoded`, seconds)
  }

  /** `ingest_overloaded` for a body that came with very many others: as large ones are called back. */
  crowdedOut(): ProblemError {
    const seconds = this.#retryTimes.large.next(this.#now())
    return overloaded('very many other bodies came in the same moment', seconds)
  }

  /**
   * Waits until a body may be decoded whose claim is for what was sent, and which becomes at most
   * `decodedBytes`. Rejects with `ingest_overloaded` when too many wait, and with the signal's reason.
   */
  async enter(
    kind: DecoderKind,
    claim: BodyClaim,
    decodedBytes: number,
    signal: AbortSignal,
  ): Promise<EndDecoding> {
    signal.throwIfAborted()
    this.checkPlace(kind)
    const queue = this.#waiting[kind]
    const encodedBytes = claim.bytes
    const bytes = encodedBytes + memoryPerBodyByte * decodedBytes
    const waiting = { claim, encodedBytes, bytes, begun: Promise.withResolvers<void>() }
    const leave = () => {
      this.#remove(waiting)
      waiting.begun.reject(signal.reason)
      this.#admit() // Those behind it may fit.
    }
    queue.push(waiting)
    signal.addEventListener('abort', leave)
    this.#admit()
    await waiting.begun.promise.finally(() => signal.removeEventListener('abort', leave))
    return bytesAfter => {
      this.#decodingCount[kind]--
      const decoded = bytesAfter === undefined ? encodedBytes : memoryPerBodyByte * bytesAfter
      claim.resize(Math.min(decoded, bytes))
      this.#admit()
    }
  }

  /** Lets all begin that can. */
  #admit(): void {
    for (const kind of kinds) {
      const queue = this.#waiting[kind]
      while (queue.length > 0 && this.#decodingCount[kind] < decodersOf[kind]) {
        const { claim, bytes, begun } = queue[0]!
        if (!claim.tryResize(bytes)) break
        queue.shift()
        this.#retryTimes[kind].noteTurn(this.#now(), queue.length > 0)
        this.#decodingCount[kind]++
        begun.resolve()
      }
    }
    if (this.#isStuck()) this.#refuseLast()
  }

  /** Whether those that wait, two or more, are all that there is, so that nobody will make room. */
  #isStuck(): boolean {
    if (this.waitingCount < 2 || this.decodingCount > 0) return false
    const all = [...this.#waiting.small, ...this.#waiting.large]
    return all.reduce((sum, { encodedBytes }) => sum + encodedBytes, 0) >= this.#memory.heldBytes
  }

  #refuseLast(): void {
    const queue = this.#waiting[this.#waiting.large.length > 0 ? 'large' : 'small']
    const { claim, begun } = queue.pop()!
    begun.reject(overloaded('bodies that wait to be decoded take all of the memory for bodies'))
    claim.end() // Those before it are tried again.
  }

  #remove(waiting: Waiting): void {
    for (const kind of kinds) {
      const index = this.#waiting[kind].indexOf(waiting)
      if (index >= 0) this.#waiting[kind].splice(index, 1)
    }
  }
}
