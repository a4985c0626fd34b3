/** How large an encoded body becomes, as far as it can be told before it is decoded. */

import { zstdContentBytesMax } from './zstd-frames.ts'

export type Compression = 'gzip' | 'deflate' | 'zstd'

export interface DecodedSize {
  /** It is this much at most, unless a body in gzip has several parts or does not say the truth. */
  readonly bytes: number
  /** Whether it should be no less. */
  readonly isExact: boolean
}

/** Deflate says at most 258 bytes in 2 bits (RFC 1951, 3.2.5). */
const deflateRatioMax = 1_032

/** At the end of gzip: a checksum, and the size modulo 2^32 (RFC 1952, 2.3.1). */
const gzipSizeBytes = 4

/** At most `bytesMax`; what becomes more is not read to its end. Throws as `zstdFrames` does for what is
 *  no zstd. */
export function decodedSize(encoding: Compression, body: Buffer, bytesMax: number): DecodedSize {
  if (encoding === 'zstd') {
    return { bytes: Math.min(bytesMax, zstdContentBytesMax(body, bytesMax)), isExact: false }
  }
  const atMost = Math.min(bytesMax, deflateRatioMax * body.length)
  if (encoding === 'deflate' || body.length < gzipSizeBytes) {
    return { bytes: atMost, isExact: false }
  }
  const told = body.readUInt32LE(body.length - gzipSizeBytes)
  return { bytes: Math.min(told, atMost), isExact: told <= atMost }
}
