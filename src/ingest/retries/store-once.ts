/** A request is stored once under its key, however often it is sent. */
import type { ReceiptKey } from '../../journal/receipts.ts'
import { ProblemError } from '../../problems.ts'
import type { EventRanges } from '../../store/receipts/event-ranges.ts'
import type { KnownRequest, Receipts } from '../../store/receipts/receipts.ts'

/** The body's memory may be lent until the first wait. */
const copyOf = (body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  Buffer.from(new Uint8Array(body).buffer)

export interface OnceOptions<Result> {
  readonly receipts: Pick<Receipts, 'find' | 'claimRequest'>
  readonly key: ReceiptKey
  readonly body: Buffer<ArrayBuffer>
  readonly isLent: boolean
  /** `stored`: which events are stored already, of a request that was cut off. */
  readonly store: (body: Buffer<ArrayBuffer>, stored: EventRanges | undefined) => Promise<Result>
  /** What was answered the first time. */
  readonly answered: (known: Extract<KnownRequest, { state: 'stored' }>) => Result
}

/**
 * Stores a request, or gives the answer that it was given before; waits while the same is under way. Throws
 * `idempotency_key_reused` for another request under the same key, and what `store` throws.
 */
export async function storeOnce<Result>(options: OnceOptions<Result>): Promise<Result> {
  const { receipts, key, store, answered } = options
  let { body, isLent } = options
  for (;;) {
    const known = receipts.find(key)
    if (known.state === 'other') throw keyReused()
    if (known.state === 'stored') return answered(known)
    if (known.state === 'under way') {
      if (isLent) body = copyOf(body)
      isLent = false
      await known.ended
      continue
    }
    const claim = receipts.claimRequest(key)
    try {
      return await store(body, known.stored)
    } finally {
      claim.end()
    }
  }
}

function keyReused(): ProblemError {
  const detail = 'another request was sent under this key; each needs one of its own'
  return new ProblemError('idempotency_key_reused', detail, { field: 'Idempotency-Key' })
}
