/**
 * Node's decoders, one for each encoding of a body, and how all of a body is taken from one.
 */
import {
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type Gunzip,
  type Inflate,
  type InflateRaw,
  type ZstdDecompress,
} from 'node:zlib'
import { freeMemory } from '../../columns/growing-array.ts'
import type { Compression } from './decoded-size.ts'
import { zstdFrames } from './zstd-frames.ts'

type DecoderStream = Gunzip | Inflate | InflateRaw | ZstdDecompress

/** A decoder that begins at once with a body. */
export interface Decoder {
  readonly stream: DecoderStream
  /** Throws when the stream has ended before the body. */
  readonly check: () => void
}

/** `chunkSize`: bytes of a piece that comes out of it, at most. */
export function decoderOf(encoding: Compression, body: Buffer, chunkSize: number): Decoder {
  if (encoding === 'zstd') {
    const stream = createZstdDecompress({ chunkSize })
    for (const frame of zstdFrames(body)) stream.write(frame)
    stream.end()
    return { stream, check: () => {} }
  }
  if (encoding === 'gzip') {
    const stream = createGunzip({ chunkSize })
    stream.end(body)
    return { stream, check: () => {} }
  }
  const stream = hasZlibHeader(body)
    ? createInflate({ chunkSize })
    : createInflateRaw({ chunkSize })
  stream.end(body)
  return { stream, check: () => requireWhole(body, stream.bytesWritten) }
}

/**
 * Gives each piece of the decoded body to `add` until that returns false. Resolves with whether all was
 * given; rejects with what `add` throws, or with the decoder's own error. A piece is gone when `add` is done.
 */
export async function takePieces(
  { stream, check }: Decoder,
  add: (piece: Buffer) => boolean,
): Promise<boolean> {
  let last: Buffer<ArrayBuffer> | undefined
  for await (const piece of stream as AsyncIterable<Buffer<ArrayBuffer>>) {
    if (!add(piece)) return false
    // The stream continues in memory that it has not filled.
    if (piece.byteOffset + piece.length === piece.buffer.byteLength) freeMemory(piece)
    last = piece
  }
  if (last?.buffer.detached === false) last.buffer.transfer(0)
  check()
  return true
}

/** Throws when a decoder of deflate has stopped before the end of the body. */
export function requireWhole(body: Buffer, readBytes: number): void {
  if (readBytes !== body.length) {
    throw new RangeError('the body goes on after the end of the compressed data')
  }
}

/**
 * RFC 9110, 8.4.1.2: `deflate` means the zlib format; some senders leave its two bytes of header
 * out. They are a multiple of 31 and name method 8 (RFC 1950, 2.2).
 */
export function hasZlibHeader(body: Buffer): boolean {
  return body.length >= 2 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}
