/**
 * Decodes large bodies in a thread of their own, into memory that goes round: what one body was decoded into
 * is the next one's as soon as it is read (`ingest/spare-memory.ts`). Decoded on the main thread's behalf,
 * in memory that came and went, 60 MiB took 10 to 40 ms of it at a time.
 */
import type { Piscina } from 'piscina'
import type { LargeWork } from '../../ingest/large-work.ts'
import type { SealedBody } from '../../ingest/sealed-body.ts'
import type { SpareMemory } from '../../ingest/spare-memory.ts'
import { portsOf } from '../../threads/parcel.ts'
import { passingPool } from '../../threads/passing-pool.ts'
import { threadProgram } from '../../threads/program.ts'
import type { DecodeOutcome, DecodeTask } from './decode-worker.ts'
import type { Compression } from './decoded-size.ts'

/** A thread that had nothing to do for so long ends. */
const idleMs = 30_000

/** As that of the threads that read large bodies. */
const niceness = 5

export class LargeDecoder {
  readonly #pool: Piscina
  readonly #spare: SpareMemory
  readonly #work: LargeWork

  constructor(spare: SpareMemory, work: LargeWork) {
    this.#spare = spare
    this.#work = work
    const program = threadProgram('./decode-worker.ts', import.meta.url, { niceness })
    this.#pool = passingPool(program, idleMs)
  }

  /**
   * The decoded body, or undefined when it is more than `bytesMax` bytes. `body` is left as it was.
   * Rejects with the signal's reason, or with the decoder's words.
   */
  decode(
    encoding: Compression,
    body: Buffer<ArrayBuffer>,
    bytesMax: number,
    signal: AbortSignal,
  ): Promise<SealedBody | undefined> {
    return this.#work.run('decode', () => this.#decode(encoding, body, bytesMax, signal))
  }

  async #decode(
    encoding: Compression,
    body: Buffer<ArrayBuffer>,
    bytesMax: number,
    signal: AbortSignal,
  ): Promise<SealedBody | undefined> {
    signal.throwIfAborted()
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const cancel = () => Atomics.store(cancelled, 0, 1)
    signal.addEventListener('abort', cancel)
    const memory = this.#spare.take(bytesMax)
    const task: DecodeTask = { encoding, body, memory, bytesMax, cancelled }
    const transferList = memory === undefined ? [] : portsOf(memory)
    try {
      const outcome: DecodeOutcome = await this.#pool.run(task, { transferList })
      const { decodedBytes, failure } = outcome
      if (decodedBytes !== undefined && !signal.aborted) {
        return { memory: outcome.memory, length: decodedBytes }
      }
      this.#spare.keep(outcome.memory)
      signal.throwIfAborted()
      if (failure !== undefined) throw new Error(failure)
      return undefined
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
