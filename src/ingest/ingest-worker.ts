/** Large bodies of many events, parsed and encoded in a thread (Piscina calls this by default). */
import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { type ProblemCode, ProblemError, type ProblemExtras } from '../problems.ts'
import { collectGarbage, collectGrownHeap } from '../threads/garbage.ts'
import { beLessUrgent } from '../threads/urgency.ts'
import { type EncodedEventBatch, type EventBatchReading, encodeEventBatch } from './event-batch.ts'

/** The buffer of `body` is the thread's own. */
export interface EncodeTask extends EventBatchReading {
  readonly body: Uint8Array<ArrayBuffer>
  /** Bytes of all batches; with more, the body is returned. */
  readonly encodedBytesMax: number
}

/** Each payload has memory of its own, which is handed over and not copied. */
interface Encoded {
  readonly encoded: EncodedEventBatch
  /** When events have keys: some of them may be stored already, and the body be read again. */
  readonly body?: Uint8Array<ArrayBuffer>
}

/** An error's class does not survive the way between threads; its parts do. */
interface EncodeProblem {
  readonly problem: { code: ProblemCode; detail: string; extras: ProblemExtras }
}

/** What the body becomes is too large. */
interface GivenBack {
  readonly body: Uint8Array<ArrayBuffer>
}

export type EncodeOutcome = Encoded | EncodeProblem | GivenBack

const niceness = workerData.niceness as number
if (niceness > 0) beLessUrgent(niceness)

/** Batches of more have names of kilobytes or single events of megabytes: others are a quarter of it. */
const usualBatchBytesMax = 1024 * 1024

function collectAfterBatch(batchBytes: number): void {
  collectGrownHeap(batchBytes > usualBatchBytesMax)
}

export default function encode({ body, encodedBytesMax, ...reading }: EncodeTask) {
  const { buffer, byteOffset, byteLength } = body
  let isGivenBack = false
  try {
    const own = Buffer.from(buffer, byteOffset, byteLength)
    const encoded = encodeEventBatch(own, reading, encodedBytesMax, collectAfterBatch)
    if (encoded === undefined) {
      isGivenBack = true
      return handOver({ body }, [buffer])
    }
    const buffers = buffersOf(encoded)
    isGivenBack = encoded.eventKeys.length > 0 && reading.identify?.verdicts === undefined
    return isGivenBack
      ? handOver({ encoded, body }, [...buffers, buffer])
      : handOver({ encoded }, buffers)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, message: detail, extras } = error
    return { problem: { code, detail, extras } } satisfies EncodeProblem
  } finally {
    // Now, and not with this thread's garbage, of which there is too little to be collected soon.
    if (!isGivenBack) buffer.transfer(0)
    collectGarbage()
  }
}

function buffersOf(encoded: EncodedEventBatch): ArrayBuffer[] {
  return [encoded.eventKeys.buffer, ...encoded.batches.map(({ payload }) => payload.buffer)]
}

function handOver(outcome: EncodeOutcome, buffers: ArrayBuffer[]) {
  return move({ [valueSymbol]: outcome, [transferableSymbol]: buffers })
}
