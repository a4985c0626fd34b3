/**
 * The write path, from the bytes of a request to its acknowledgement: parse, normalise, append. What
 * `one` and `batch` resolve is in the store, as safe as the durability setting promises; what they
 * refuse is nowhere.
 */
import type { IngestionToken, IngestionTokens } from '../catalog/ingestion-tokens.ts'
import { freeMemory } from '../columns/growing-array.ts'
import type { Config } from '../config/config.ts'
import type { BatchWriter, EncodedBatch } from '../journal/batch-writer.ts'
import type { ReceiptKey } from '../journal/receipts.ts'
import { type ProblemCode, ProblemError } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import type { EventRanges } from '../store/receipts/event-ranges.ts'
import type { EventsClaim } from '../store/receipts/receipts.ts'
import type { Store } from '../store/store.ts'
import { type BodyClaim, memoryPerBodyByte, usualBodyBytesMax } from './body-memory.ts'
import { directReaderFor } from './direct/readers.ts'
import { type EachAnswer, EachRefused, tellingEachRead, tellingEachUnread } from './each-refused.ts'
import { type EncodedBody, EncodePool } from './encode-pool.ts'
import {
  type EncodedEventBatch,
  type EventBatchReading,
  encodeEventBatch,
  letGo,
  letGoOf,
  mayBeReadAgain,
} from './event-batch.ts'
import type { FormatContext } from './formats/format.ts'
import { type FormatName, formats } from './formats/formats.ts'
import { parseEvent } from './json.ts'
import { normalise, type ParseChoice } from './normalise.ts'
import { withReceipts } from './retries/batch-receipts.ts'
import { digestInTurns, digestNow, type RetryKey, receiptKeyOf } from './retries/retry-key.ts'
import { storeOnce } from './retries/store-once.ts'
import { type DecodedBody, isSealed, opened } from './sealed-body.ts'

/** Bodies up to this size are read on the main thread: they take less time there than the way to a
 *  worker and back, and hold up others for under a millisecond. */
const inlineBytesMax = 64 * 1024
/** And when their records do not take more than this. */
const inlineEncodedBytesMax = 1024 * 1024

export interface IngestRequestOptions {
  /** The field that holds the sender's own time; undefined for the time of receipt. */
  readonly timestampField: string | undefined
  readonly parse?: ParseChoice
  /** By which a retry of the request is known; undefined: each time it is a new one. */
  readonly key?: RetryKey | undefined
}

export interface IngestBatchOptions extends IngestRequestOptions {
  /** Other formats than `events` have a field of their own for the time, and take no other. */
  readonly format: FormatName
  /** What path and query of the request say of all its events. */
  readonly given?: FormatContext['given']
}

export interface IngestBatchResult
  extends Pick<EncodedEventBatch, 'accepted' | 'rejected' | 'errors'> {
  /** Of the accepted, those that were stored before, and are counted once; 0 if absent. */
  readonly repeated?: number
  /** As `EncodedEventBatch` has them. */
  readonly answers?: string
}

/** Counts what became of events. */
export interface IngestMetrics {
  noteAccepted(events: number, bytes: number): void
  noteRepeated(events: number): void
  noteRejected(code: string, events: number): void
  noteUnreadableTimes(events: number): void
}

export interface IngestOptions {
  readonly config: Pick<Config, 'eventBytesMax' | 'pendingBytesMax' | 'ingestThreads'>
  readonly store: Pick<Store, 'append' | 'appendWith' | 'appendBatches' | 'checkRoom' | 'receipts'>
  readonly tokens: Pick<IngestionTokens, 'noteUse'>
  readonly metrics: IngestMetrics
  readonly now: () => number
}

/** A body of many events, and what is known of it. */
interface BatchToStore {
  readonly body: DecodedBody
  readonly token: IngestionToken
  readonly options: IngestBatchOptions
  readonly claim: BodyClaim
  readonly key?: ReceiptKey
  /** Events that are stored already, of a request that was cut off. */
  readonly stored?: EventRanges | undefined
}

/** What was read of a body, with the right to store those of its events that have keys. */
interface EncodedEvents {
  readonly encoded: EncodedEventBatch
  readonly claim?: EventsClaim
}

const ofOneEvent = { from: 0, to: 1, total: 1, accepted: 1, answer: '' } as const

export class Ingest {
  readonly #options: IngestOptions
  readonly #pool: EncodePool

  constructor(options: IngestOptions) {
    this.#options = options
    this.#pool = new EncodePool(options.config)
  }

  /** Throws when events would be refused now, whatever they are: their body need not be read. */
  checkRoom(): void {
    try {
      this.#options.store.checkRoom()
    } catch (error) {
      this.#noteRefused(error)
      throw error
    }
  }

  /** Takes one event. The body is read, or copied, before this returns, and may change from then on. */
  one(
    body: Buffer<ArrayBuffer>,
    token: IngestionToken,
    options: IngestRequestOptions,
  ): Promise<void> {
    const { receipts } = this.#options.store
    const { key: retry, timestampField } = options
    if (retry === undefined || !receipts.isOn) return this.#storeOne(body, token, options)
    const key = receiptKeyOf(retry, token, digestNow(`event ${timestampField}`, body))
    return storeOnce({
      ...{ receipts, key, body, isLent: true },
      store: own => this.#storeOne(own, token, options, key),
      answered: () => this.#options.metrics.noteRepeated(1),
    })
  }

  async #storeOne(
    body: Buffer,
    token: IngestionToken,
    options: IngestRequestOptions,
    key?: ReceiptKey,
  ): Promise<void> {
    const { store, tokens, metrics, now } = this.#options
    const receivedAt = now()
    const bodyBytes = body.length // Now: a body that is lent is empty later.
    const { timestampField, parse } = options
    const direct = directReaderFor(timestampField, parse)
    const receipt = key && { ...key, time: receivedAt, ...ofOneEvent }
    try {
      if (direct?.readWhole(body)) {
        const add = (writer: BatchWriter) => direct.addTo(writer, token.stream, receivedAt)
        await store.appendWith(add, receipt)
      } else {
        const onUnreadableTime = () => metrics.noteUnreadableTimes(1)
        const context = { receivedAt, timestampField, parse, onUnreadableTime }
        await store.append(normalise(parseEvent(body), context), token.stream, receipt)
      }
    } catch (error) {
      this.#noteRefused(error)
      throw error
    }
    tokens.noteUse(token, 1, receivedAt)
    metrics.noteAccepted(1, bodyBytes)
  }

  /**
   * Takes many events. One bad event costs only itself; the good ones are stored all or none. A body of
   * up to `inlineBytesMax` is read, or copied, before this returns; a larger one is the callee's to keep, but
   * one that is sealed is the caller's to discard. `claim` grows to what the body and its records take.
   */
  async batch(
    body: DecodedBody,
    token: IngestionToken,
    options: IngestBatchOptions,
    claim: BodyClaim,
  ): Promise<IngestBatchResult> {
    const { receipts } = this.#options.store
    const { key: retry, format, timestampField } = options
    if (retry === undefined || !receipts.isOn) {
      return this.#storeBatch({ body, token, options, claim })
    }
    const about = `${format} ${timestampField}${givenText(options)}`
    const own = opened(body)
    const isLent = own.length <= inlineBytesMax
    const digest = isLent ? digestNow(about, own) : await digestInTurns(about, own)
    const key = receiptKeyOf(retry, token, digest)
    return storeOnce<IngestBatchResult>({
      ...{ receipts, key, body: own, isLent },
      store: (own, stored) => this.#storeBatch({ body: own, token, options, claim, key, stored }),
      answered: ({ accepted, answer }) => {
        this.#options.metrics.noteRepeated(accepted)
        const refused = answer === '' ? { rejected: 0, errors: [] } : JSON.parse(answer)
        return { ...refused, accepted, repeated: accepted }
      },
    })
  }

  async #storeBatch(batch: BatchToStore): Promise<IngestBatchResult> {
    const { store, tokens, metrics, now } = this.#options
    const { token, key, claim } = batch
    const bodyBytes = batch.body.length
    const receivedAt = now()
    let events: EncodedEvents | undefined
    let isStored = false
    try {
      events = await this.#encode(batch, receivedAt)
      const { accepted, repeated, rejected, unreadableTimes, errors, answers } = events.encoded
      claimAnswers(claim, answers)
      if (events.encoded.batches.length > 0) {
        // One by one: all of 60 MiB at the end would hold up others for 6 ms.
        const onWritten = ({ payload }: EncodedBatch) => letGoOf(payload)
        await store.appendBatches(withReceipts(events.encoded, receivedAt, key), onWritten)
        tokens.noteUse(token, accepted - repeated, receivedAt)
        metrics.noteAccepted(accepted - repeated, bodyBytes)
      }
      isStored = true
      if (repeated > 0) metrics.noteRepeated(repeated)
      if (rejected > 0) metrics.noteRejected('event_unreadable', rejected)
      if (unreadableTimes > 0) metrics.noteUnreadableTimes(unreadableTimes)
      return { accepted, repeated, rejected, errors, answers }
    } catch (cause) {
      const { encoded } = events ?? {}
      const error = encoded ? tellingEachRead(cause, batch.options.format, encoded) : cause
      this.#noteRefused(error instanceof EachRefused ? error.problem : error)
      if (error instanceof EachRefused) return refusedResult(error.each, claim)
      throw error
    } finally {
      events?.claim?.end(isStored)
      letGo(events?.encoded.batches ?? []) // What is left of them: not to wait for the collector.
    }
  }

  /** Reads a body; once more, when some of its events are stored already by their own keys. */
  async #encode(batch: BatchToStore, receivedAt: number): Promise<EncodedEvents> {
    const { store, config } = this.#options
    const { token, options, claim, stored } = batch
    const { timestampField, parse, format, given } = options
    const { eventBytesMax } = config
    const context: FormatContext = { receivedAt, timestampField, parse, eventBytesMax, given }
    const identify = store.receipts.isOn ? { tokenId: token.id } : undefined
    const ranges = stored?.list
    const reading: EventBatchReading = { format, stream: token.stream, context, identify }
    const first = await this.#read(batch.body, { ...reading, stored: ranges }, claim)
    const { encoded } = first
    if (first.again === undefined) return { encoded }
    const { again: body } = first
    const events = await store.receipts.claimEvents(encoded.eventKeys)
    try {
      const { verdicts } = events
      if (verdicts === undefined) return { encoded, claim: events }
      letGo(encoded.batches)
      const again = { ...reading, identify: identify && { ...identify, verdicts } }
      const second = await this.#read(body, again, claim)
      return { encoded: second.encoded, claim: events }
    } catch (error) {
      events.end(false)
      throw error
    } finally {
      claim.giveBack(body)
    }
  }

  /** Reads a body here if it is small, or has a thread read it. Throws EachRefused, see there. */
  async #read(
    body: DecodedBody,
    reading: EventBatchReading,
    claim: BodyClaim,
  ): Promise<EncodedBody> {
    const { decodedBytes, refuseEach } = formats[reading.format]
    const isForThread = body.length > usualBodyBytesMax && decodedBytes === undefined
    if (!isSealed(body) || !isForThread) return this.#readOpened(opened(body), reading, claim)
    if (refuseEach !== undefined) this.#options.store.checkRoom() // As a whole: see `each-refused.ts`.
    return this.#pool.encode(body, reading, claim)
  }

  async #readOpened(
    body: Buffer<ArrayBuffer>,
    reading: EventBatchReading,
    claim: BodyClaim,
  ): Promise<EncodedBody> {
    const { decodedBytes, refuseEach } = formats[reading.format]
    const isSmall = (decodedBytes?.(body) ?? body.length) <= inlineBytesMax
    let own = body
    try {
      // Now, while the body is here to say of what it is refused.
      if (refuseEach !== undefined) this.#options.store.checkRoom()
      const encoded = isSmall ? encodeEventBatch(body, reading, inlineEncodedBytesMax) : undefined
      if (encoded !== undefined) {
        return {
          encoded,
          again: mayBeReadAgain(encoded, reading) ? copyOfBody(body) : undefined,
        }
      }
      // A small body may be lent, or be a part of memory that is not its own.
      if (isSmall) own = copyOfBody(body)
      return await this.#pool.encode(own, reading, claim)
    } catch (error) {
      throw tellingEachUnread(error, reading, own)
    } finally {
      // Refused: not to wait for the collector, with those of others.
      if (!isSmall || own !== body) freeMemory(own)
    }
  }

  /**
   * Takes records that were decoded elsewhere, at least one: all or none. `bytes`: as they were sent. What is
   * refused may be tried again, and is for the caller to count.
   */
  async records(
    records: readonly LogRecord[],
    token: IngestionToken,
    bytes: number,
  ): Promise<void> {
    const { store, tokens, metrics, now } = this.#options
    await store.appendWith(writer => {
      for (const record of records) writer.add(record, token.stream)
    })
    tokens.noteUse(token, records.length, now())
    metrics.noteAccepted(records.length, bytes)
  }

  /** Counts events that were left out before they came here. */
  noteRejected(code: ProblemCode, events: number): void {
    this.#options.metrics.noteRejected(code, events)
  }

  #noteRefused(error: unknown): void {
    const code = error instanceof ProblemError ? error.code : 'internal'
    this.#options.metrics.noteRejected(code, 1)
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

/** In memory that is all its own. */
function copyOfBody(body: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(body).buffer)
}

/** Throws `ingest_overloaded` when there is no room for the answers either. */
function refusedResult({ answers, count }: EachAnswer, claim: BodyClaim): IngestBatchResult {
  claimAnswers(claim, answers)
  return { accepted: 0, rejected: count, errors: [], answers }
}

function claimAnswers(claim: BodyClaim, answers: string): void {
  if (answers !== '') claim.growTo(claim.bytes + memoryPerBodyByte * answers.length)
}

/** What path and query say of all events is a part of a request; a chunk's key has it already. */
function givenText({ key, given }: IngestBatchOptions): string {
  const isPart = key?.kind === 'idempotency-key' && given !== undefined
  return isPart ? ` ${JSON.stringify(given)}` : ''
}
