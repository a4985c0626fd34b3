/**
 * Who decodes a body that is not decoded at once: those that become large wait in a queue of their own, for a
 * thread of their own, and so do those that become very much more than they were. Of log lines an encoding
 * makes a tenth; a body that says a hundredth is the same few bytes again and again, and 3 KB of it may be a
 * million events. 256 of those took all the room at once: they were decoded two at a time, by threads as
 * urgent as the main one, which put 3 MiB of each into fresh memory.
 */
import { usualBodyBytesMax } from '../../ingest/body-memory.ts'

export type DecoderKind = 'small' | 'large'

/** What a body usually becomes at most, for each of its bytes. */
const usualRatioMax = 100

/** Whatever it was, one that becomes no more is small. */
const smallBytesMax = 1024 * 1024

/** Of a body of `encodedBytes` that becomes `decodedBytes` at most. */
export function decoderKind(encodedBytes: number, decodedBytes: number): DecoderKind {
  if (decodedBytes > usualBodyBytesMax) return 'large'
  const isUsual = decodedBytes <= Math.max(smallBytesMax, usualRatioMax * encodedBytes)
  return isUsual ? 'small' : 'large'
}
