/**
 * GELF messages that come in several datagrams, in any order: `1e 0f`, an id of 8 bytes, which chunk it
 * is, how many there are (at most 128), then its part. A message that is not whole after 5 s is dropped, as
 * the specification has it. What waits is bounded; beyond it the oldest is dropped.
 */

import type { Intake } from './protocol.ts'

const headerBytes = 12
const chunksMax = 128
const patienceMs = 5_000
/** Bytes of all messages in part, and how many there may be. */
const waitingBytesMax = 16 * 1024 * 1024
const waitingMax = 1_000

interface Waiting {
  readonly parts: (Buffer | undefined)[]
  readonly since: number
  bytes: number
  missing: number
}

export class GelfChunks {
  /** By sender and id, the oldest first. */
  readonly #waiting = new Map<string, Waiting>()
  #bytes = 0

  /** The message that `datagram` is, or makes whole; undefined when it waits for others, or is none. */
  add(datagram: Buffer, peer: string, intake: Intake): Buffer | undefined {
    if (datagram[0] !== 0x1e || datagram[1] !== 0x0f) return datagram
    this.#dropOld(intake)
    const [number, count] = [datagram[10], datagram[11]]
    if (number === undefined || count === undefined || number >= count || count > chunksMax) {
      intake.refuse('unreadable')
      return undefined
    }
    const key = `${peer} ${datagram.toString('hex', 2, 10)}`
    const message = this.#waiting.get(key) ?? this.#begin(key, count, intake.receivedAt)
    if (message.parts.length !== count || message.parts[number] !== undefined) return undefined
    const part = Buffer.from(datagram.subarray(headerBytes))
    message.parts[number] = part
    message.bytes += part.length
    message.missing -= 1
    this.#bytes += part.length
    if (message.missing > 0) {
      this.#keepBounds(intake)
      return undefined
    }
    this.#forget(key, message)
    return Buffer.concat(message.parts as Buffer[])
  }

  #begin(key: string, count: number, since: number): Waiting {
    const parts = new Array<Buffer | undefined>(count).fill(undefined)
    const message = { parts, since, bytes: 0, missing: count }
    this.#waiting.set(key, message)
    return message
  }

  #dropOld(intake: Intake): void {
    for (const [key, message] of this.#waiting) {
      if (intake.receivedAt - message.since < patienceMs) return
      this.#forget(key, message)
      intake.refuse('torn')
    }
  }

  #keepBounds(intake: Intake): void {
    for (const [key, message] of this.#waiting) {
      if (this.#bytes <= waitingBytesMax && this.#waiting.size <= waitingMax) return
      this.#forget(key, message)
      intake.refuse('overloaded')
    }
  }

  #forget(key: string, message: Waiting): void {
    this.#waiting.delete(key)
    this.#bytes -= message.bytes
  }
}
