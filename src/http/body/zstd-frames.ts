/**
 * Where each frame of zstd data ends (RFC 8878, section 3.1).
 *
 * Node's zstd stops without an error after the first frame when more comes in the same chunk, and at
 * the end of a frame that was cut off. Both would lose events without a word, so the data is cut at
 * the ends of frames first, and its own end is checked.
 *
 *     ┌───────────┬──────────────────┬──────────────┬───┬────────────────┐
 *     │ magic <4> │ header <2 to 14> │ block <3..n> │ … │ checksum <0|4> │
 *     └───────────┴──────────────────┴──────────────┴───┴────────────────┘
 *     ┌─────────────────────┬────────────┬─────────────┐
 *     │ skippable magic <4> │ size <u32> │ data <size> │
 *     └─────────────────────┴────────────┴─────────────┘
 */
import { limits } from '../../limits.ts'

const magic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const skippableMagicMask = 0xfffffff0
const skippableMagicCount = 16
const magicBytes = 4
const descriptorBytes = 1
const skippableHeaderBytes = 8
const blockHeaderBytes = 3
const blockTypeRepeated = 1
const blockTypeCompressed = 2
/** Of what a compressed block decodes to (RFC 8878, 3.1.1.2.4). */
const blockContentBytesMax = 128 * 1024
const checksumBytes = 4
const dictionaryIdBytes = [0, 1, 2, 4] as const
const contentSizeBytes = [0, 2, 4, 8] as const

/** What zstd data begins with, one of them. The tool pzstd begins with a skippable frame. */
export const zstdMagics: readonly Buffer[] = [
  magic,
  ...Array.from({ length: skippableMagicCount }, (_, index) => skippableMagic + index),
].map(number => {
  const bytes = Buffer.alloc(magicBytes)
  bytes.writeUInt32LE(number)
  return bytes
})

/** `zstd_cut`: the data ends within a frame. `zstd_foreign`: no frame begins where one should. */
export class ZstdFrameError extends RangeError {
  override name = 'ZstdFrameError'
  readonly code: 'zstd_cut' | 'zstd_foreign'

  constructor(code: ZstdFrameError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The frames of `body` that hold data, in order. Throws a ZstdFrameError, or a RangeError when there
 * are more than `framesMax`.
 */
export function zstdFrames(body: Buffer, framesMax: number = limits.zstdFramesMax): Buffer[] {
  const splitter = new ZstdSplitter()
  const frames: Buffer[] = []
  for (const frame of splitter.split(body)) {
    frames.push(frame)
    if (frames.length > framesMax) {
      throw new RangeError(`more than ${framesMax} zstd frames`)
    }
  }
  splitter.end()
  return frames
}

/** What is read of a body first, to see how large it becomes: blocks of 2 MiB where they repeat a byte. */
const firstReadBytes = 64

/**
 * Bytes that `body` decodes to at most, as its blocks say, or some number above `enough` if it is more: then
 * it is not read to its end. Throws as `zstdFrames` does for what it has read.
 */
export function zstdContentBytesMax(body: Buffer, enough = Number.POSITIVE_INFINITY): number {
  const splitter = new ZstdSplitter()
  for (let from = 0, to = firstReadBytes; from < body.length; from = to, to *= 2) {
    for (const _ of splitter.split(body.subarray(from, to))) {
      // What the frames say is gathered on the way.
    }
    if (splitter.contentBytesMax > enough) return splitter.contentBytesMax
  }
  splitter.end()
  return splitter.contentBytesMax
}

/**
 * Cuts a stream of zstd data at the ends of its frames, and leaves out skippable frames. A zstd
 * decoder of Node that gets each part as a chunk of its own decodes all frames, one after the other.
 */
export class ZstdSplitter {
  /** Bytes at most that all blocks so far decode to. */
  contentBytesMax = 0
  /** A header that is not whole yet. */
  #held: Buffer = Buffer.alloc(0)
  /** Bytes before the next header or the frame's end. */
  #bytesLeft = 0
  #next: 'frame' | 'block' | 'end' = 'frame'
  #isSkipped = false
  #checksumBytes = 0

  /** Throws a ZstdFrameError when the data may not end here. */
  end(): void {
    if (this.#next !== 'frame' || (this.#held.length > 0 && mayBeginFrame(this.#held))) {
      throw new ZstdFrameError('zstd_cut', 'the last zstd frame was cut off')
    }
    if (this.#held.length > 0) {
      throw foreign()
    }
  }

  /** The next chunk in parts that share its memory. Throws a ZstdFrameError after the last frame. */
  *split(chunk: Buffer): Generator<Buffer> {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let start = 0
    let offset = 0
    for (;;) {
      const passed = Math.min(this.#bytesLeft, bytes.length - offset)
      this.#bytesLeft -= passed
      offset += passed
      if (this.#bytesLeft > 0) break
      if (this.#next === 'end') {
        if (!this.#isSkipped) yield bytes.subarray(start, offset)
        start = offset
        this.#next = 'frame'
        this.#isSkipped = false
      }
      const headerBytes = this.#readHeader(bytes, offset)
      if (headerBytes === 0) break
      offset += headerBytes
    }
    if (offset > start && !this.#isSkipped) yield bytes.subarray(start, offset)
    this.#held = bytes.subarray(offset)
  }

  /** The size of the header at `offset`; 0 when it is not whole yet. */
  #readHeader(bytes: Buffer, offset: number): number {
    const available = bytes.length - offset
    if (this.#next === 'block') {
      return available < blockHeaderBytes ? 0 : this.#readBlockHeader(bytes, offset)
    }
    if (available < magicBytes) {
      return 0
    }
    const frameMagic = bytes.readUInt32LE(offset)
    if (isSkippable(frameMagic)) {
      return available < skippableHeaderBytes ? 0 : this.#readSkippableHeader(bytes, offset)
    }
    if (frameMagic !== magic) {
      throw foreign()
    }
    return available < magicBytes + descriptorBytes ? 0 : this.#readFrameHeader(bytes, offset)
  }

  #readSkippableHeader(bytes: Buffer, offset: number): number {
    this.#bytesLeft = bytes.readUInt32LE(offset + magicBytes)
    this.#next = 'end'
    this.#isSkipped = true
    return skippableHeaderBytes
  }

  #readFrameHeader(bytes: Buffer, offset: number): number {
    const descriptor = bytes.readUInt8(offset + magicBytes)
    const isSingleSegment = (descriptor & 0x20) !== 0
    const hasChecksum = (descriptor & 0x04) !== 0
    const sizeBytes = contentSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3]
    this.#checksumBytes = hasChecksum ? checksumBytes : 0
    this.#bytesLeft = isSingleSegment ? 0 : 1 // The window descriptor.
    this.#bytesLeft += dictionaryIdBytes[(descriptor & 0x03) as 0 | 1 | 2 | 3]
    this.#bytesLeft += isSingleSegment && sizeBytes === 0 ? 1 : sizeBytes
    this.#next = 'block'
    return magicBytes + descriptorBytes
  }

  #readBlockHeader(bytes: Buffer, offset: number): number {
    const header = bytes.readUIntLE(offset, blockHeaderBytes)
    const isLast = (header & 1) === 1
    const type = (header >> 1) & 3
    const size = header >> 3
    this.contentBytesMax += type === blockTypeCompressed ? blockContentBytesMax : size
    this.#bytesLeft = type === blockTypeRepeated ? 1 : size
    if (isLast) {
      this.#bytesLeft += this.#checksumBytes
      this.#next = 'end'
    }
    return blockHeaderBytes
  }
}

function isSkippable(frameMagic: number): boolean {
  return (frameMagic & skippableMagicMask) >>> 0 === skippableMagic
}

/** Whether the first byte of what is there is that of a magic. */
function mayBeginFrame(bytes: Buffer): boolean {
  return bytes[0] === (magic & 0xff) || (bytes[0]! & 0xf0) === (skippableMagic & 0xff)
}

function foreign(): ZstdFrameError {
  return new ZstdFrameError('zstd_foreign', 'no zstd frame begins here')
}
