/**
 * A value of the catalog as it is stored, with a checksum over what it is and where it belongs. LMDB has
 * none, and a bit that changed in a title, a role or a digest must never be believed.
 *
 *     ┌───────────────┬────────────┬───────────────┬─────────────┐
 *     │ mark <1> 0xC1 │ layout <1> │ checksum <16> │ payload <n> │
 *     └───────────────┴────────────┴───────────────┴─────────────┘
 *
 * - Neither msgpack nor UTF-8 ever begins with 0xC1: the values of format 1, which had no checksums,
 *   cannot be taken for these.
 * - `checksum` is the first half of the SHA-256 of collection, key and payload, each of the first two
 *   after its length (u32): the value of another key is none of this one's.
 */
import { createHash } from 'node:crypto'

const mark = 0xc1
const layout = 1
const checksumOffset = 2
export const checksumBytes = 16
const payloadOffset = checksumOffset + checksumBytes

/** Where a value belongs. */
export interface Place {
  readonly collection: string
  readonly key: string
}

/**
 * The bytes to store of `payload`: marked, with a checksum over it and its place, so that it is found when it
 * lies under another key.
 */
export function encodeChecked(place: Place, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(mark, layout), checksumOf(place, payload), payload])
}

/** The payload; undefined when it is not what was stored at this place. */
export function decodeChecked(place: Place, stored: Uint8Array): Buffer | undefined {
  if (stored.length < payloadOffset || stored[0] !== mark || stored[1] !== layout) return undefined
  const payload = payloadOf(stored)
  return checksumOf(place, payload).equals(storedChecksum(stored)) ? payload : undefined
}

/** The checksum as it was stored, whether it is right or not; zeros where there is none. */
export function storedChecksum(stored: Uint8Array): Buffer {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.set(stored.subarray(checksumOffset, payloadOffset))
  return checksum
}

/** Whatever is after the checksum, right or not. */
export function payloadOf(stored: Uint8Array): Buffer {
  return Buffer.from(stored.subarray(payloadOffset))
}

/** Whether a value looks as if it had a checksum. */
export function isMarked(stored: Uint8Array): boolean {
  return stored[0] === mark
}

function checksumOf({ collection, key }: Place, payload: Uint8Array): Buffer {
  const hash = createHash('sha256')
  for (const part of [collection, key]) {
    const bytes = Buffer.from(part, 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    hash.update(length).update(bytes)
  }
  return hash.update(payload).digest().subarray(0, checksumBytes)
}
