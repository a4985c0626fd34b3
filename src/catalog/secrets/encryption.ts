/**
 * Encrypts the secrets that must be shown again: AES-256-GCM under the key in `secret.key`.
 *
 * The owner's id is the associated data, so that a ciphertext that was moved to another entry, or
 * changed by one bit, is refused and never taken for that entry's secret.
 *
 *     ┌───────────┬────────────────────┬──────────┐
 *     │ nonce <12>│ ciphertext <n>     │ tag <16> │
 *     └───────────┴────────────────────┴──────────┘
 */

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
/** 96 random bits per secret: two alike are not to be expected below 2^32 secrets (SP 800-38D). */
const nonceBytes = 12
const tagBytes = 16

/** The secret under `key`, bound to its owner: nonce, ciphertext, tag. Another one each time. */
export function encryptSecret(key: KeyObject, ownerId: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encryption.setAAD(Buffer.from(ownerId))
  const ciphertext = [encryption.update(secret, 'utf8'), encryption.final()]
  return Buffer.concat([nonce, ...ciphertext, encryption.getAuthTag()])
}

/** The secret, or undefined: another key, another owner, or changed bytes. */
export function decryptSecret(
  key: KeyObject,
  ownerId: string,
  encrypted: Uint8Array,
): string | undefined {
  if (encrypted.length < nonceBytes + tagBytes) {
    return undefined
  }
  const nonce = encrypted.subarray(0, nonceBytes)
  const ciphertext = encrypted.subarray(nonceBytes, -tagBytes)
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  decryption.setAAD(Buffer.from(ownerId))
  decryption.setAuthTag(encrypted.subarray(-tagBytes))
  try {
    return decryption.update(ciphertext, undefined, 'utf8') + decryption.final('utf8')
  } catch {
    return undefined // `final` found that the tag differs.
  }
}
