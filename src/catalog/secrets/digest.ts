/**
 * The look-up key of a secret: its SHA-256.
 *
 * Secrets are found by their digest in a Map, so no comparison's time depends on how much of a guess is
 * right: whoever guesses does not control the digest's bytes and learns nothing from how far two digests
 * agree. (Those that are remembered are found by a hash of all of the text, whose seed nobody knows.) A
 * plain digest is enough, because what is hashed has 192 random bits or was chosen by the operator to be a
 * key; a password would need a slow hash.
 */

import { hash } from 'node:crypto'

/** Digests that are remembered: with a rest between two requests, one takes 19 µs, to look it up one. */
const rememberedMax = 256
/** Characters of a secret whose digest is. Ours have 52, but guesses may be as long as a header. */
const rememberedLengthMax = 128

const remembered = new Map<string, string>()

/** SHA-256 in base64url, 43 characters. */
export function digestOf(secret: string): string {
  const known = remembered.get(secret)
  if (known !== undefined) return known
  const digest = hash('sha256', secret, 'base64url')
  if (secret.length > rememberedLengthMax) return digest
  // Whoever tries one guess after the other only makes us hash again.
  if (remembered.size === rememberedMax) remembered.clear()
  remembered.set(secret, digest)
  return digest
}
