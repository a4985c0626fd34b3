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
import { passingPool } from '../threads/passing-pool.ts'
import { threadProgram } from '../threads/program.ts'
import { type BodyClaim, memoryPerBodyByte } from './body-memory.ts'
import type { EncodeOutcome, EncodeTask } from './ingest-worker.ts'
import type { EncodedMany, ManyFormat, ManyReading } from './many.ts'

/** A thread that had nothing to do for so long ends; the next one takes 50 ms to start. */
const idleMs = 30_000

/** Bodies of more are read by the less urgent threads: they take a tenth of a second and more. */
const usualBytesMax = 8 * 1024 * 1024

/** Of the threads for larger bodies: a queue of others' work goes first, but they still get a share. */
const niceness = 5

/** What a thread may make at first: of each byte of the body, and beside that. */
const encodedPerByte: Record<ManyFormat, number> = { events: 1, 'otlp-json': 1, 'otlp-protobuf': 3 }
const encodedBytesMin = 64 * 1024
const moreEachTime = 4

export interface EncodePoolOptions {
  readonly ingestThreads: number
  readonly pendingBytesMax: number
}

export class EncodePool {
  readonly #usual: Piscina
  readonly #large: Piscina
  readonly #pendingBytesMax: number

  constructor({ ingestThreads, pendingBytesMax }: EncodePoolOptions) {
    this.#pendingBytesMax = pendingBytesMax
    this.#usual = poolOf(ingestThreads, 0)
    this.#large = poolOf(Math.max(1, ingestThreads - 1), niceness)
  }

  /**
   * The records of `body`, whose memory is handed over, each batch in memory of its own. `claim` grows to
   * what that takes, and is left at what the batches are.
   *
   * Rejects with `ingest_overloaded` when there is no room, with `body_too_large` when the records take
   * more than there is room at all, and as `encodeMany` throws.
   */
  async encode(
    body: Uint8Array<ArrayBuffer>,
    reading: ManyReading,
    claim: BodyClaim,
  ): Promise<EncodedMany> {
    const bodyBytes = body.length
    const mostBytes = Math.max(this.#pendingBytesMax - bodyBytes, memoryPerBodyByte * bodyBytes)
    const pool = bodyBytes > usualBytesMax ? this.#large : this.#usual
    const firstBytes = encodedPerByte[reading.format] * bodyBytes + encodedBytesMin
    let task = { ...reading, body, encodedBytesMax: Math.min(firstBytes, mostBytes) }
    for (;;) {
      claim.growTo(bodyBytes + task.encodedBytesMax)
      const outcome = await run(pool, task)
      if ('many' in outcome) {
        const many = withBuffers(outcome.many)
        claim.resize(many.batches.reduce((sum, { payload }) => sum + payload.length, 0))
        return many
      }
      if ('problem' in outcome) {
        const { code, detail, extras } = outcome.problem
        throw new ProblemError(code, detail, extras)
      }
      if (task.encodedBytesMax >= mostBytes) throw recordsTooLarge(mostBytes)
      const encodedBytesMax = Math.min(mostBytes, moreEachTime * task.encodedBytesMax)
      task = { ...task, body: outcome.body, encodedBytesMax }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#usual.destroy(), this.#large.destroy()])
  }
}

function poolOf(threadsMax: number, ofNiceness: number): Piscina {
  const program = threadProgram('./ingest-worker.ts', import.meta.url, { niceness: ofNiceness })
  return passingPool(program, idleMs, threadsMax)
}

function run(pool: Piscina, task: EncodeTask): Promise<EncodeOutcome> {
  return pool.run(task, { transferList: [task.body.buffer] })
}

/** A Buffer arrives from a thread as a plain Uint8Array. */
function withBuffers(many: EncodedMany): EncodedMany {
  const batches = many.batches.map(batch => {
    const { buffer, byteOffset, byteLength } = batch.payload
    return { ...batch, payload: Buffer.from(buffer, byteOffset, byteLength) }
  })
  return { ...many, batches }
}

function recordsTooLarge(bytesMax: number): ProblemError {
  const detail = `the records of this request take more than ${bytesMax} bytes; nothing was stored, send fewer at a time`
  return new ProblemError('body_too_large', detail)
}
