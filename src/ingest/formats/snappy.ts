/**
 * Snappy's raw format undone: the length of the whole, then literals and copies of what came before.
 *
 * Source: github.com/google/snappy, format_description.txt. Our own, because the decoder of npm's `snappyjs`
 * 0.7.0 goes on for ever on a literal of 2^31 bytes, and does not notice a text that ends too early; and the
 * other packages are of native code.
 */

import { ProblemError } from '../../problems.ts'

/** Most pieces are of a few bytes. */
const shortBytes = 32

/** Bytes of a length of 32 bits, seven in each. */
const lengthBytesMax = 5

/** The shortest piece says in 3 bytes to copy 64: nothing becomes more than this many times its bytes. */
const growthMax = 64 / 3

/** How many bytes `body` says that it becomes, if it can. Throws `encoding_broken`. */
export function snappyLength(body: Buffer): number {
  return readLength(body).length
}

function readLength(body: Buffer): { readonly length: number; readonly end: number } {
  let length = 0
  for (let at = 0; at < Math.min(body.length, lengthBytesMax); at++) {
    length += (body[at]! & 0x7f) * 2 ** (7 * at)
    if (body[at]! >= 0x80) continue
    // No room is taken for what is not there.
    if (length > growthMax * body.length) break
    return { length, end: at + 1 }
  }
  throw broken()
}

/** What `body` becomes: as many bytes as `snappyLength` says. Throws `encoding_broken`. */
export function undoSnappy(body: Buffer): Buffer<ArrayBuffer> {
  const { length, end } = readLength(body)
  const undone = Buffer.allocUnsafeSlow(length)
  let to = 0
  for (let at = end; at < body.length; ) {
    const tag = body[at]!
    const kind = tag & 3
    if (kind === 0) {
      const lengthBytes = Math.max(0, (tag >> 2) - 59)
      if (at + lengthBytes >= body.length) throw broken()
      const count = 1 + (lengthBytes === 0 ? tag >> 2 : body.readUIntLE(at + 1, lengthBytes))
      const from = at + 1 + lengthBytes
      if (from + count > body.length || to + count > length) throw broken()
      if (count > shortBytes) body.copy(undone, to, from, from + count)
      else for (let i = 0; i < count; i++) undone[to + i] = body[from + i]!
      at = from + count
      to += count
      continue
    }
    const offsetBytes = kind === 3 ? 4 : kind
    if (at + offsetBytes >= body.length) throw broken()
    const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const low = body.readUIntLE(at + 1, offsetBytes)
    const offset = kind === 1 ? ((tag >> 5) << 8) | low : low
    if (offset === 0 || offset > to || to + count > length) throw broken()
    // Byte by byte where a copy reads what it has just written, and where a call would take longer.
    if (offset >= count && count > shortBytes)
      undone.copyWithin(to, to - offset, to - offset + count)
    else for (let i = 0; i < count; i++) undone[to + i] = undone[to + i - offset]!
    at += 1 + offsetBytes
    to += count
  }
  if (to !== length) throw broken()
  return undone
}

function broken(): ProblemError {
  return new ProblemError('encoding_broken', 'the body is not whole and valid snappy')
}
