/** Texts whose bytes in JSON are not yet those of the value, made into these in memory of our own. */

import { byte, escapedBytes, isSpace } from '../bytes.ts'

const bytesAtFirst = 1_024
const bytesKept = 64 * 1_024

/** What the last call made is there until the next one. */
export class DirectText {
  bytes = Buffer.allocUnsafeSlow(bytesAtFirst)

  /**
   * Resolves the escapes of the string whose inside is between `start` and `end` of `body`, known to be
   * sound and without surrogates. Returns the length of the result, in bytes.
   */
  unescape(body: Buffer, start: number, end: number): number {
    const target = this.#room(end - start)
    let length = 0
    for (let offset = start; offset < end; offset++) {
      const current = body[offset]!
      if (current !== byte.backslash) {
        target[length++] = current
        continue
      }
      offset++
      const escaped = body[offset]!
      if (escaped === byte.lowerU) {
        length = writeUtf8(
          target,
          length,
          Number(`0x${body.toString('latin1', offset + 1, offset + 5)}`),
        )
        offset += 4
      } else {
        target[length++] = escapedBytes[escaped]!
      }
    }
    return length
  }

  /** Leaves out the white space of sound JSON that is outside of strings; returns the length. */
  compact(body: Buffer, start: number, end: number): number {
    const target = this.#room(end - start)
    let length = 0
    let isInString = false
    for (let offset = start; offset < end; offset++) {
      const current = body[offset]!
      if (!isInString && isSpace(current)) continue
      target[length++] = current
      if (current === byte.quote) isInString = !isInString
      else if (current === byte.backslash) target[length++] = body[++offset]!
    }
    return length
  }

  /** Releases much memory. */
  letGo(): void {
    if (this.bytes.length > bytesKept) this.bytes = Buffer.allocUnsafeSlow(bytesAtFirst)
  }

  #room(bytes: number): Buffer {
    if (bytes > this.bytes.length) this.bytes = Buffer.allocUnsafeSlow(2 * bytes)
    return this.bytes
  }
}

/** Writes a code point of the basic plane. */
function writeUtf8(target: Buffer, at: number, codePoint: number): number {
  if (codePoint < 0x80) {
    target[at] = codePoint
    return at + 1
  }
  if (codePoint < 0x800) {
    target[at] = 0xc0 | (codePoint >> 6)
    target[at + 1] = 0x80 | (codePoint & 0x3f)
    return at + 2
  }
  target[at] = 0xe0 | (codePoint >> 12)
  target[at + 1] = 0x80 | ((codePoint >> 6) & 0x3f)
  target[at + 2] = 0x80 | (codePoint & 0x3f)
  return at + 3
}
