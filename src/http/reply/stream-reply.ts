/**
 * An answer that is made while it is sent: an export, a live tail.
 *
 * The next chunk is asked for when the socket took the last one, so that memory stays bounded
 * whatever the client does. uWebSockets keeps what the kernel does not take; it gives no word of how
 * much that is, and cuts the connection 10 s after a write that was not taken whole, even when the
 * client reads steadily: a large socket buffer takes longer to become writable. So while the socket
 * is full we write single bytes, kept back from the end of a chunk: each attempt moves on what the
 * kernel takes by now, tells whether that was all, and restarts the 10 s. We cut by ourselves a
 * client that took nothing for the stall time.
 *
 * Nothing but the end of the iterator ends the answer cleanly: after an error the connection is
 * reset, so that no client takes a part for the whole.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NativeResponse } from '../native.ts'
import type { ReplyStream } from './reply.ts'

export interface StreamOptions {
  /** Writes status and headers. Called once, inside `cork`, before the first chunk. */
  readonly writeHead: () => void
  /** Time without progress, ms, after which the client is cut off. */
  readonly stallMs: number
  /** Called with what the iterator threw after the first chunk, or while it was stopped. */
  readonly onError: (error: unknown) => void
}

export type StreamEnd = 'whole' | 'broken' | 'gone'

/** An iterator that never waits, before a socket that takes everything, lets others in by then. */
const turnMsMax = 10
/** How long the socket may be full before a byte is tried; uWebSockets cuts after 10 s. */
const attemptMs = 4_000
/** Handed over at once, and so the most that uWebSockets has to keep. */
const sliceBytes = 64 * 1024
/** Kept back from the end of a chunk, for attempts: more than fit into the stall time. */
const keptBackBytes = 16
/** Smaller chunks are written in one piece: the next chunk gives the bytes for attempts. */
const keptBackFromBytes = 16 * 1024

export class StreamReply {
  readonly #response: NativeResponse
  readonly #iterator: AsyncIterator<string | Uint8Array>
  readonly #options: StreamOptions
  #isHeadWritten = false
  /** Ended, broken or given up: the response must not be touched again. */
  #isOver = false
  #end: StreamEnd = 'gone'
  /** Whether the iterator has nothing more to end. */
  #isExhausted = false
  #returned: Promise<unknown> | undefined
  /** Since when the socket has been full, ms; undefined when it takes more. */
  #fullSinceMs: number | undefined
  #wake: (() => void) | undefined

  constructor(response: NativeResponse, stream: ReplyStream, options: StreamOptions) {
    this.#response = response
    this.#iterator = stream[Symbol.asyncIterator]()
    this.#options = options
  }

  /**
   * Sends the whole stream. Resolves when neither the response nor the iterator has anything left
   * to do; rejects with what the iterator threw before its first chunk: then nothing was written.
   */
  async run(): Promise<StreamEnd> {
    if (!this.#isOver) this.#response.onWritable(() => this.#onWritable())
    let turnStartMs = performance.now()
    while (!this.#isOver) {
      if (performance.now() - turnStartMs > turnMsMax) {
        await nextTurn()
        turnStartMs = performance.now()
        continue
      }
      let next: IteratorResult<string | Uint8Array>
      try {
        next = await this.#iterator.next()
      } catch (error) {
        this.#isExhausted = true
        if (this.#isOver) break // Told to stop, it may say so.
        if (!this.#isHeadWritten) throw error
        this.#break(error)
        break
      }
      if (next.done === true) {
        this.#isExhausted = true
        this.#finish()
      } else {
        await this.#write(next.value)
      }
    }
    await this.#returned
    return this.#end
  }

  /** The client has gone: the response is not touched again, the iterator is told. */
  abort(): void {
    this.#isOver = true
    this.#giveUp()
  }

  /** Ends the answer cleanly where it is, for a stream that has no end of its own. */
  stop(): void {
    this.#finish()
    this.#giveUp()
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let offset = 0
    while (offset < bytes.length && !this.#isOver) {
      const size = this.#fullSinceMs === undefined ? pieceOf(bytes.length - offset) : 1
      const isTaken = this.#put(bytes.subarray(offset, offset + size))
      offset += size
      if (isTaken) {
        this.#fullSinceMs = undefined
      } else {
        await this.#room()
      }
    }
  }

  /** Whether the socket took all of it. What it did not take is kept, and sent first. */
  #put(bytes: Uint8Array): boolean {
    let isTaken = false
    this.#response.cork(() => {
      this.#head()
      isTaken = this.#response.write(bytes)
    })
    return isTaken
  }

  #head(): void {
    if (!this.#isHeadWritten) {
      this.#isHeadWritten = true
      this.#options.writeHead()
    }
  }

  /** Resolves when the socket takes more, or it is time to try, or all is over. */
  async #room(): Promise<void> {
    const now = performance.now()
    this.#fullSinceMs ??= now
    const leftMs = this.#fullSinceMs + this.#options.stallMs - now
    if (leftMs <= 0) {
      this.#response.close() // Calls the abort handler, and so `abort`.
      return
    }
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, Math.min(attemptMs, leftMs))
    })
    clearTimeout(timer)
    this.#wake = undefined
  }

  #onWritable(): boolean {
    if (!this.#isOver) {
      // With a handler, uWebSockets leaves it to us to move on what it keeps; no chunk may come.
      this.#response.cork(() => undefined)
      this.#fullSinceMs = undefined
      this.#wake?.()
    }
    return true
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end = 'whole'
    this.#response.cork(() => {
      this.#head()
      this.#response.end('', false) // With true it would write a header into the body.
    })
  }

  #break(error: unknown): void {
    this.#isOver = true
    this.#end = 'broken'
    this.#options.onError(error)
    this.#response.close()
  }

  /** Tells the iterator, once, that no more is wanted. */
  #giveUp(): void {
    this.#wake?.()
    if (this.#isExhausted || this.#returned !== undefined) return
    this.#returned = (async () => this.#iterator.return?.())().catch(this.#options.onError)
  }
}

function pieceOf(restBytes: number): number {
  if (restBytes > sliceBytes) return sliceBytes
  return restBytes > keptBackFromBytes ? restBytes - keptBackBytes : restBytes
}
