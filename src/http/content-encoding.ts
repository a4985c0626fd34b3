/**
 * Undoes a body's Content-Encoding, within a size limit on the result.
 *
 * The limit goes into the decompressor itself, so that a few bytes that stand for gigabytes cost no
 * more than the limit. Nothing is lost in silence: a body that was cut off is refused, and so is
 * one with anything behind its end.
 */

import {
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { bodyTooLarge } from './body.ts'
import { zstdFrames } from './zstd-frames.ts'

export type ContentEncoding = 'identity' | 'gzip' | 'deflate' | 'zstd'

const encodings: ReadonlyMap<string, ContentEncoding> = new Map([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'], // RFC 9110, 8.4.1.3: a recipient should take it as gzip.
  ['deflate', 'deflate'],
  ['zstd', 'zstd'],
])

/** What 415 offers instead, as RFC 9110, 12.5.3 asks. */
export const acceptEncoding = 'gzip, deflate, zstd, identity'

/** Throws `content_encoding` for what we do not know, and for several encodings on top of another. */
export function readContentEncoding(header: string): ContentEncoding {
  const encoding = encodings.get(header) ?? encodings.get(header.toLowerCase())
  if (encoding === undefined) {
    const detail = `expected one of ${acceptEncoding}, was ${JSON.stringify(header.slice(0, 64))}`
    throw new ProblemError('content_encoding', detail, { field: 'Content-Encoding' })
  }
  return encoding
}

/** Bytes that an encoded body may have: what does not compress grows by a little. */
export function encodedBytesMax(encoding: ContentEncoding, bytesMax: number): number {
  return encoding === 'identity' ? bytesMax : bytesMax + Math.ceil(bytesMax / 256) + 1_024
}

/** Small bodies are decoded at once: going through the thread pool costs three times as much. The
 *  second bound is what a bomb may take of the main thread, about a millisecond. */
const syncBodyBytesMax = 8 * 1024
const syncResultBytesMax = 1024 * 1024

/** Each step of an asynchronous decoder comes back to the main thread: fewer, larger steps. */
const asyncChunkBytes = 256 * 1024

/** Throws, or rejects with, `body_too_large` over `bytesMax` bytes, or `encoding_broken`. */
export function decodeBody(
  encoding: ContentEncoding,
  body: Buffer,
  bytesMax: number,
): Buffer | Promise<Buffer> {
  if (encoding === 'identity' || body.length === 0) {
    return body
  }
  const isSmall = body.length <= syncBodyBytesMax && bytesMax <= syncResultBytesMax
  if (!isSmall) {
    return decodeLater(encoding, body, bytesMax).catch(error => {
      throw asProblem(error, encoding, bytesMax)
    })
  }
  try {
    return decodeNow(encoding, body, bytesMax)
  } catch (error) {
    throw asProblem(error, encoding, bytesMax)
  }
}

type Compression = Exclude<ContentEncoding, 'identity'>

function decodeNow(encoding: Compression, body: Buffer, bytesMax: number): Buffer {
  const options = { maxOutputLength: bytesMax }
  if (encoding === 'gzip') {
    return gunzipSync(body, options)
  }
  if (encoding === 'deflate') {
    const decode = hasZlibHeader(body) ? inflateSync : inflateRawSync
    return wholeInput(body, decode(body, { ...options, info: true }))
  }
  const parts = new Parts(bytesMax)
  for (const frame of checkedFrames(body)) {
    parts.add(zstdDecompressSync(frame, { maxOutputLength: parts.nextBytesMax }))
  }
  return parts.joined()
}

async function decodeLater(encoding: Compression, body: Buffer, bytesMax: number): Promise<Buffer> {
  const options = { maxOutputLength: bytesMax, chunkSize: asyncChunkBytes }
  if (encoding === 'gzip') {
    return later(gunzip, body, options)
  }
  if (encoding === 'deflate') {
    const decode = hasZlibHeader(body) ? inflate : inflateRaw
    return wholeInput(body, await later(decode, body, { ...options, info: true }))
  }
  const parts = new Parts(bytesMax)
  for (const frame of checkedFrames(body)) {
    const frameOptions = { ...options, maxOutputLength: parts.nextBytesMax }
    parts.add(await later(zstdDecompress, frame, frameOptions))
  }
  return parts.joined()
}

interface DecodeOptions {
  readonly maxOutputLength: number
  readonly chunkSize: number
  readonly info?: boolean
}

type Decoder = (
  body: Buffer,
  options: DecodeOptions,
  callback: (error: Error | null, result: Buffer) => void,
) => void

function later(decode: Decoder, body: Buffer, options: DecodeOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    decode(body, options, (error, result) => (error === null ? resolve(result) : reject(error)))
  })
}

/** The decoded frames so far, and what is left of the limit. */
class Parts {
  readonly #parts: Buffer[] = []
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** What the next part may have; the decoder does not take 0. */
  get nextBytesMax(): number {
    return Math.max(1, this.#bytesMax - this.#bytes)
  }

  add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#bytesMax) {
      throw bodyTooLarge(this.#bytesMax)
    }
    this.#parts.push(part)
  }

  joined(): Buffer {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
  }
}

function checkedFrames(body: Buffer): Buffer[] {
  const frames = zstdFrames(body)
  if (frames.length > limits.zstdFramesMax) {
    throw new RangeError(`more than ${limits.zstdFramesMax} zstd frames`)
  }
  return frames
}

/**
 * RFC 9110, 8.4.1.2: `deflate` means the zlib format; some senders leave its two bytes of header
 * out. They are a multiple of 31 and name method 8 (RFC 1950, 2.2).
 */
function hasZlibHeader(body: Buffer): boolean {
  return body.length >= 2 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}

/** With the option `info` the decoder tells how far it read; Node's types do not know that. */
function wholeInput(body: Buffer, result: unknown): Buffer {
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } }
  if (engine.bytesWritten !== body.length) {
    throw new RangeError('the body goes on after the end of the compressed data')
  }
  return buffer
}

function asProblem(error: unknown, encoding: Compression, bytesMax: number): ProblemError {
  if (error instanceof ProblemError) {
    return error
  }
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
    return bodyTooLarge(bytesMax)
  }
  return new ProblemError('encoding_broken', `the body is not whole and valid ${encoding}`, {
    field: 'Content-Encoding',
    cause: error,
  })
}
