/**
 * Requests under keys of their own, or whose events have keys, that are sent again in later lives of a
 * machine: each of their events must be there once. What a request is stored by is what `ingest/` has for it.
 */
import { createHash } from 'node:crypto'
import type { Random } from '../../bench/random.ts'
import { withReceipts } from '../../src/ingest/retries/batch-receipts.ts'
import { storeOnce } from '../../src/ingest/retries/store-once.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { fingerprintBytes, hashBytes, type ReceiptKey } from '../../src/journal/receipts.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import type { EventRange } from '../../src/store/receipts/event-ranges.ts'
import { newEvent } from '../../src/store/receipts/receipts.ts'
import type { SentRecord } from './power-cut-oracle.ts'

/** Keys are remembered for a day. */
const repeatedForMs = 23 * 3_600_000

interface KeyedRequest {
  readonly name: string
  readonly sent: readonly SentRecord[]
  /** Whether each event has a key of its own. */
  readonly hasEventKeys: boolean
  /** Batches that the request is split into. */
  readonly parts: number
  readonly firstSentAt: number
}

export class KeyedRequests {
  readonly #random: Random
  readonly #requests: KeyedRequest[] = []
  /** How often a request was sent again. */
  repeatedCount = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Sends a new one, or one of those that were sent before. `make` makes an event of a new one. */
  async send(store: LocalStore, now: number, make: () => SentRecord): Promise<void> {
    const random = this.#random
    const known = this.#repeatable(now)
    if (known.length > 0 && random.below(2) === 0) {
      await this.#sendAgain(store, now, random.pick(known))
      return
    }
    const sent = Array.from({ length: 1 + random.below(6) }, make)
    const name = `request ${this.#requests.length}`
    const hasEventKeys = random.below(3) === 0
    const parts = 1 + random.below(3)
    const request = { name, sent, hasEventKeys, parts, firstSentAt: now }
    this.#requests.push(request)
    await attempt(store, now, request)
  }

  /** Sends all again that are to be remembered. */
  async sendAllAgain(store: LocalStore, now: number): Promise<void> {
    for (const request of this.#repeatable(now)) await this.#sendAgain(store, now, request)
  }

  async #sendAgain(store: LocalStore, now: number, request: KeyedRequest): Promise<void> {
    this.repeatedCount += 1
    await attempt(store, now, request)
  }

  #repeatable(now: number): KeyedRequest[] {
    return this.#requests.filter(({ firstSentAt }) => now - firstSentAt < repeatedForMs)
  }
}

/** Notes that its events were acknowledged; a refusal is no answer, the sender has to send again. */
async function attempt(store: LocalStore, now: number, request: KeyedRequest): Promise<void> {
  const storeIt = request.hasEventKeys ? storeEvents : storeRequest
  try {
    await storeIt(store, now, request)
  } catch {
    return
  }
  for (const record of request.sent) record.isAcknowledged = true
}

/** Under one key, in a few batches; of one that was cut off, what is missing. */
function storeRequest(store: LocalStore, now: number, request: KeyedRequest): Promise<void> {
  return storeOnce({
    ...{ receipts: store.receipts, key: keyOf(request.name), isLent: false },
    body: Buffer.alloc(0),
    async store(_, stored) {
      const batches = batchesOf(request, stored?.list ?? [])
      const total = request.sent.length
      const encoded = {
        ...{ batches, eventKeys: new Uint8Array(0), eventCount: total, accepted: total },
        ...{ rejected: 0, errors: [], repeated: 0, unreadableTimes: 0, answers: '' },
      }
      await store.appendBatches(withReceipts(encoded, now, keyOf(request.name)))
    },
    answered: () => undefined,
  })
}

function batchesOf({ sent, parts }: KeyedRequest, stored: readonly EventRange[]) {
  const perBatch = Math.ceil(sent.length / parts)
  const isStored = (i: number) => stored.some(({ from, to }) => from <= i && i < to)
  const batches = []
  for (let from = 0; from < sent.length; from += perBatch) {
    const to = Math.min(from + perBatch, sent.length)
    const writer = new BatchWriter()
    let count = 0
    for (let i = from; i < to; i++) {
      if (isStored(i)) continue
      writer.add(sent[i]!.record, sent[i]!.stream)
      count += 1
    }
    if (count === 0) continue
    const { payload, ...batch } = writer.encode()
    batches.push({ ...batch, payload: Buffer.from(payload), eventsEnd: to, keysEnd: 0 })
  }
  return batches
}

/** Each event under its own key, in one batch. */
async function storeEvents(store: LocalStore, time: number, request: KeyedRequest): Promise<void> {
  const keys = request.sent.map(({ id }) => {
    const { hash, fingerprint } = keyOf(`event ${id}`)
    return Buffer.concat([hash, fingerprint])
  })
  const claim = await store.receipts.claimEvents(Buffer.concat(keys))
  let isStored = false
  try {
    const isNew = (i: number) => (claim.verdicts?.[i] ?? newEvent) === newEvent
    const writer = new BatchWriter()
    for (const [i, { record, stream }] of request.sent.entries()) {
      if (isNew(i)) writer.add(record, stream)
    }
    const eventKeys = Buffer.concat(keys.filter((_, i) => isNew(i)))
    if (eventKeys.length > 0) {
      const receipts = { time, eventKeys, requests: [] }
      await store.appendBatches([{ ...writer.encode(), receipts }])
    }
    isStored = true
  } finally {
    claim.end(isStored)
  }
}

function keyOf(text: string): ReceiptKey {
  const digest = createHash('sha256').update(text).digest()
  return {
    hash: digest.subarray(0, hashBytes),
    fingerprint: digest.subarray(hashBytes, hashBytes + fingerprintBytes),
  }
}
