/**
 * A bound on the memory of all bodies at once, from their first bytes until they are answered, on disk
 * or not. Each request has a claim, which grows as the body comes, is decoded and becomes records, and
 * is gone with its answer. Without a bound, a hundred slow uploads would hold a hundred times the limit
 * of one, and as many of 200 KB in gzip gigabytes.
 *
 * Large claims leave some room to small ones, which come and go in milliseconds. A claim that could
 * never fit is granted when it is the only large one, or it could never be sent.
 *
 * Bodies in one piece that are not encoded are not counted here: they are small, and `ingest/` counts
 * what is not read at once.
 */

import { ProblemError } from '../problems.ts'
import { isGone } from '../threads/parcel.ts'
import { seal } from '../threads/sealed-memory.ts'
import { LargeWork } from './large-work.ts'
import { isSealed, type SealedBody } from './sealed-body.ts'
import { SpareMemory } from './spare-memory.ts'

/** Of the whole room: what makes a claim large, and what large claims leave free. */
const smallShare = 1 / 8

/** What a body takes for each of its bytes: itself, and what is made of it while it is still there. */
export const memoryPerBodyByte = 2

/** A body of more, decoded, is a large one: decoded and read by threads of its own, for a tenth of a second
 *  and more. */
export const usualBodyBytesMax = 8 * 1024 * 1024

/** Of the whole room `bytesMax`: what large claims may take. */
export function largeClaimsBytesMax(bytesMax: number): number {
  return bytesMax - Math.floor(bytesMax * smallShare)
}

export class BodyMemory {
  readonly #bytesMax: number
  readonly #smallBytesMax: number
  /** Counts as room that is free: it is let go when a claim needs it. */
  readonly spare = new SpareMemory(() => this.#bytesMax - this.#heldBytes)
  /** What threads do with large bodies. */
  readonly largeWork = new LargeWork()
  #heldBytes = 0
  #largeCount = 0
  /** Called after a claim has released some. */
  onFreed: () => void = () => {}

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#smallBytesMax = Math.floor(bytesMax * smallShare)
  }

  /** 0 when no request is under way. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Whether a claim may go from one size to the other, which it then has. For claims only. */
  tryResize(from: number, to: number): boolean {
    if (to > from && !this.#fits(from, to)) return false
    this.#heldBytes += to - from
    if (this.#heldBytes + this.spare.bytes > this.#bytesMax) this.spare.letGo()
    this.#largeCount += Number(this.#isLarge(to)) - Number(this.#isLarge(from))
    if (to < from) this.onFreed()
    return true
  }

  /** Whether a claim of this many bytes is bounded as a large one. */
  #isLarge(bytes: number): boolean {
    return bytes > this.#smallBytesMax
  }

  #fits(from: number, to: number): boolean {
    const others = this.#heldBytes - from
    if (!this.#isLarge(to)) return others + to <= this.#bytesMax
    const bytesMax = largeClaimsBytesMax(this.#bytesMax)
    const isOnlyLarge = this.#largeCount === Number(this.#isLarge(from))
    return others + to <= bytesMax || (to > bytesMax && isOnlyLarge)
  }
}

/** What one request takes of the room. */
export class BodyClaim {
  readonly #memory: BodyMemory
  #bytes = 0

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Makes it so large, or smaller, in all. False when there is no room: then it stays as it was. */
  tryResize(bytes: number): boolean {
    if (!this.#memory.tryResize(this.#bytes, bytes)) return false
    this.#bytes = bytes
    return true
  }

  /** As `tryResize`; throws `ingest_overloaded` when there is no room. */
  resize(bytes: number): void {
    if (!this.tryResize(bytes))
      throw overloaded(`other bodies take ${this.#memory.heldBytes} bytes of memory`)
  }

  /** Grows to `bytes` in all, if it is smaller. Throws `ingest_overloaded` when there is no room. */
  growTo(bytes: number): void {
    if (bytes > this.#bytes) this.resize(bytes)
  }

  /** Reads the body in a thread, `work`, when others leave a core to it: for large bodies. */
  readLarge<T>(work: () => Promise<T>): Promise<T> {
    return this.#memory.largeWork.run('read', work)
  }

  /** Whether the memory of a large body should be given back when it was read: the next one can use it. */
  get wantsBack(): boolean {
    return this.#memory.spare.isWanted
  }

  /** Takes the memory of a body that is not needed any more, unless it is gone already. */
  giveBack(body: Uint8Array<ArrayBuffer> | SealedBody): void {
    if (isSealed(body)) {
      if (!isGone(body.memory)) this.#memory.spare.keep(body.memory)
    } else if (!body.buffer.detached) this.#memory.spare.keep(seal(body.buffer))
  }

  /** Releases all of it. */
  end(): void {
    if (this.#bytes > 0) this.tryResize(0)
  }
}

/** Seconds after which a sender should try again: what is in memory is on disk by then, as a rule. */
const usualRetrySeconds = 1

/** That a body is refused because of others: `detail` says what these do. */
export function overloaded(detail: string, retryAfterSeconds = usualRetrySeconds): ProblemError {
  return new ProblemError('ingest_overloaded', detail, { retryAfterSeconds })
}

/** That a body is given up because the threads that decode and read bodies have ended. */
export function givenUp(): ProblemError {
  const detail = 'the service stops before the body was read; nothing of it was stored'
  return new ProblemError('stopping', detail, { retryAfterSeconds: usualRetrySeconds })
}
