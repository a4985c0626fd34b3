/**
 * Decodes a body that is not small, piece by piece in Node's threads, into memory that was asked for
 * first: see `decoder-queue.ts`.
 */

import { freeMemory } from '../../columns/growing-array.ts'
import { usualBodyBytesMax } from '../../ingest/body-memory.ts'
import type { DecodedBody } from '../../ingest/sealed-body.ts'
import { bodyTooLarge } from './collect-body.ts'
import { type Compression, type DecodedSize, decodedSize } from './decoded-size.ts'
import { decoderOf, takePieces } from './decoder.ts'
import { type DecoderKind, decoderKind } from './decoder-kind.ts'
import type { EndDecoding } from './decoder-queue.ts'
import type { LargeDecoder } from './large-decoder.ts'
import { zstdFrames } from './zstd-frames.ts'

export type { Compression } from './decoded-size.ts'

export interface DecodeOptions {
  /** Of the decoded body. */
  readonly bytesMax: number
  /** Resolves in a turn of the event loop in which no other body is begun. */
  readonly ownTurn: () => Promise<void>
  /** Throws when a body of that kind would be refused now. */
  readonly checkPlace: (kind: DecoderKind) => void
  /** Waits until a body may be decoded that becomes at most this many bytes. */
  readonly takeTurn: (kind: DecoderKind, decodedBytes: number) => Promise<EndDecoding>
  /** Stops it, at the next piece: nobody waits for the body any more. */
  readonly signal: () => AbortSignal
  /** Takes the memory of a body that nobody reads any more. */
  readonly giveBack: (body: Buffer<ArrayBuffer>) => void
  /** Of those that are decoded as large ones. */
  readonly largeDecoder: Pick<LargeDecoder, 'decode'>
}

/** Each piece comes back to the main thread: fewer, larger ones cost less. A decoder that is stopped
 *  finishes the one that it is at. */
const pieceBytesMax = 256 * 1024
const pieceBytesMin = 16 * 1024

/** Where the result begins to grow, for each byte of the body, when its size is not known. */
const usualRatio = 8

/**
 * The decoded body, in memory of its own, a large one sealed; that of `body` is returned. Rejects with
 * `body_too_large`, with what `takeTurn` throws or the signal's reason, or with the decoder's own error.
 */
export async function decodeLater(
  encoding: Compression,
  body: Buffer<ArrayBuffer>,
  { bytesMax, ownTurn, checkPlace, takeTurn, signal: signalOf, ...options }: DecodeOptions,
): Promise<DecodedBody> {
  await ownTurn()
  const signal = signalOf()
  const { giveBack, largeDecoder } = options
  const encodedBytes = body.length
  try {
    // Before more is read of it than tells that it is large.
    const { bytes } = decodedSize(encoding, body, Math.min(bytesMax, usualBodyBytesMax + 1))
    checkPlace(decoderKind(encodedBytes, bytes))
  } catch (refusal) {
    giveBack(body) // The collector would let it lie, with those of all others that are refused.
    throw refusal
  }
  const size = decodedSize(encoding, body, bytesMax)
  if (encoding === 'zstd' && size.bytes === 0 && zstdFrames(body).length === 0) {
    return Buffer.alloc(0)
  }
  // A body of several parts may tell the size of the last one only; then it is begun once more.
  for (const bytes of size.bytes < bytesMax ? [size.bytes, bytesMax] : [bytesMax]) {
    const kind = decoderKind(encodedBytes, bytes)
    const endTurn = await takeTurn(kind, bytes).catch(refusal => {
      giveBack(body)
      throw refusal
    })
    let decoded: DecodedBody | undefined
    try {
      decoded =
        kind === 'large'
          ? await largeDecoder.decode(encoding, body, bytes, signal)
          : await decodeBeside(encoding, body, bytes, { size, signal })
      if (decoded === undefined) continue
      giveBack(body) // No decoder reads it any more, as it may when one was stopped.
      return decoded
    } finally {
      endTurn(decoded?.length)
    }
  }
  throw bodyTooLarge(bytesMax)
}

/** Undefined when it is more than `bytesMax`. */
async function decodeBeside(
  encoding: Compression,
  body: Buffer<ArrayBuffer>,
  bytesMax: number,
  { size, signal }: { readonly size: DecodedSize; readonly signal: AbortSignal },
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunkSize = Math.min(Math.max(bytesMax, pieceBytesMin), pieceBytesMax)
  const firstBytes = size.isExact ? bytesMax : Math.min(bytesMax, usualRatio * body.length)
  const room = new Room(firstBytes, bytesMax)
  try {
    signal.throwIfAborted()
    const isWhole = await takePieces(decoderOf(encoding, body, chunkSize), piece => {
      signal.throwIfAborted()
      return room.add(piece)
    })
    if (isWhole) return room.bytes
  } catch (error) {
    room.free()
    throw error
  }
  room.free()
  return undefined
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
