/** Large bodies, decoded in a thread into memory that is handed to it (Piscina calls this by default). */
import { workerData } from 'node:worker_threads'
import { freeMemory } from '../../columns/growing-array.ts'
import { handOver } from '../../threads/hand-over.ts'
import { portsOf } from '../../threads/parcel.ts'
import { open, type SealedMemory, seal } from '../../threads/sealed-memory.ts'
import { beLessUrgent } from '../../threads/urgency.ts'
import type { Compression } from './decoded-size.ts'
import { decoderOf, takePieces } from './decoder.ts'

export interface DecodeTask {
  readonly encoding: Compression
  /** A copy: a decoder that is stopped reads on for a while. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Where the decoded body is put; it may be larger. Absent: new memory of `bytesMax` bytes. */
  readonly memory?: SealedMemory | undefined
  readonly bytesMax: number
  /** One integer in shared memory; not zero: nobody waits for the body any more. */
  readonly cancelled: Int32Array
}

/** The memory comes back, whatever became of the body. */
export interface DecodeOutcome {
  readonly memory: SealedMemory
  /** Of the decoded body; absent: it is more than `bytesMax`, or `failure` says what else. */
  readonly decodedBytes?: number
  /** The decoder's words: an error's class does not survive the way between threads. */
  readonly failure?: string
}

/** malloc has room for pieces so small without asking the system, which would clear each of them, and
 *  hold up all threads that ask too. */
const pieceBytes = 60 * 1024

beLessUrgent(workerData.niceness as number)

export default async function decode(task: DecodeTask) {
  const memory = task.memory === undefined ? new ArrayBuffer(task.bytesMax) : open(task.memory)
  const result = await decodeInto(memory, task)
  const outcome: DecodeOutcome = { memory: seal(memory), ...result }
  return handOver(outcome, portsOf(outcome.memory))
}

async function decodeInto(
  memory: ArrayBuffer,
  { encoding, body, bytesMax, cancelled }: DecodeTask,
) {
  const room = Buffer.from(memory)
  let decodedBytes = 0
  const add = (piece: Buffer) => {
    if (Atomics.load(cancelled, 0) !== 0) throw new Error('cancelled')
    if (decodedBytes + piece.length > bytesMax) return false
    piece.copy(room, decodedBytes)
    decodedBytes += piece.length
    return true
  }
  const encoded = Buffer.from(body.buffer, body.byteOffset, body.length)
  try {
    if (!(await takePieces(decoderOf(encoding, encoded, pieceBytes), add))) return {}
    freeMemory(encoded)
    return { decodedBytes }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}
