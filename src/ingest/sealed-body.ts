/**
 * A large body that one thread has decoded and another one will read: the main thread, which passes it
 * on, does not have its memory, and so no collection of garbage begins because of it.
 */
import { open, type SealedMemory } from '../threads/sealed-memory.ts'

export interface SealedBody {
  /** It may be larger. To be opened or discarded once. */
  readonly memory: SealedMemory
  /** Of the body, which begins with the memory. */
  readonly length: number
}

/** A body as it is decoded: a large one may be sealed. */
export type DecodedBody = Buffer<ArrayBuffer> | SealedBody

export function isSealed(body: Uint8Array | SealedBody): body is SealedBody {
  return 'memory' in body
}

/** The body for this thread to read. */
export function opened(body: DecodedBody): Buffer<ArrayBuffer> {
  return isSealed(body) ? Buffer.from(open(body.memory), 0, body.length) : body
}
