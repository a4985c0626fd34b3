/**
 * Large bodies of many events, read and encoded by threads: those of some megabytes by a few, and
 * larger ones by threads of their own, behind which the others need not wait, and which are less urgent
 * than all else, the answers to single events above all.
 *
 * What a body becomes may be much larger than itself: names of nested fields are written out, and
 * records of OpenTelemetry repeat what their resource says. So a thread is told how much it may make,
 * in memory that the request has claimed. When that is too little, it gives the body back, and it is
 * read once more with the fourfold, as long as there is room.
 */
import type { Piscina } from 'piscina'
import { ProblemError } from '../problems.ts'
import { portsOf } from '../threads/parcel.ts'
import { passingPool } from '../threads/passing-pool.ts'
import { threadProgram } from '../threads/program.ts'
import { arrivingBatches } from './arriving-batches.ts'
import {
  type BodyClaim,
  givenUp,
  largeClaimsBytesMax,
  memoryPerBodyByte,
  usualBodyBytesMax,
} from './body-memory.ts'
import { type EncodedEventBatch, type EventBatchReading, mayBeReadAgain } from './event-batch.ts'
import { formats } from './formats/formats.ts'
import type { EncodedHeads, EncodeOutcome, EncodeTask } from './ingest-worker.ts'
import { type DecodedBody, isSealed, type SealedBody } from './sealed-body.ts'

/** A thread that had nothing to do for so long ends; the next one takes 50 ms to start. */
const idleMs = 30_000

/** Of the threads for larger bodies: a queue of others' work goes first, but they still get a share. */
const niceness = 5

/** What a thread may make at first, beside what its format says of each byte of the body. */
const encodedBytesMin = 64 * 1024
const moreEachTime = 4

export interface EncodePoolOptions {
  readonly ingestThreads: number
  readonly pendingBytesMax: number
}

export interface EncodedBody {
  readonly encoded: EncodedEventBatch
  /** The body, when events of it have keys and it was read for the first time: see `retries/`. */
  readonly again: DecodedBody | undefined
}

export class EncodePool {
  readonly #usual: Piscina
  readonly #large: Piscina
  readonly #pendingBytesMax: number
  #isClosed = false

  constructor({ ingestThreads, pendingBytesMax }: EncodePoolOptions) {
    this.#pendingBytesMax = pendingBytesMax
    this.#usual = poolOf(ingestThreads, 0)
    this.#large = poolOf(Math.max(1, ingestThreads - 1), niceness)
  }

  /**
   * The records of `body`, whose memory is handed over unless it is refused before, each batch in memory
   * of its own. A sealed body is of a format whose decoder needs no room beside it. `claim` grows to what
   * that takes, and is left at what the batches, and the body if it may be read again, are.
   *
   * Rejects with `ingest_overloaded` when there is no room, with `body_too_large` when the records take
   * more than there is room at all, with `stopping` after `close`, and as `encodeEventBatch` throws.
   */
  async encode(
    body: Uint8Array<ArrayBuffer> | SealedBody,
    reading: EventBatchReading,
    claim: BodyClaim,
  ): Promise<EncodedBody> {
    const { encodedPerByte, decodedBytes } = formats[reading.format]
    // A body that its decoder makes larger takes that much beside itself.
    const undone = isSealed(body) ? 0 : (decodedBytes?.(asBuffer(body)) ?? 0)
    const bodyBytes = body.length + undone
    const forLarge = largeClaimsBytesMax(this.#pendingBytesMax)
    const mostBytes = Math.max(forLarge - bodyBytes, memoryPerBodyByte * bodyBytes)
    const isLarge = bodyBytes > usualBodyBytesMax
    const isLong = isLarge || (!isSealed(body) && mayHoldMany(body))
    const firstBytes = encodedPerByte * bodyBytes + encodedBytesMin
    const returnsBody = isLarge && claim.wantsBack
    let task = { ...reading, body, returnsBody, encodedBytesMax: Math.min(firstBytes, mostBytes) }
    try {
      for (;;) {
        claim.growTo(bodyBytes + task.encodedBytesMax)
        const {
          encoded,
          problem,
          body: returned,
        } = isLong
          ? await claim.readLarge(() => this.#run(this.#large, task))
          : await this.#run(this.#usual, task)
        if (returned !== undefined) task = { ...task, body: returned }
        if (problem !== undefined) {
          throw new ProblemError(problem.code, problem.detail, problem.extras)
        }
        if (encoded !== undefined) {
          const again = mayBeReadAgain(encoded, reading) ? returned : undefined
          const keptBytes = (again?.length ?? 0) + encoded.eventKeys.length
          claim.resize(
            encoded.heads.reduce((sum, { payloadBytes }) => sum + payloadBytes, keptBytes),
          )
          if (again !== undefined) task = { ...task, body } // The caller's.
          return { encoded: arriving(encoded), again: again && asDecoded(again) }
        }
        if (task.encodedBytesMax >= mostBytes) throw recordsTooLarge(mostBytes)
        const encodedBytesMax = Math.min(mostBytes, moreEachTime * task.encodedBytesMax)
        task = { ...task, encodedBytesMax }
      }
    } finally {
      // What was returned and is not needed: not to wait for the collector, with that of others.
      if (task.body !== body) claim.giveBack(task.body)
    }
  }

  async #run(pool: Piscina, task: EncodeTask): Promise<EncodeOutcome> {
    if (this.#isClosed) throw givenUp() // A new thread would start.
    try {
      return await run(pool, task)
    } catch (error) {
      throw this.#isClosed ? givenUp() : error
    }
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#usual.destroy(), this.#large.destroy()])
  }
}

/** Events and other objects that a body of JSON seems to hold, beyond which it takes as long as a large
 *  one. */
const usualObjectsMax = 250_000
const glanceBytes = 1024
const brace = 0x7b

/** By its first bytes: a million events may be `{}` each. */
function mayHoldMany(body: Uint8Array): boolean {
  if (body.length < usualObjectsMax) return false
  const objects = body
    .subarray(0, glanceBytes)
    .reduce((sum, byte) => sum + Number(byte === brace), 0)
  return (objects / glanceBytes) * body.length > usualObjectsMax
}

function poolOf(threadsMax: number, ofNiceness: number): Piscina {
  const program = threadProgram('./ingest-worker.ts', import.meta.url, { niceness: ofNiceness })
  return passingPool(program, idleMs, { threadsMax })
}

function run(pool: Piscina, task: EncodeTask): Promise<EncodeOutcome> {
  const { body } = task
  return pool.run(task, { transferList: isSealed(body) ? portsOf(body.memory) : [body.buffer] })
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length)
}

/** A Buffer arrives from a thread as a plain Uint8Array. */
function asDecoded(body: Uint8Array<ArrayBuffer> | SealedBody): DecodedBody {
  return isSealed(body) ? body : asBuffer(body)
}

function arriving({ heads, parcel, ...encoded }: EncodedHeads): EncodedEventBatch {
  return { ...encoded, batches: arrivingBatches(heads, parcel) }
}

function recordsTooLarge(bytesMax: number): ProblemError {
  const detail = `the records of this request take more than ${bytesMax} bytes; nothing was stored, send fewer at a time`
  return new ProblemError('body_too_large', detail)
}
