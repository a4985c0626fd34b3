/**
 * Undoes a body's Content-Encoding, within a size limit on the result.
 *
 * The limit goes into the decompressor itself, so that a few bytes that stand for gigabytes cost no
 * more than the limit. Nothing is lost in silence: a body that was cut off is refused, and so is
 * one with anything after its end.
 */

import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { DecodedBody } from '../../ingest/sealed-body.ts'
import { ProblemError } from '../../problems.ts'
import { bodyTooLarge } from './collect-body.ts'
import { type DecodeOptions, decodeLater } from './decode-later.ts'
import { type Compression, decodedSize } from './decoded-size.ts'
import { hasZlibHeader, requireWhole } from './decoder.ts'
import { zstdFrames } from './zstd-frames.ts'

export type ContentEncoding = 'identity' | Compression

const encodings: ReadonlyMap<string, ContentEncoding> = new Map([
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'], // RFC 9110, 8.4.1.3: a recipient should take it as gzip.
  ['deflate', 'deflate'],
  ['gzip,deflate', 'deflate'], // graypy's (2.1), which sends zlib alone.
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

/** What 415 offers instead where a body is taken as it comes. */
export const acceptPlain = 'identity'

/** Throws `content_encoding` unless the body is not encoded. */
export function requirePlain(header: string): void {
  if (header !== '' && header.toLowerCase() !== acceptPlain) {
    const detail = `expected a body that is not encoded, was ${JSON.stringify(header.slice(0, 64))}`
    throw new ProblemError('content_encoding', detail, { field: 'Content-Encoding' })
  }
}

/** Bytes that an encoded body may have: what does not compress grows by a little. */
export function encodedBytesMax(encoding: ContentEncoding, bytesMax: number): number {
  return encoding === 'identity' ? bytesMax : bytesMax + Math.ceil(bytesMax / 256) + 1_024
}

/** Small bodies that become no large ones are decoded at once: going through the thread pool costs
 *  three times as much, and who sends one event and goes away would lose it. The second bound is what a
 *  bomb may take of the main thread, about a millisecond; what says that it becomes more is not begun
 *  here, and what becomes more all the same is begun once more. */
const syncBodyBytesMax = 8 * 1024
const syncResultBytesMax = 1024 * 1024

/**
 * Throws, or rejects with, `body_too_large` over `bytesMax` bytes, or `encoding_broken`. A body that is
 * not decoded at once waits for its turn, as `options` says, and rejects with what that throws.
 */
export function decodeBody(
  encoding: ContentEncoding,
  body: Buffer<ArrayBuffer>,
  options: DecodeOptions,
): Buffer<ArrayBuffer> | Promise<DecodedBody> {
  if (encoding === 'identity' || body.length === 0) {
    return body
  }
  const { bytesMax } = options
  if (body.length <= syncBodyBytesMax) {
    try {
      if (!saysLarge(encoding, body, bytesMax)) {
        return decodeNow(encoding, body, Math.min(bytesMax, syncResultBytesMax))
      }
    } catch (error) {
      const problem = asProblem(error, encoding, bytesMax)
      const isLarge = problem.code === 'body_too_large' && bytesMax > syncResultBytesMax
      if (!isLarge) throw problem
    }
  }
  return decodeLater(encoding, body, options).catch(error => {
    // The sender has gone: an error of the decoder, stopped half-way, is nobody's fault.
    const { aborted, reason } = options.signal()
    throw aborted ? reason : asProblem(error, encoding, bytesMax)
  })
}

/** Whether a body tells itself that it is too large to be decoded at once. Throws as `decodedSize` does. */
function saysLarge(encoding: Compression, body: Buffer<ArrayBuffer>, bytesMax: number): boolean {
  if (encoding === 'deflate') return false // It does not tell.
  return decodedSize(encoding, body, bytesMax).bytes > syncResultBytesMax
}

function decodeNow(encoding: Compression, body: Buffer, bytesMax: number): Buffer<ArrayBuffer> {
  const options = { maxOutputLength: bytesMax }
  if (encoding === 'gzip') {
    return gunzipSync(body, options)
  }
  if (encoding === 'deflate') {
    const decode = hasZlibHeader(body) ? inflateSync : inflateRawSync
    return wholeInput(body, decode(body, { ...options, info: true }))
  }
  const parts = new Parts(bytesMax)
  for (const frame of zstdFrames(body)) {
    parts.add(zstdDecompressSync(frame, { maxOutputLength: parts.nextBytesMax }))
  }
  return parts.joined()
}

/** The decoded frames so far, and what is left of the limit. */
class Parts {
  readonly #parts: Buffer<ArrayBuffer>[] = []
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** What the next part may have; the decoder does not take 0. */
  get nextBytesMax(): number {
    return Math.max(1, this.#bytesMax - this.#bytes)
  }

  add(part: Buffer<ArrayBuffer>): void {
    this.#bytes += part.length
    if (this.#bytes > this.#bytesMax) {
      throw bodyTooLarge(this.#bytesMax)
    }
    this.#parts.push(part)
  }

  joined(): Buffer<ArrayBuffer> {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
  }
}

/** With the option `info` the decoder tells how far it read; Node's types do not know that. */
function wholeInput(body: Buffer, result: unknown): Buffer<ArrayBuffer> {
  const { buffer, engine } = result as {
    buffer: Buffer<ArrayBuffer>
    engine: { bytesWritten: number }
  }
  requireWhole(body, engine.bytesWritten)
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
