/**
 * One connection of a sender. Each read is stored before the next is looked at: while the disk is busy, full
 * or behind, the connection waits, its sender's TCP with it, and nothing is lost. What is held for it is what
 * was read (up to 64 KiB), as much that Node has read ahead, and a message that is not whole yet.
 *
 * **What a sender can know.** The protocols without acknowledgements (syslog, GELF) say nothing after a
 * message. But a sender that ends its side in order (FIN, of TLS close_notify) is answered with the end of
 * ours only when all of it is on disk; whatever is lost or refused as a whole ends in a reset instead.
 */

import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import { BodyClaim } from '../ingest/body-memory.ts'
import { mayPass } from '../problems.ts'
import { NotAuthenticated, UnreadableStream } from './framing/framer.ts'
import { GatheredIntake } from './gathered-intake.ts'
import type { Listener } from './listener.ts'
import type { RefusalReason, StreamReader } from './protocols/protocol.ts'

/** How long a read waits before it is tried again when there is no room for it, ms. */
const retryMs = 100
/** What one record takes in memory beside its text, about, in bytes. */
const recordBytes = 512

export class StreamConnection {
  readonly #listener: Listener
  readonly #socket: Socket
  readonly #reader: StreamReader
  readonly #claim: BodyClaim
  readonly #stopping = new AbortController()
  readonly #closed = Promise.withResolvers<void>()
  readonly #peer: string
  /** The read that is being stored; resolves also when it failed. */
  #work: Promise<void> = Promise.resolve()

  constructor(listener: Listener, socket: Socket) {
    this.#listener = listener
    this.#socket = socket
    this.#reader = listener.protocol.openStream()
    this.#claim = new BodyClaim(listener.dependencies.memory)
    this.#peer = socket.remoteAddress ?? ''
    socket.on('data', bytes => this.#next(bytes))
    socket.on('end', () => this.#next(undefined))
    socket.on('error', () => {}) // 'close' follows; what a torn connection leaves is counted there.
    socket.on('close', () => {
      this.#letGo()
      this.#closed.resolve()
    })
    if (this.#reader.greeting !== undefined) socket.write(this.#reader.greeting)
  }

  /** Reads no more, stores what was read, and ends; a connection that cannot is reset. */
  async stop(): Promise<void> {
    this.#socket.pause()
    this.#stopping.abort()
    await this.#work
    this.#socket.destroySoon()
    await this.#closed.promise
  }

  /** `undefined`: the sender has ended. That may come while a read is being stored: Node does not wait. */
  #next(bytes: Buffer | undefined): void {
    this.#socket.pause()
    this.#work = this.#work
      .then(() => (this.#socket.destroyed ? undefined : this.#take(bytes)))
      .then(
        () => this.#goOn(bytes === undefined),
        error => this.#fail(error),
      )
      .then(() => this.#letGo())
  }

  async #take(bytes: Buffer | undefined): Promise<void> {
    const listener = this.#listener
    const token = listener.token()
    if (token === undefined) throw new Refusal('token_unknown', listener.complaint ?? '')
    const intake = new GatheredIntake(listener.dependencies.now())
    let failure: unknown
    try {
      if (bytes === undefined) this.#reader.end(intake)
      else this.#reader.read(bytes, intake)
    } catch (error) {
      failure = error // What stands before it counts.
    }
    listener.noteRefusals(intake, this.#peer)
    if (!this.#claim.tryResize(this.#reader.heldBytes)) throw noMemory()
    await this.#store(intake, token, bytes?.length ?? 0)
    for (const reply of intake.replies) this.#socket.write(reply)
    if (failure instanceof NotAuthenticated) {
      throw new Refusal('not_authenticated', failure.message)
    }
    if (failure instanceof UnreadableStream) throw new Refusal('unreadable', failure.message)
    if (failure !== undefined) throw failure
  }

  async #store(intake: GatheredIntake, token: IngestionToken, bytes: number): Promise<void> {
    const { records, bodies } = intake
    const listener = this.#listener
    if (records.length > 0) {
      const heldBytes = 2 * bytes + recordBytes * records.length
      await this.#untilRoom(token, heldBytes, () => listener.store(intake, token, bytes))
    }
    for (const body of bodies) {
      const claim = new BodyClaim(listener.dependencies.memory)
      try {
        await this.#untilRoom(token, body.bytes.length, () => {
          if (body.bytes.length === 0) throw new Refusal('storage', 'the disk is full')
          return listener.storeBody(body, token, claim)
        })
      } finally {
        claim.end()
      }
    }
  }

  /** Tries until there is room; `heldBytes` wait meanwhile. Rejects when there will be none, or it stops. */
  async #untilRoom(
    token: IngestionToken,
    heldBytes: number,
    attempt: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      try {
        await attempt()
        return
      } catch (error) {
        if (!mayPass(error)) throw error
      }
      // Thousands may wait: what they hold has a bound.
      if (!this.#claim.tryResize(this.#reader.heldBytes + heldBytes)) throw noMemory()
      await sleep(retryMs, undefined, { signal: this.#stopping.signal })
      if (!this.#listener.dependencies.tokens.isLive(token)) {
        throw new Refusal('token_unknown', this.#listener.complaint ?? 'the token was deleted')
      }
    }
  }

  /** A read that was under way when the connection ended may hold something after it. */
  #letGo(): void {
    if (this.#socket.destroyed) this.#claim.end()
  }

  #goOn(isEnded: boolean): void {
    if (this.#stopping.signal.aborted) return
    if (isEnded) this.#socket.end()
    else this.#socket.resume()
  }

  #fail(error: unknown): void {
    if (error instanceof Refusal) {
      this.#listener.refuse(error.reason, 1, `a connection was reset: ${error.message}`, this.#peer)
    } else if (!this.#stopping.signal.aborted) {
      this.#listener.refuseFor(error, 1, 'a connection was reset', this.#peer)
    }
    const isTold = error instanceof Refusal && error.reason === 'not_authenticated'
    if (isTold) this.#socket.destroySoon()
    else reset(this.#socket)
  }
}

/** Why a connection ends without its sender's consent. */
class Refusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, text: string) {
    super(text)
    this.reason = reason
  }
}

function noMemory(): Refusal {
  return new Refusal('overloaded', 'what connections hold takes as much memory as it may')
}

/** Ends a connection so that its sender sees that it was not in order. */
export function reset(socket: Socket): void {
  // TLS has no reset of its own; without its close_notify an end is none either.
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
