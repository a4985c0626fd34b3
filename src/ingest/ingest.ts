/**
 * The write path, from the bytes of a request to its acknowledgement: parse, normalise, append. What
 * `one` and `batch` resolve is in the store, as safe as the durability setting promises; what they
 * refuse is nowhere.
 */
import type { IngestionToken, IngestionTokens } from '../catalog/ingestion-tokens.ts'
import type { Config } from '../config/config.ts'
import { type ProblemCode, ProblemError } from '../problems.ts'
import type { LogRecord } from '../record.ts'
import type { Store } from '../store/store.ts'
import { type BodyClaim, memoryPerBodyByte } from './body-memory.ts'
import { directReaderFor } from './direct/readers.ts'
import { EncodePool } from './encode-pool.ts'
import {
  type EncodedEventBatch,
  type EventBatchReading,
  encodeEventBatch,
  letGo,
  type RejectedEvent,
} from './event-batch.ts'
import type { FormatContext } from './formats/format.ts'
import { type FormatName, formats } from './formats/formats.ts'
import { parseEvent } from './json.ts'
import { normalise, type ParseChoice } from './normalise.ts'

/** Bodies up to this size are read on the main thread: they take less time there than the way to a
 *  worker and back, and hold up others for under a millisecond. */
const inlineBytesMax = 64 * 1024
/** And when their records do not take more than this. */
const inlineEncodedBytesMax = 1024 * 1024

export interface IngestRequestOptions {
  /** The field that holds the sender's own time; undefined for the time of receipt. */
  readonly timestampField: string | undefined
  readonly parse?: ParseChoice
}

export interface IngestBatchOptions extends IngestRequestOptions {
  /** Other formats than `events` have a field of their own for the time, and take no other. */
  readonly format: FormatName
  /** What path and query of the request say of all its events. */
  readonly given?: FormatContext['given']
}

export interface IngestBatchResult {
  readonly accepted: number
  readonly rejected: number
  /** The first of the rejected. */
  readonly errors: readonly RejectedEvent[]
  /** As `EncodedEventBatch` has them. */
  readonly answers?: string
}

/** Counts what became of events. */
export interface IngestMetrics {
  noteAccepted(events: number, bytes: number): void
  noteRejected(code: string, events: number): void
  noteUnreadableTimes(events: number): void
}

export interface IngestOptions {
  readonly config: Pick<Config, 'eventBytesMax' | 'pendingBytesMax' | 'ingestThreads'>
  readonly store: Pick<Store, 'append' | 'appendWith' | 'appendBatches' | 'checkRoom'>
  readonly tokens: Pick<IngestionTokens, 'noteUse'>
  readonly metrics: IngestMetrics
  readonly now: () => number
}

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

  /** Takes one event. The body is read before this returns, and may change from then on. */
  async one(body: Buffer, token: IngestionToken, options: IngestRequestOptions): Promise<void> {
    const { store, tokens, metrics, now } = this.#options
    const receivedAt = now()
    const bodyBytes = body.length // Now: a body that is lent is empty later.
    const { timestampField, parse } = options
    const direct = directReaderFor(timestampField, parse)
    try {
      if (direct?.readWhole(body)) {
        await store.appendWith(writer => direct.addTo(writer, token.stream, receivedAt))
      } else {
        const onUnreadableTime = () => metrics.noteUnreadableTimes(1)
        const context = { receivedAt, timestampField, parse, onUnreadableTime }
        await store.append(normalise(parseEvent(body), context), token.stream)
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
   * up to `inlineBytesMax` is read, or copied, before this returns; a larger one is the callee's to keep.
   * `claim` grows to what the body and its records take.
   */
  async batch(
    body: Buffer<ArrayBuffer>,
    token: IngestionToken,
    options: IngestBatchOptions,
    claim: BodyClaim,
  ): Promise<IngestBatchResult> {
    const { store, tokens, metrics, now, config } = this.#options
    const bodyBytes = body.length
    const receivedAt = now()
    const { timestampField, parse, format, given } = options
    const { eventBytesMax } = config
    const context: FormatContext = { receivedAt, timestampField, parse, eventBytesMax, given }
    const reading: EventBatchReading = { format, stream: token.stream, context }
    let encoded: EncodedEventBatch | undefined
    try {
      const isSmall = (formats[format].decodedBytes?.(body) ?? bodyBytes) <= inlineBytesMax
      if (isSmall) encoded = encodeEventBatch(body, reading, inlineEncodedBytesMax)
      // A small body may be lent, or be a part of memory that is not its own.
      encoded ??= await this.#pool.encode(isSmall ? new Uint8Array(body) : body, reading, claim)
      const { batches, accepted, rejected, unreadableTimes, errors, answers } = encoded
      if (answers !== '') claim.growTo(claim.bytes + memoryPerBodyByte * answers.length)
      if (batches.length > 0) {
        await store.appendBatches(batches)
        tokens.noteUse(token, accepted, receivedAt)
        metrics.noteAccepted(accepted, bodyBytes)
      }
      if (rejected > 0) metrics.noteRejected('event_unreadable', rejected)
      if (unreadableTimes > 0) metrics.noteUnreadableTimes(unreadableTimes)
      return { accepted, rejected, errors, answers }
    } catch (error) {
      this.#noteRefused(error)
      throw error
    } finally {
      letGo(encoded?.batches ?? []) // They are on disk, or nowhere: not to wait for the collector.
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
