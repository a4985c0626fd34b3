/**
 * An answer on a WebSocket: messages as they are made.
 *
 * The next message is asked for when the socket has taken the last one whole, so that memory stays bounded
 * whatever the client does: there is at most one message that it has not taken. A client that takes
 * nothing for the stall time is cut off. What it says itself is not looked at.
 */

import type { NativeSocket } from '../native.ts'
import type { ReplyStream } from './reply.ts'

/** Handlers of a WebSocket's events. */
export interface SocketHandlers {
  opened(socket: NativeSocket): void
  /** The socket has taken more of what was sent. */
  drained(): void
  /** It must not be touched any more. */
  closed(): void
}

export interface SocketOptions {
  /** Time without progress, ms, after which the client is cut off. */
  readonly stallMs: number
  /** Called with what the iterator threw. */
  readonly onError: (error: unknown) => void
}

/** Codes of RFC 6455, 7.4.1. */
const closeCodes = { done: 1000, goingAway: 1001, mistake: 1011 } as const

export class SocketReply implements SocketHandlers {
  /** Resolves when neither the socket nor the iterator has anything left to do. */
  readonly ended: Promise<void>
  readonly #iterator: AsyncIterator<string | Uint8Array>
  readonly #options: SocketOptions
  #socket: NativeSocket | undefined
  #wake: (() => void) | undefined
  #begin!: () => void

  constructor(messages: ReplyStream, options: SocketOptions) {
    this.#iterator = messages[Symbol.asyncIterator]()
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#begin = resolve
    this.ended = promise.then(() => this.#run())
  }

  opened(socket: NativeSocket): void {
    this.#socket = socket
    this.#begin()
  }

  drained(): void {
    this.#wake?.()
  }

  closed(): void {
    this.#socket = undefined
    this.#begin()
    this.#wake?.()
    // Its `next` may wait for long: it is notified at once.
    this.#giveUp()
  }

  /** The service stops: the client is notified. */
  stop(): void {
    this.#socket?.end(closeCodes.goingAway, 'the service is stopping')
  }

  async #run(): Promise<void> {
    try {
      while (this.#socket !== undefined) {
        const next = await this.#iterator.next()
        if (next.done === true) this.#socket?.end(closeCodes.done, '')
        else await this.#send(next.value)
      }
    } catch (error) {
      this.#options.onError(error)
      this.#socket?.end(closeCodes.mistake, 'the service made a mistake')
    }
    await this.#giveUp()
  }

  /** Resolves when the socket has taken the message, or is closed. */
  async #send(message: string | Uint8Array): Promise<void> {
    this.#socket?.send(message)
    let left = Number.POSITIVE_INFINITY
    while (this.#socket !== undefined) {
      const waiting = this.#socket.getBufferedAmount()
      if (waiting === 0) return
      if (waiting >= left) {
        this.#socket.close() // Calls the close handler, and so `closed`.
        return
      }
      left = waiting
      await this.#room()
    }
  }

  /** Resolves when the socket has taken more, is closed, or has taken nothing for the stall time. */
  async #room(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, this.#options.stallMs)
    })
    clearTimeout(timer)
    this.#wake = undefined
  }

  /** Tells the iterator that no more is wanted. */
  async #giveUp(): Promise<void> {
    try {
      await this.#iterator.return?.()
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
