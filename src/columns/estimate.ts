/**
 * What chunks will take on disk, about: whole compression of every candidate would cost more than
 * sealing has, so that slices stand for large chunks.
 *
 * A slice does not see what repeats far away, which makes text look larger than it will be by up to
 * a third. The encodings that compete with it gain more than that where they are good.
 */
import { constants, zstdCompressSync } from 'node:zlib'

const sliceBytes = 4_096
const slicesMax = 4

/** Columns of fewer bytes are judged by their size before compression: a call of zstd takes tens of
 *  microseconds whatever it is given, and templates make hundreds of small columns. */
const compressedBytesMin = 4_096

/** Chunks of so few bytes are written as they are. */
const plainBytesMax = 128

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Bytes that the chunks will take after compression, estimated. */
export function estimateBytes(chunks: readonly Buffer[]): number {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (total < compressedBytesMin) return total
  return chunks.reduce((sum, chunk) => sum + estimateChunk(chunk), 0)
}

function estimateChunk(chunk: Buffer): number {
  if (chunk.length <= plainBytesMax) return chunk.length
  const sample = slicesOf(chunk)
  const compressed = zstdCompressSync(sample, fastest).length
  return Math.min(1, compressed / sample.length) * chunk.length
}

/** The chunk, or slices from its beginning to its end when it is large. */
function slicesOf(chunk: Buffer): Buffer {
  if (chunk.length <= sliceBytes * slicesMax) return chunk
  const step = (chunk.length - sliceBytes) / (slicesMax - 1)
  const slices: Buffer[] = []
  for (let i = 0; i < slicesMax; i++) {
    const start = Math.floor(i * step)
    slices.push(chunk.subarray(start, start + sliceBytes))
  }
  return Buffer.concat(slices)
}
