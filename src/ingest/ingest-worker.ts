/** Large bodies of many events, parsed and encoded in a thread (Piscina calls this by default). */
import { workerData } from 'node:worker_threads'
import { type ProblemCode, ProblemError, type ProblemExtras } from '../problems.ts'
import { collectGarbage, collectGrownHeap } from '../threads/garbage.ts'
import { handOver } from '../threads/hand-over.ts'
import { type Parcel, parcelOf, portsOf } from '../threads/parcel.ts'
import { seal } from '../threads/sealed-memory.ts'
import { beLessUrgent, giveWay } from '../threads/urgency.ts'
import { type BatchHead, headOf } from './arriving-batches.ts'
import {
  type EncodedEventBatch,
  type EventBatchReading,
  encodeEventBatch,
  mayBeReadAgain,
} from './event-batch.ts'
import { isSealed, opened, type SealedBody } from './sealed-body.ts'

/** The memory of `body` is the thread's own. */
export interface EncodeTask extends EventBatchReading {
  readonly body: Uint8Array<ArrayBuffer> | SealedBody
  /** Bytes of all batches; with more, the body is returned. */
  readonly encodedBytesMax: number
  /** Whether the body's memory is returned in any case, for what comes after it. */
  readonly returnsBody: boolean
}

/** What became of a body; neither `encoded` nor `problem`: what it becomes is too large. */
export interface EncodeOutcome {
  readonly encoded?: EncodedHeads
  readonly problem?: EncodeProblem
  /** When it may be read again, or its memory was asked for. */
  readonly body?: Uint8Array<ArrayBuffer> | SealedBody
}

/** The bytes of each batch are in the parcel: whoever takes them out has memory of its own. */
export interface EncodedHeads extends Omit<EncodedEventBatch, 'batches'> {
  readonly heads: readonly BatchHead[]
  readonly parcel: Parcel
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

function afterBatch(batchBytes: number): void {
  collectGrownHeap(batchBytes > usualBatchBytesMax)
  if (niceness > 0) giveWay()
}

export default function encode({ encodedBytesMax, returnsBody, ...task }: EncodeTask) {
  const { body, ...reading } = task
  const own = isSealed(body) ? opened(body) : Buffer.from(body.buffer, body.byteOffset, body.length)
  let isReturned = returnsBody
  try {
    const { encoded, problem } = outcomeOf(own, reading, encodedBytesMax)
    isReturned ||= problem === undefined && mayBeReadAgain(encoded, reading)
    const sent = encoded && inParcel(encoded)
    const returned = isReturned ? { body: asItCame(own, isSealed(body)) } : undefined
    const outcome: EncodeOutcome = {
      ...(sent !== undefined && { encoded: sent }),
      ...(problem !== undefined && { problem }),
      ...returned,
    }
    const given = sent === undefined ? [] : [sent.eventKeys.buffer, ...portsOf(sent.parcel)]
    return handOver(
      outcome,
      returned === undefined ? given : [...given, ...memoryOf(returned.body)],
    )
  } finally {
    // Now, and not with this thread's garbage, of which there is too little to be collected soon.
    if (!isReturned) own.buffer.transfer(0)
    collectGarbage()
  }
}

function outcomeOf(
  body: Buffer,
  reading: EventBatchReading,
  encodedBytesMax: number,
): { readonly encoded?: EncodedEventBatch | undefined; readonly problem?: EncodeProblem } {
  try {
    return { encoded: encodeEventBatch(body, reading, encodedBytesMax, afterBatch) }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, message: detail, extras } = error
    return { problem: { code, detail, extras } }
  }
}

function asItCame(body: Buffer<ArrayBuffer>, wasSealed: boolean) {
  return wasSealed ? { memory: seal(body.buffer), length: body.length } : body
}

function memoryOf(body: Uint8Array<ArrayBuffer> | SealedBody) {
  return isSealed(body) ? portsOf(body.memory) : [body.buffer]
}

function inParcel({ batches, ...rest }: EncodedEventBatch): EncodedHeads {
  const parcel = parcelOf(batches.map(({ payload }) => payload.buffer))
  return { ...rest, heads: batches.map(headOf), parcel }
}
