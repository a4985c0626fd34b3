/**
 * The events of a body that have keys of their own. A body is read once to gather them; when some are
 * stored already it is read again, and these are left out. Runs where the body is read (`event-batch.ts`).
 */
import { eventKeyBytes } from '../../journal/receipts.ts'
import { newEvent, otherEvent } from '../../store/receipts/receipts.ts'
import { eventKeyInto } from './retry-key.ts'

/** What is to become of an event: it is new, it is stored already, or another one is under its key. */
export type EventVerdict = 'new' | 'stored' | 'other'

/** Of which token the events are, and what is to become of them, if the body is read again. */
export interface IdentifyOptions {
  readonly tokenId: string
  readonly verdicts?: Uint8Array | undefined
}

export class IdentifiedEvents {
  readonly #options: IdentifyOptions | undefined
  #keys = new Uint8Array(0)
  #keysLength = 0
  #seen = 0

  /** `undefined`: nothing is remembered, and all events are new. */
  constructor(options: IdentifyOptions | undefined) {
    this.#options = options
  }

  /** Bytes of the keys so far. */
  get keysLength(): number {
    return this.#keysLength
  }

  /** Of those that are new: `eventKeyBytes` each, in memory of their own. */
  keys(): Uint8Array<ArrayBuffer> {
    return this.#keys.slice(0, this.#keysLength)
  }

  /** Tells what is to become of an event, by its key and content. */
  identify(key: string, content: Uint8Array): EventVerdict {
    if (this.#options === undefined) return 'new'
    const { tokenId, verdicts } = this.#options
    const verdict = verdicts?.[this.#seen] ?? newEvent
    this.#seen += 1
    if (verdict !== newEvent) return verdict === otherEvent ? 'other' : 'stored'
    if (this.#keysLength === this.#keys.length) {
      const more = new Uint8Array(Math.max(64 * eventKeyBytes, 2 * this.#keys.length))
      more.set(this.#keys)
      this.#keys = more
    }
    eventKeyInto(this.#keys, this.#keysLength, tokenId, key, content)
    this.#keysLength += eventKeyBytes
    return 'new'
  }
}
