/**
 * A tail as the body of an answer: events as they come, a heartbeat when nothing does, and the end of
 * it all when the client's credential is no longer good.
 */
import type { Tail, TailEvent } from '../../../store/store.ts'
import { comment, droppedEvent, heartbeat, retryHint } from '../../../store/tail/text.ts'

export interface EventStreamOptions {
  readonly tail: Tail
  readonly isStillGranted: () => boolean
  /** How often that is asked, ms. */
  readonly grantLookMs: number
  /** Silence after which a heartbeat is sent, ms. */
  readonly heartbeatMs: number
}

/** Ms that clients are to wait before they connect again. */
const retryMs = 1_000

type Chunk = string | Uint8Array
const end = { done: true, value: undefined } as const

/**
 * Not a generator: `return()` must release the tail at once, also while `next()` waits, and also
 * when nothing was ever read.
 */
export class EventStream implements AsyncIterableIterator<Chunk> {
  readonly #options: EventStreamOptions
  #hasBegun = false
  /** Whether the client knows where it is: from the first time that there is nothing to give. */
  #hasPosition = false
  #isEnded = false
  #sentAt = 0
  #grantedAt = performance.now()

  constructor(options: EventStreamOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Chunk>> {
    const value = this.#hasBegun ? await this.#nextChunk() : retryHint(retryMs)
    if (value === undefined) return end
    this.#hasBegun = true
    this.#sentAt = performance.now()
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<Chunk>> {
    this.#isEnded = true
    this.#options.tail.close()
    return end
  }

  /** Undefined when nothing follows. */
  async #nextChunk(): Promise<Chunk | undefined> {
    const { tail, grantLookMs, heartbeatMs } = this.#options
    while (!this.#isEnded) {
      if (!this.#isGranted()) {
        await this.return()
        return comment('the credential is no longer valid')
      }
      const quietMs = performance.now() - this.#sentAt
      const waitMs = this.#hasPosition ? Math.min(grantLookMs, heartbeatMs - quietMs) : 0
      const event = await tail.next(Math.max(0, waitMs))
      if (event !== undefined) return this.#textOf(event)
      if (this.#hasPosition && performance.now() - this.#sentAt < heartbeatMs) continue
      this.#hasPosition = true
      return heartbeat(tail.position)
    }
    return undefined
  }

  #isGranted(): boolean {
    const { isStillGranted, grantLookMs } = this.#options
    const now = performance.now()
    if (now - this.#grantedAt < grantLookMs) return true
    this.#grantedAt = now
    return isStillGranted()
  }

  #textOf(event: TailEvent): Chunk {
    switch (event.kind) {
      case 'records':
        return event.text
      case 'dropped':
        return droppedEvent(event.count)
      case 'ended':
        this.#isEnded = true
        return comment(event.reason)
    }
  }
}
