/**
 * Which keys were stored, so that a retry counts once: told by the frames of the journal, those that an
 * earlier process wrote and each that becomes durable. Whoever stores something under a key claims it
 * before; others with the same key wait until it is stored, or is not.
 *
 * A request that goes to disk in parts (`journal/large-appends.ts`) may have been cut off between two of
 * them. What is stored of it is remembered, too: its retry stores the rest.
 */
import {
  eventKeyBytes,
  type FrameReceipts,
  type ReceiptKey,
  type RequestReceipt,
} from '../../journal/receipts.ts'
import { EventRanges } from './event-ranges.ts'
import { claimMax, keyCount, ReceiptTable, storedEvent } from './receipt-table.ts'

/** What is remembered of answers that say more than a count, in characters; the oldest go first. */
const answersLengthMax = 8 * 1024 * 1024
/** Requests that are stored in part, which no more than these can be at a time; the oldest go first. */
const partialRequestsMax = 1_000
/** Event keys that are looked at in one turn of the event loop: some milliseconds. */
const keysPerTurn = 4_096

export interface ReceiptsOptions {
  /** Keys that are remembered at most; 0: none is. */
  readonly countMax: number
  /** For how long, ms. */
  readonly ageMsMax: number
  readonly now: () => number
}

/** What is known of the key of a request. */
export type KnownRequest =
  /** Another request was sent under this key. */
  | { readonly state: 'other' }
  | { readonly state: 'stored'; readonly accepted: number; readonly answer: string }
  | { readonly state: 'under way'; readonly ended: Promise<void> }
  /** `stored`: what of its events is stored already. */
  | { readonly state: 'new'; readonly stored: EventRanges | undefined }

/** The right to store a request. */
export interface RequestClaim {
  /** To be called when all of it is stored, or the rest will not be. */
  end(): void
}

/** What is to become of an event: it is new, it is stored already, or another one is under its key. */
export const newEvent = 0
export const repeatedEvent = 1
export const otherEvent = 2

/** The right to store events. */
export interface EventsClaim {
  /** To be called when all of them are stored (`isStored`), or the rest will not be. */
  end(isStored: boolean): void
  /** For each key what is to become of its event; undefined when all are new. */
  readonly verdicts: Uint8Array<ArrayBuffer> | undefined
}

interface PartialRequest {
  readonly receipt: RequestReceipt
  readonly stored: EventRanges
  answer: string
}

export class Receipts {
  readonly #options: ReceiptsOptions
  readonly #table: ReceiptTable
  /** By the hash of the key in hex, the oldest first. */
  readonly #answers = new Map<string, string>()
  #answersLength = 0
  readonly #partial = new Map<string, PartialRequest>()
  /** By number. */
  readonly #claims = new Map<number, PromiseWithResolvers<void>>()
  #nextClaim = 1
  /** One after the other: two that claim the same keys in another order would wait for each other. */
  #claiming: Promise<void> = Promise.resolve()

  constructor(options: ReceiptsOptions) {
    this.#options = options
    const secondsMax = Math.ceil(options.ageMsMax / 1000)
    this.#table = new ReceiptTable({ countMax: options.countMax, secondsMax })
  }

  /** Whether anything is remembered. */
  get isOn(): boolean {
    return this.#options.countMax > 0
  }

  /** Keys that take room. */
  get count(): number {
    return this.#table.count
  }

  /** Takes the receipts of a frame that is durable. */
  note({ time, eventKeys, requests }: FrameReceipts): void {
    if (!this.isOn) return
    const keys = bufferOf(eventKeys)
    const second = secondOf(time)
    for (let at = 0; at < keys.length; at += eventKeyBytes) {
      this.#table.store(keys, at, second, storedEvent)
    }
    for (const request of requests) this.#noteRequest(request)
  }

  /** What is known of a request's key now. */
  find(key: ReceiptKey): KnownRequest {
    const known = this.#table.find(joined(key), 0, this.#nowSecond())
    if (known === undefined) return this.#findPartial(key)
    if (known.claim !== undefined) {
      // Without a claim of this number it has ended, and nothing of it is under way.
      const ended = this.#claims.get(known.claim)?.promise
      if (ended !== undefined) return { state: 'under way', ended }
      return this.#findPartial(key)
    }
    const answer = known.hasAnswer ? this.#answers.get(nameOf(key)) : ''
    if (answer === undefined) return { state: 'new', stored: undefined } // Forgotten, for its answer.
    if (!known.isSame) return { state: 'other' }
    return { state: 'stored', accepted: known.accepted, answer }
  }

  /** Claims a request's key that was found to be new in this turn of the event loop. */
  claimRequest(key: ReceiptKey): RequestClaim {
    const keys = joined(key)
    const claim = this.#newClaim()
    this.#table.claim(keys, 0, this.#nowSecond(), claim)
    return { end: () => this.#endClaim(claim, keys, false) }
  }

  /**
   * Claims those of the keys (`eventKeyBytes` each) that are new; waits for others that store some of them.
   * `keys` must not change until the claim has ended.
   */
  claimEvents(keys: Uint8Array): Promise<EventsClaim> {
    const claimed = this.#claiming.then(() => this.#claimInTurns(bufferOf(keys)))
    this.#claiming = claimed.then(
      () => {},
      () => {},
    )
    return claimed
  }

  async #claimInTurns(keys: Buffer): Promise<EventsClaim> {
    const claim = this.#newClaim()
    const second = this.#nowSecond()
    let verdicts: Uint8Array<ArrayBuffer> | undefined
    for (let i = 0; i < keyCount(keys); i++) {
      if (i > 0 && i % keysPerTurn === 0) await new Promise(resolve => setImmediate(resolve))
      const at = i * eventKeyBytes
      let known = this.#table.find(keys, at, second)
      while (known?.claim !== undefined && known.claim !== claim) {
        const ended = this.#claims.get(known.claim)?.promise
        if (ended === undefined) {
          known = undefined
          break
        }
        await ended
        known = this.#table.find(keys, at, second)
      }
      if (known === undefined) {
        this.#table.claim(keys, at, second, claim)
        continue
      }
      verdicts ??= new Uint8Array(keyCount(keys))
      verdicts[i] = known.isSame ? repeatedEvent : otherEvent
    }
    return { verdicts, end: isStored => this.#endClaim(claim, keys, isStored) }
  }

  #newClaim(): number {
    const claim = this.#nextClaim
    this.#nextClaim = claim === claimMax ? 1 : claim + 1
    this.#claims.set(claim, Promise.withResolvers<void>())
    return claim
  }

  #endClaim(claim: number, keys: Buffer, isStored: boolean): void {
    // What is still under way of it was not stored.
    for (let at = 0; at < keys.length && !isStored; at += eventKeyBytes) {
      this.#table.release(keys, at, claim)
    }
    this.#claims.get(claim)?.resolve()
    this.#claims.delete(claim)
  }

  #findPartial(key: ReceiptKey): KnownRequest {
    const name = nameOf(key)
    const partial = this.#partial.get(name)
    if (partial === undefined) return { state: 'new', stored: undefined }
    if (this.#isOver(partial.receipt)) {
      this.#partial.delete(name)
      return { state: 'new', stored: undefined }
    }
    if (!partial.receipt.fingerprint.equals(key.fingerprint)) return { state: 'other' }
    return { state: 'new', stored: partial.stored }
  }

  #noteRequest(receipt: RequestReceipt): void {
    const name = nameOf(receipt)
    const { from, to, total, fingerprint } = receipt
    let partial = this.#partial.get(name)
    const isOfSame = partial?.receipt.fingerprint.equals(fingerprint) === true
    if (!isOfSame || partial === undefined) {
      partial = { receipt: ownCopy(receipt), stored: new EventRanges(), answer: '' }
    }
    partial.stored.add(from, to)
    if (receipt.answer !== '') partial.answer = receipt.answer
    if (partial.stored.covers(total)) {
      this.#partial.delete(name)
      this.#noteStored(name, receipt, partial.answer)
      return
    }
    this.#partial.set(name, partial)
    if (this.#partial.size > partialRequestsMax) {
      this.#partial.delete(this.#partial.keys().next().value!)
    }
  }

  #noteStored(name: string, receipt: RequestReceipt, answer: string): void {
    const { accepted, time } = receipt
    const hasAnswer = answer !== ''
    this.#table.store(joined(receipt), 0, secondOf(time), { accepted, hasAnswer })
    this.#answersLength -= this.#answers.get(name)?.length ?? 0
    this.#answers.delete(name)
    if (!hasAnswer) return
    this.#answers.set(name, Buffer.from(answer).toString()) // Not a part of a longer text.
    this.#answersLength += answer.length
    // Without its answer a key is forgotten, see `find`.
    for (const [oldest, text] of this.#answers) {
      if (this.#answersLength <= answersLengthMax) break
      this.#answers.delete(oldest)
      this.#answersLength -= text.length
    }
  }

  #isOver({ time }: RequestReceipt): boolean {
    return this.#options.now() - time > this.#options.ageMsMax
  }

  #nowSecond(): number {
    return secondOf(this.#options.now())
  }
}

function secondOf(time: number): number {
  return Math.max(0, Math.floor(time / 1000))
}

/** Of what may share the memory of a whole frame. */
function ownCopy(receipt: RequestReceipt): RequestReceipt {
  const { hash, fingerprint } = receipt
  return { ...receipt, hash: Buffer.from(hash), fingerprint: Buffer.from(fingerprint) }
}

const nameOf = ({ hash }: ReceiptKey) => hash.toString('hex')

function joined({ hash, fingerprint }: ReceiptKey): Buffer {
  return Buffer.concat([hash, fingerprint])
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
