/**
 * Decodes a body that is not small, piece by piece in Node's threads, into memory that was asked for
 * first: see `decoder-queue.ts`.
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
import { bodyTooLarge } from './collect-body.ts'
import { type Compression, decodedSize } from './decoded-size.ts'
import type { EndDecoding } from './decoder-queue.ts'
import { zstdFrames } from './zstd-frames.ts'

export type { Compression } from './decoded-size.ts'

export interface DecodeOptions {
  /** Of the decoded body. */
  readonly bytesMax: number
  /** Waits until a body may be decoded that becomes at most this many bytes. */
  readonly takeTurn: (decodedBytes: number) => Promise<EndDecoding>
  /** Stops it, at the next piece: nobody waits for the body any more. */
  readonly signal: () => AbortSignal
}

type DecoderStream = Gunzip | Inflate | InflateRaw | ZstdDecompress

/** Each piece comes back to the main thread: fewer, larger ones cost less. A decoder that is stopped
 *  finishes the one that it is at. */
const pieceBytesMax = 256 * 1024
const pieceBytesMin = 16 * 1024

/** Where the result begins to grow, for each byte of the body, when its size is not known. */
const usualRatio = 8

/**
 * The decoded body, in memory of its own; that of `body` is returned. Rejects with `body_too_large`,
 * with what `takeTurn` throws or the signal's reason, or with the decoder's own error.
 */
export async function decodeLater(
  encoding: Compression,
  body: Buffer<ArrayBuffer>,
  { bytesMax, takeTurn, signal: signalOf }: DecodeOptions,
): Promise<Buffer<ArrayBuffer>> {
  const signal = signalOf()
  const size = decodedSize(encoding, body, bytesMax)
  if (encoding === 'zstd' && size.bytes === 0 && zstdFrames(body).length === 0) {
    return Buffer.alloc(0)
  }
  // A body of several parts may tell the size of the last one only; then it is begun once more.
  for (const bytes of size.bytes < bytesMax ? [size.bytes, bytesMax] : [bytesMax]) {
    const endTurn = await takeTurn(bytes).catch(refusal => {
      freeMemory(body) // The collector would let it lie, with those of all others that are refused.
      throw refusal
    })
    let decodedBytes: number | undefined
    try {
      const firstBytes = size.isExact ? bytes : Math.min(bytes, usualRatio * body.length)
      const room = new Room(firstBytes, bytes)
      if (await fill(room, decoderOf(encoding, body, bytes), signal)) {
        freeMemory(body) // No decoder reads it any more, as it may when one was stopped.
        decodedBytes = room.bytes.length
        return room.bytes
      }
    } finally {
      endTurn(decodedBytes)
    }
  }
  throw bodyTooLarge(bytesMax)
}

/** Whether all of what `decoder` returns fitted into `room`. */
async function fill(room: Room, { stream, check }: Decoder, signal: AbortSignal): Promise<boolean> {
  try {
    signal.throwIfAborted()
    let last: Buffer<ArrayBuffer> | undefined
    for await (const piece of stream as AsyncIterable<Buffer<ArrayBuffer>>) {
      signal.throwIfAborted()
      if (!room.add(piece)) {
        room.free()
        return false
      }
      // The stream continues in memory that it has not filled.
      if (piece.byteOffset + piece.length === piece.buffer.byteLength) freeMemory(piece)
      last = piece
    }
    if (last?.buffer.detached === false) last.buffer.transfer(0)
    check()
    return true
  } catch (error) {
    room.free()
    throw error
  }
}

interface Decoder {
  readonly stream: DecoderStream
  /** Throws when the stream has ended before the body. */
  readonly check: () => void
}

function decoderOf(encoding: Compression, body: Buffer, decodedBytesMax: number): Decoder {
  const chunkSize = Math.min(Math.max(decodedBytesMax, pieceBytesMin), pieceBytesMax)
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

/** What is decoded so far. */
class Room {
  readonly #bytesMax: number
  #buffer: Buffer<ArrayBuffer>
  #length = 0

  constructor(firstBytes: number, bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#buffer = Buffer.allocUnsafeSlow(firstBytes)
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }

  /** False when it is too much: then nothing is added. */
  add(piece: Buffer): boolean {
    const length = this.#length + piece.length
    if (length > this.#bytesMax) return false
    if (length > this.#buffer.length) this.#grow(length)
    this.#buffer.set(piece, this.#length)
    this.#length = length
    return true
  }

  free(): void {
    freeMemory(this.#buffer)
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.min(Math.max(2 * bytes, pieceBytesMin), this.#bytesMax),
    )
    larger.set(this.bytes)
    freeMemory(this.#buffer)
    this.#buffer = larger
  }
}
