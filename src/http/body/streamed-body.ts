/**
 * A body without an end in sight, in pieces: while whoever takes them works on one, no more is read, and its
 * sender's TCP waits.
 *
 * uWebSockets ends a connection whose body brings less than 16 KiB/s over 10 s. Pausing and resuming it lets
 * that time begin anew; how long nothing may come is decided here.
 */

import { type BodyClaim, overloaded } from '../../ingest/body-memory.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { NativeResponse } from '../native.ts'
import { copyOf } from '../turn.ts'

/** Less than half of uWebSockets' own time, ms. */
const keepAliveMs = 4_000

export class StreamedBody implements AsyncIterableIterator<Buffer<ArrayBuffer>> {
  readonly #response: Pick<NativeResponse, 'pause' | 'resume'>
  readonly #claim: BodyClaim
  readonly #idleMs: number
  readonly #timer: NodeJS.Timeout
  /** What came and was not asked for yet: one read of the socket at most. */
  #waiting: Buffer<ArrayBuffer>[] = []
  #waitingBytes = 0
  #isPaused = false
  #isWhole = false
  #failure: Error | undefined
  #cameAt = performance.now()
  #wake: () => void = () => {}

  /**
   * Must be made before the native handler returns, with an abort handler attached that calls `fail`. `claim`
   * is for what has come and is not dealt with; without room for it the body ends with `ingest_overloaded`,
   * and with `body_idle` when nothing comes for `idleMs`.
   */
  constructor(
    response: Pick<NativeResponse, 'onData' | 'pause' | 'resume'>,
    claim: BodyClaim,
    idleMs: number = limits.streamedBodyIdleMs,
  ) {
    this.#response = response
    this.#claim = claim
    this.#idleMs = idleMs
    this.#timer = setInterval(() => this.#keepAlive(), Math.min(keepAliveMs, idleMs))
    response.onData((chunk, isLast) => this.#take(chunk, isLast))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Whether its end has come. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /**
   * All that came since the last call, once there is something; in memory that is the caller's, who is done
   * with what it got before.
   */
  async next(): Promise<IteratorResult<Buffer<ArrayBuffer>, undefined>> {
    this.#claim.tryResize(this.#waitingBytes)
    while (this.#waiting.length === 0 && !this.#isWhole && this.#failure === undefined) {
      this.#goOn()
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    this.requireLife()
    const [first, ...more] = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0 // Still claimed, until the next call.
    if (first === undefined) return { done: true, value: undefined }
    return { done: false, value: more.length === 0 ? first : Buffer.concat([first, ...more]) }
  }

  /** Throws when the client has gone, or the service stops: for whoever waits before the next piece. */
  requireLife(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Nothing more is taken, nor is the response touched: `next` rejects with `reason`. */
  fail(reason: Error): void {
    this.#failure ??= reason
    clearInterval(this.#timer)
    this.#wake()
  }

  /**
   * To be called when it is dealt with, before the answer: its connection takes the next request. (The end
   * may come in the turn in which it was paused: see `shared-reading.ts`.)
   */
  end(): void {
    if (this.#isWhole && this.#failure === undefined) this.#goOn()
  }

  #take(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#failure !== undefined) return
    this.#cameAt = performance.now()
    if (chunk.byteLength > 0) {
      if (!this.#claim.tryResize(this.#claim.bytes + chunk.byteLength)) {
        this.fail(overloaded('bodies that go on for ever hold as much memory as they may'))
        return
      }
      this.#waiting.push(copyOf(chunk))
      this.#waitingBytes += chunk.byteLength
    }
    if (isLast) {
      this.#isWhole = true
      clearInterval(this.#timer)
    } else if (!this.#isPaused) {
      this.#isPaused = true
      this.#response.pause()
    }
    this.#wake()
  }

  #goOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#cameAt = performance.now()
    this.#response.resume()
  }

  #keepAlive(): void {
    if (this.#isPaused) return // uWebSockets waits then.
    if (performance.now() - this.#cameAt > this.#idleMs) {
      const detail = `expected more of the body, nothing came for ${this.#idleMs} ms`
      this.fail(new ProblemError('body_idle', detail))
      return
    }
    this.#response.pause()
    this.#response.resume()
  }
}
