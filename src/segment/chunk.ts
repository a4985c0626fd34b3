/**
 * A chunk: some bytes of a column, compressed when that pays, checked when read. The only thing in a
 * segment that is compressed.
 */
import { constants, zstdCompressSync } from 'node:zlib'
import { keptBuffer } from '../threads/uncounted-memory.ts'
import { checksumAt } from './checksum.ts'
import { SegmentCorrupt } from './segment-error.ts'
import type { SegmentFile } from './segment-file.ts'
import { decompressFrame } from './zstd-frame.ts'

/** Where a chunk lies and what it must be. */
export interface ChunkReference {
  readonly offset: number
  readonly storedBytes: number
  readonly rawBytes: number
  readonly crc: number
  readonly compression: Compression
}

/** In the order of their numbers in a file. */
export const compressions = ['none', 'zstd'] as const
export type Compression = (typeof compressions)[number]

/** Below this zstd's own header and the time to set it up cost more than they save. */
const compressedBytesMin = 129
const savedShareMin = 0.1
/** What is stored compressed is read into memory that is used again, up to so many bytes: each first touch
 *  of fresh memory has a price, and it is needed no longer than it takes to decompress it. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** What to store for a chunk: compressed when that saves at least a tenth. */
export function packChunk(raw: Buffer): { stored: Buffer; compression: Compression } {
  if (raw.length < compressedBytesMin) return { stored: raw, compression: 'none' }
  const compressed = zstdCompressSync(raw, level)
  const isWorthIt = compressed.length <= raw.length * (1 - savedShareMin)
  return isWorthIt
    ? { stored: compressed, compression: 'zstd' }
    : { stored: raw, compression: 'none' }
}

/**
 * Reads a chunk as it was handed to the writer, into memory that is the caller's or, where it has a number as
 * one that is `lent`, may be used for the next chunk of that number. Throws SegmentCorrupt.
 */
export function readChunk(file: SegmentFile, reference: ChunkReference, lent?: number): Buffer {
  const { offset, storedBytes, rawBytes, crc, compression } = reference
  const isZstd = compression === 'zstd'
  const memory = lent === undefined ? undefined : lentMemory(lent, rawBytes)
  const spare = isZstd ? scratch : memory
  const isSpared = spare !== undefined && storedBytes <= spare.length
  const stored = isSpared
    ? spare.subarray(0, storedBytes)
    : file.read(offset, storedBytes, keptBuffer)
  if (isSpared) file.readOver(stored, offset)
  // Before decompressing: what zstd makes of damaged bytes is anybody's guess.
  if (checksumAt(file.number, offset, stored) !== crc) {
    throw new SegmentCorrupt(file.path, offset, 'the checksum of a chunk differs')
  }
  const raw = isZstd ? decompress(file, reference, stored, memory) : stored
  if (raw.length !== rawBytes) {
    const what = `a chunk has ${raw.length} bytes, expected ${rawBytes}`
    throw new SegmentCorrupt(file.path, offset, what)
  }
  return raw
}

/** By the numbers of chunks: planes of integers are read side by side. */
const lentMemories: Buffer[] = []
const lentCountMax = 8
/** More is not lent: what is damaged may ask for any number of bytes. */
const lentBytesMax = 256 * 1024

function lentMemory(number: number, bytes: number): Buffer | undefined {
  if (number >= lentCountMax || bytes > lentBytesMax) return undefined
  let memory = lentMemories[number]
  if (memory === undefined || memory.length < bytes) {
    memory = Buffer.allocUnsafeSlow(Math.min(2 * bytes, lentBytesMax))
    lentMemories[number] = memory
  }
  return memory.subarray(0, bytes)
}

function decompress(
  file: SegmentFile,
  reference: ChunkReference,
  stored: Buffer,
  memory: Buffer | undefined,
): Buffer {
  const { offset, rawBytes } = reference
  try {
    return decompressFrame(stored, rawBytes, memory)
  } catch (error) {
    throw new SegmentCorrupt(file.path, offset, 'a chunk cannot be decompressed', error)
  }
}
