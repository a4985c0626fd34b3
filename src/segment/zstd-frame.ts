/**
 * Decompresses zstd frames by one context that each thread keeps. `zstdDecompressSync` makes a stream and a
 * context of 160 KB anew for each call: 50 µs and much garbage, where most chunks take 5 to 50.
 *
 * Node has no call for that. The context is the one of a stream, asked as Node's own function asks it, by
 * `writeSync` of its handle, which no document of Node promises: it is tried on a known frame first, and
 * where it is not what is expected, Node's function does the work.
 */

import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import { keptBuffer } from '../threads/uncounted-memory.ts'

/** Of Node's `internalBinding('zlib')`. */
interface Handle {
  onerror: (message: string, errno: number, code: string) => void
  writeSync(
    flush: number,
    from: Uint8Array,
    fromOffset: number,
    fromBytes: number,
    to: Uint8Array,
    toOffset: number,
    toBytes: number,
  ): void
}

interface DecompressStream {
  readonly _handle?: Handle
  /** After each write: bytes of the output that are left, and of the input. */
  readonly _writeState?: Uint32Array
}

class FrameDecoder {
  readonly #handle: Handle
  readonly #left: Uint32Array
  #hasFailed = false

  private constructor(handle: Handle, left: Uint32Array) {
    this.#handle = handle
    this.#left = left
    handle.onerror = () => {
      this.#hasFailed = true
    }
  }

  /** Undefined where Node is another than is expected here. */
  static open(): FrameDecoder | undefined {
    const stream = createZstdDecompress({ chunkSize: constants.Z_MIN_CHUNK }) as DecompressStream
    const { _handle: handle, _writeState: left } = stream
    if (typeof handle?.writeSync !== 'function' || !(left instanceof Uint32Array)) return undefined
    const decoder = new FrameDecoder(handle, left)
    // Twice: the second frame finds the context as the first has left it.
    const isAsExpected = () => decoder.decode(knownFrame, knownText.length)?.equals(knownText)
    return isAsExpected() && isAsExpected() ? decoder : undefined
  }

  /** The bytes of a whole frame; undefined where that fails: its context is then in no known state. */
  decode(frame: Buffer, rawBytes: number, memory?: Buffer): Buffer | undefined {
    const raw = memory ?? keptBuffer(rawBytes)
    this.#handle.writeSync(constants.ZSTD_e_end, frame, 0, frame.length, raw, 0, rawBytes)
    const [leftInRaw, leftOfFrame] = this.#left
    if (leftInRaw !== 0 || leftOfFrame !== 0) this.#hasFailed = true
    return this.#hasFailed ? undefined : raw
  }
}

const knownText = Buffer.from('known', 'latin1')
/** Its bytes as they are, in one block. */
const knownFrame = Buffer.concat([Buffer.from('28b52ffd2005290000', 'hex'), knownText])

/** Undefined before the first frame, and after one that failed; 'none' where there can be none. */
let kept: FrameDecoder | 'none' | undefined

/**
 * What a frame holds; in `memory`, of `rawBytes`, where there is some. Throws what zlib throws, also for more
 * than `rawBytes`; for fewer it returns what there is.
 */
export function decompressFrame(frame: Buffer, rawBytes: number, memory?: Buffer): Buffer {
  if (rawBytes > 0 && isOneFrame(frame, rawBytes)) {
    kept ??= FrameDecoder.open() ?? 'none'
    if (kept !== 'none') {
      const raw = kept.decode(frame, rawBytes, memory)
      if (raw !== undefined) return raw
      kept = undefined
    }
  }
  return zstdDecompressSync(frame, {
    maxOutputLength: rawBytes,
    // Everything in one piece, and a byte to spare, without which Node asks zstd for another one.
    chunkSize: Math.max(rawBytes + 1, constants.Z_MIN_CHUNK),
  })
}

const frameMagic = 0xfd2fb528
const headerBytesMin = 6
const blockHeaderBytes = 3
/** Of the types of blocks, the one whose content is a single byte, to be repeated. */
const repeatedType = 1

/**
 * Whether the bytes are one frame to its end, which says that so many bytes come out: then zstd goes
 * through it in one go, and its context is as it was before. (RFC 8878, 3.1.1; frames with a dictionary are
 * none of ours.)
 */
export function isOneFrame(bytes: Buffer, rawBytes: number): boolean {
  if (bytes.length < headerBytesMin || bytes.readUInt32LE(0) !== frameMagic) return false
  const descriptor = bytes[4]!
  const isSingleSegment = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  const hasDictionary = (descriptor & 0x03) !== 0
  const sizeAt = isSingleSegment ? 5 : 6
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  let at = sizeAt + sizeBytes
  if (hasDictionary || at > bytes.length) return false
  if (contentBytes(bytes, sizeAt, sizeBytes) !== rawBytes) return false
  for (let isLast = false; !isLast; ) {
    if (at + blockHeaderBytes > bytes.length) return false
    const header = bytes.readUIntLE(at, blockHeaderBytes)
    isLast = (header & 1) === 1
    const isRepeated = ((header >> 1) & 3) === repeatedType
    at += blockHeaderBytes + (isRepeated ? 1 : header >>> 3)
  }
  return at + (hasChecksum ? 4 : 0) === bytes.length
}

/** What a frame says of the length of its content; undefined where it says nothing, or 4 GiB or more. */
function contentBytes(bytes: Buffer, at: number, sizeBytes: number): number | undefined {
  if (sizeBytes === 1) return bytes[at]!
  if (sizeBytes === 2) return bytes.readUInt16LE(at) + 256
  return sizeBytes === 4 ? bytes.readUInt32LE(at) : undefined
}
