/**
 * By what a retry is known: a key that its sender made, among those of its token and of the same kind, and
 * a fingerprint of what was sent under it. Neither is kept as it came: both are parts of SHA-256.
 */
import { createHash, hash } from 'node:crypto'
import type { IngestionToken } from '../../catalog/ingestion-tokens.ts'
import { fingerprintBytes, hashBytes, type ReceiptKey } from '../../journal/receipts.ts'

/** The key of a whole request. */
export interface RetryKey {
  /** `chunk`: another body under the same key is another chunk. For `idempotency-key` it is a mistake. */
  readonly kind: 'idempotency-key' | 'chunk'
  readonly text: string
}

/** Bytes that are hashed in one turn of the event loop: half a millisecond. */
const turnBytes = 1024 * 1024

/** What is remembered of a request. `digest`: of its body. */
export function receiptKeyOf(
  { kind, text }: RetryKey,
  token: Pick<IngestionToken, 'id'>,
  digest: Buffer,
): ReceiptKey {
  const fingerprint = digest.subarray(0, fingerprintBytes)
  const among = kind === 'chunk' ? digest.toString('hex') : ''
  return { hash: keyHash(kind, token.id, among, text), fingerprint }
}

/** Of one event, such as a document by its index and id. `content`: what a retry has in common with it. */
export function eventKeyInto(
  target: Uint8Array,
  at: number,
  tokenId: string,
  text: string,
  content: Uint8Array,
): void {
  target.set(keyHash('event', tokenId, '', text), at)
  const digest = hash('sha256', content, 'buffer')
  target.set(digest.subarray(0, fingerprintBytes), at + hashBytes)
}

function keyHash(kind: string, tokenId: string, among: string, text: string): Buffer {
  return hash('sha256', `${kind}\0${tokenId}\0${among}\0${text}`, 'buffer').subarray(0, hashBytes)
}

/** SHA-256 of a body and of what says how it is read. */
export function digestNow(about: string, body: Uint8Array): Buffer {
  return createHash('sha256').update(`${about}\0`).update(body).digest()
}

/** The same of a large body, while others have their turns. */
export async function digestInTurns(about: string, body: Uint8Array): Promise<Buffer> {
  const digest = createHash('sha256').update(`${about}\0`)
  for (let at = 0; at < body.length; at += turnBytes) {
    if (at > 0) await new Promise(resolve => setImmediate(resolve))
    digest.update(body.subarray(at, at + turnBytes))
  }
  return digest.digest()
}
