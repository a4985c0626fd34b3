/** Large bodies of many events, parsed and encoded in a thread (Piscina calls this by default). */
import { workerData } from 'node:worker_threads'
import { type ProblemCode, ProblemError, type ProblemExtras } from '../problems.ts'
import { collectGarbage, collectGrownHeap } from '../threads/garbage.ts'
import { handOver } from '../threads/hand-over.ts'
import { beLessUrgent } from '../threads/urgency.ts'
import {
  type EncodedEventBatch,
  type EventBatchReading,
  encodeEventBatch,
  mayBeReadAgain,
} from './event-batch.ts'

/** The buffer of `body` is the thread's own. */
export interface EncodeTask extends EventBatchReading {
  readonly body: Uint8Array<ArrayBuffer>
  /** Bytes of all batches; with more, the body is returned. */
  readonly encodedBytesMax: number
  /** Whether the body's memory is returned in any case, for what comes after it. */
  readonly returnsBody: boolean
}

/** What became of a body; neither `encoded` nor `problem`: what it becomes is too large. */
export interface EncodeOutcome {
  /** Each payload has memory of its own, which is handed over and not copied. */
  readonly encoded?: EncodedEventBatch
  readonly problem?: EncodeProblem
  /** When it may be read again, or its memory was asked for. */
  readonly body?: Uint8Array<ArrayBuffer>
}

/** An error's class does not survive the way between threads; its parts do. */
interface EncodeProblem {
  readonly code: ProblemCode
  readonly detail: string
  readonly extras: ProblemExtras
}

const niceness = workerData.niceness as number
if (niceness > 0) beLessUrgent(niceness)

/** Batches of more have names of kilobytes or single events of megabytes: others are a quarter of it. */
const usualBatchBytesMax = 1024 * 1024

function collectAfterBatch(batchBytes: number): void {
  collectGrownHeap(batchBytes > usualBatchBytesMax)
}

export default function encode({ encodedBytesMax, returnsBody, ...task }: EncodeTask) {
  const { body, ...reading } = task
  const { buffer, byteOffset, byteLength } = body
  let isReturned = returnsBody
  try {
    const own = Buffer.from(buffer, byteOffset, byteLength)
    const outcome = outcomeOf(own, reading, encodedBytesMax)
    const { encoded, problem } = outcome
    isReturned ||= problem === undefined && mayBeReadAgain(encoded, reading)
    const buffers = encoded === undefined ? [] : buffersOf(encoded)
    return isReturned
      ? handOver({ ...outcome, body }, [...buffers, buffer])
      : handOver(outcome, buffers)
  } finally {
    // Now, and not with this thread's garbage, of which there is too little to be collected soon.
    if (!isReturned) buffer.transfer(0)
    collectGarbage()
  }
}

function outcomeOf(body: Buffer, reading: EventBatchReading, encodedBytesMax: number) {
  try {
    return { encoded: encodeEventBatch(body, reading, encodedBytesMax, collectAfterBatch) }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, message: detail, extras } = error
    return { problem: { code, detail, extras } }
  }
}

function buffersOf(encoded: EncodedEventBatch): ArrayBuffer[] {
  return [encoded.eventKeys.buffer, ...encoded.batches.map(({ payload }) => payload.buffer)]
}
