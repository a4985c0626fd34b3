/**
 * The look-up key of a secret: its SHA-256, one-shot (about a microsecond).
 *
 * Secrets are found by their digest in a Map, so no comparison's time depends on how much of a
 * guess is right: whoever guesses does not control the digest's bytes and learns nothing from how
 * far two digests agree. A plain digest is enough, because what is hashed has 192 random bits or
 * was chosen by the operator to be a key; a password would need a slow hash.
 */

import { hash } from 'node:crypto'

/** SHA-256 in base64url, 43 characters. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
