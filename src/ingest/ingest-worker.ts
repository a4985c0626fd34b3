/** Large bodies of many events, parsed and encoded in a thread (Piscina calls this by default). */
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { type ProblemCode, ProblemError, type ProblemExtras } from '../problems.ts'
import { type EncodedMany, encodeMany, type ManyReading } from './many.ts'

/** `body` is all of its memory, which is the thread's own. */
export interface EncodeTask extends ManyReading {
  readonly body: Uint8Array<ArrayBuffer>
}

/** All payloads lie end to end in one block of memory, which is handed over and not copied. */
export interface EncodeResult {
  readonly many: EncodedMany
  readonly payloads: ArrayBuffer
}

/** An error's class does not survive the way between threads; its parts do. */
export interface EncodeProblem {
  readonly problem: { code: ProblemCode; detail: string; extras: ProblemExtras }
}

export default function encode({ body, ...reading }: EncodeTask) {
  try {
    return handOver(encodeMany(Buffer.from(body.buffer), reading))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, message: detail, extras } = error
    return { problem: { code, detail, extras } } satisfies EncodeProblem
  } finally {
    // Now, and not with this thread's garbage, of which there is too little to be collected soon.
    body.buffer.transfer(0)
  }
}

function handOver(many: EncodedMany) {
  const bytes = many.batches.reduce((sum, batch) => sum + batch.payload.length, 0)
  const payloads = new ArrayBuffer(bytes)
  let offset = 0
  const batches = many.batches.map(batch => {
    const payload = Buffer.from(payloads, offset, batch.payload.length)
    batch.payload.copy(payload)
    offset += payload.length
    return { ...batch, payload }
  })
  const value: EncodeResult = { many: { ...many, batches }, payloads }
  return move({ [valueSymbol]: value, [transferableSymbol]: [payloads] })
}
