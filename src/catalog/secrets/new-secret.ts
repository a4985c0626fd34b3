/**
 * Texts of new secrets: a prefix that says what it is (and lets secret scanners find a leaked one),
 * then 192 random bits in hex, which a double click selects as a whole.
 */

import { randomBytes } from 'node:crypto'

export const ingestionTokenPrefix = 'ing_'
export const apiKeyPrefix = 'key_'

/** 192 bits: the four characters that lists show as a hint leave 176 unknown. */
const secretBytes = 24

/** A secret that nobody can guess: the prefix and random bytes in hex, from the system's generator. */
export function newSecret(prefix: typeof ingestionTokenPrefix | typeof apiKeyPrefix): string {
  return prefix + randomBytes(secretBytes).toString('hex')
}
