/**
 * The header `Idempotency-Key`: a request that is sent again with the same key is stored once, and answered
 * as the first time.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header-07. There the key is a String of structured fields
 * (RFC 9651), in quotes; many clients send it without, which is taken too.
 */

import type { RetryKey } from '../../../ingest/retries/retry-key.ts'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'

const field = 'Idempotency-Key'
const lengthMax = limits.idempotencyKeyLengthMax

/** For the document. */
export const keyHeader = {
  [field]: `Any text of 1 to ${lengthMax} visible ASCII characters, in quotes or not, that its sender uses for this
request alone. Sent again with the same token, key and body, a request is stored once and answered as the first time;
while the first is under way the second waits for it. With another body it is answered 422. What is refused as a whole is
not remembered.`,
}

export const keyProblems = ['idempotency_key_reused'] as const

/** In quotes, with quotes and backslashes after a backslash; blanks are no mistake there. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/
const bare = /^[\x21\x23-\x2b\x2d-\x7e]+$/

/** `header`: as it came; undefined when absent. Throws `field_invalid`, which names the header. */
export function readIdempotencyKey(header: string | undefined): RetryKey | undefined {
  if (header === undefined) return undefined
  const inside = quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
  const text = inside ?? (bare.test(header) ? header : '')
  if (text === '' || text.length > lengthMax) throw invalid(header)
  return { kind: 'idempotency-key', text }
}

function invalid(header: string): ProblemError {
  const was = header === '' ? 'an empty one' : `${header.length} characters`
  const detail = `"${field}" must be 1 to ${lengthMax} visible ASCII characters, in quotes or without quotes, blanks and commas; was ${was}`
  return new ProblemError('field_invalid', detail, { field })
}
