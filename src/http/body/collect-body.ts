/**
 * The bytes of a request's body within a size limit: from the socket into one buffer of its own, or, of
 * a small body, into one that all requests of a turn share.
 */

import { freeMemory } from '../../columns/growing-array.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { NativeResponse } from '../native.ts'
import type { RequestHead } from '../request-head.ts'
import { copyOf, type Turn } from '../turn.ts'
import type { SharedReading } from './shared-reading.ts'
import type { SpareBuffers } from './spare-buffers.ts'

/** The problem of a body of more than `bytesMax` bytes, on the wire or decoded. */
export function bodyTooLarge(bytesMax: number): ProblemError {
  return new ProblemError('body_too_large', `expected at most ${bytesMax} bytes, came more`)
}

/**
 * What may still come of a body that will not be read: `some` is thrown away as it comes, `much` is
 * too long even for that, or of unknown length.
 */
export type Unread = 'nothing' | 'some' | 'much'

/** What may still come after this head, if nothing of its body is read. */
export function unreadBody({
  announced,
  isChunked,
}: Pick<RequestHead, 'announced' | 'isChunked'>): Unread {
  if (announced === undefined) {
    return isChunked ? 'much' : 'nothing'
  }
  if (announced === 0) {
    return 'nothing'
  }
  return announced <= limits.refusedBodyBytesMax ? 'some' : 'much'
}

export interface CollectOptions {
  /** Its `Content-Length`; at most `bytesMax`. */
  readonly announced: number | undefined
  readonly bytesMax: number
  /** Called before this many bytes of memory are taken, other than for a body in one piece. */
  readonly reserve: (bytes: number) => void
  /** Of a body in one piece: so large a one is reserved too. Absent: none is. */
  readonly reservedBytesMin?: number | undefined
  /** A body of up to as many bytes as it takes so that comes in one piece is only lent, by `turn`. */
  readonly lentBytesMax: number
  readonly turn: Pick<Turn, 'lend'>
  readonly sharedReading: SharedReading
  /** Where a body in several pieces has its memory from, and returns it when it is refused. */
  readonly buffers: Pick<SpareBuffers, 'take' | 'giveBack'>
  /** What a sender hears whose body was not kept, because so many came at once. Absent: all are kept. */
  readonly crowdedOut?: (() => unknown) | undefined
  /** Called with the whole body, in a buffer that is the callee's to keep unless it is lent. */
  readonly onBody: (body: Buffer<ArrayBuffer>) => void
  /** Called instead with what `reserve` threw, or as soon as more than `bytesMax` came; or with what
   *  `crowdedOut` returned, when the body is over and nothing of it is unread. */
  readonly onRefused: (error: unknown, isOver: boolean) => void
}

/** Where a body of unknown length begins to grow, by doubling. */
const unknownLengthBytes = 16 * 1024

/**
 * Collects the body of the request that `response` belongs to. Must be called before the native
 * handler returns, with an abort handler attached: after an abort no callback is called, and the
 * handler takes the response out of `sharedReading`.
 */
export function collectBody(
  response: Pick<NativeResponse, 'onData' | 'pause' | 'resume'>,
  { announced, bytesMax, lentBytesMax, turn, sharedReading, ...options }: CollectOptions,
): void {
  const { reserve, reservedBytesMin = Number.POSITIVE_INFINITY, onBody, onRefused } = options
  const { crowdedOut, buffers } = options
  let collected: Buffer<ArrayBuffer> | undefined
  let reservedBytes = 0
  let length = 0
  let isOver = false
  let isThrownAway = false

  response.onData((chunk, isLast) => {
    if (isOver) {
      return
    }
    if (length === 0 && !isLast && crowdedOut !== undefined && sharedReading.isCrowded)
      isThrownAway = true
    if (isThrownAway) {
      throwAway(chunk.byteLength, isLast)
      return
    }
    // The chunk's memory dies with this call, hence the copies.
    const isSmall = chunk.byteLength <= bytesMax && chunk.byteLength < reservedBytesMin
    if (isLast && collected === undefined && isSmall) {
      isOver = true
      onBody(chunk.byteLength <= lentBytesMax ? turn.lend(chunk) : copyOf(chunk))
      return
    }
    try {
      collected = makeRoom(length + chunk.byteLength)
    } catch (error) {
      isOver = true
      if (collected !== undefined) buffers.giveBack(collected)
      collected = undefined
      sharedReading.delete(response)
      onRefused(error, false)
      return
    }
    collected.set(new Uint8Array(chunk), length)
    length += chunk.byteLength
    if (isLast) {
      isOver = true
      sharedReading.delete(response)
      onBody(collected.length === length ? collected : collected.subarray(0, length))
    } else {
      sharedReading.add(response, chunk.byteLength, 'kept')
    }
  })

  /** Reads on in turn with the others, so that the sender, who reads no answer before, hears of it. */
  function throwAway(bytes: number, isLast: boolean): void {
    length += bytes
    isOver = isLast || length > bytesMax
    if (!isOver) {
      sharedReading.add(response, bytes, 'thrown-away')
      return
    }
    sharedReading.delete(response)
    if (isLast) onRefused(crowdedOut!(), true)
    else onRefused(bodyTooLarge(bytesMax), false)
  }

  /**
   * What is collected, in a buffer that holds at least `bytes`: in memory that another body had, if there is
   * some. Otherwise, of a body of known length, of which the first piece is less than half, that piece has
   * memory of its own, and all of it only the next one: of hundreds that come in one moment many will be
   * refused, or wait for their turn to be read. Any other has memory for all at once, of which the system
   * gives no more than is written to.
   */
  function makeRoom(bytes: number): Buffer<ArrayBuffer> {
    if (bytes > bytesMax) {
      throw bodyTooLarge(bytesMax)
    }
    if (collected !== undefined && bytes <= collected.length) {
      return collected
    }
    if (bytes > reservedBytes) {
      const grown = Math.min(Math.max(2 * bytes, unknownLengthBytes), bytesMax)
      const room = announced ?? grown
      reserve(room - reservedBytes)
      reservedBytes = room
    }
    const isFirstOfKnown = collected === undefined && announced !== undefined
    const isFew = isFirstOfKnown && 2 * bytes < announced
    const room = isFew ? bytes : reservedBytes
    const buffer = buffers.take(room) ?? Buffer.allocUnsafe(room)
    collected?.copy(buffer, 0, 0, length)
    if (collected !== undefined) freeMemory(collected)
    return buffer
  }
}
