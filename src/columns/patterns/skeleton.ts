/**
 * What of a message decides of which kind it is: its words, but `0` in the place of each that varies by
 * its form, and what parts them.
 *
 * A word that has a digit, and one of eight or more hexadecimal letters, always varies. Texts are taken as
 * bytes (latin1), as templates are, so that the same skeleton comes of a message and of its template with
 * its variables put in. Only the begin of a message counts: its first line, or of a JSON object all
 * lines, and at most 1,000 bytes of the skeleton. ` 0` stands for what follows.
 */

import { byteKinds, digitKind, separatorKind } from '../words.ts'

/** Stands for what varies: templates have the same mark, and no skeleton has another digit. */
export const mark = '0'
const markByte = 0x30

/** More is no kind of message, and would have to be looked at for each. */
const lengthMax = 1_000

/** The room that a skeleton takes, with what stands for the rest. */
export const skeletonLengthMax = lengthMax + 2

/** A word of so many hexadecimal letters, all in one case, is a number. */
export const hexWordLengthMin = 8

const [tab, lineFeed, carriageReturn, space, openBrace] = [0x09, 0x0a, 0x0d, 0x20, 0x7b]

/** Which letters a hexadecimal number in lower, and in upper case does not have. */
const notLowerHex = 1
const notUpperHex = 2
const hexKinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isLower = byte >= 0x61 && byte <= 0x66
  const isUpper = byte >= 0x41 && byte <= 0x46
  return (isLower ? 0 : notLowerHex) | (isUpper ? 0 : notUpperHex)
})

/** Whether the word in `bytes[start, end)` always varies. */
export function isVaryingWord(bytes: Uint8Array, start: number, end: number): boolean {
  let hexKind = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byteKinds[byte] === digitKind) return true
    hexKind |= hexKinds[byte]!
  }
  return end - start >= hexWordLengthMin && hexKind !== (notLowerHex | notUpperHex)
}

/** Of a byte in a word what it says of the word, or-ed for all; 0 for what is in none. */
const isWordByte = 4
const isDigit = 8
const wordBits = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byteKinds[byte] === separatorKind) return 0
  return isWordByte | hexKinds[byte]! | (byteKinds[byte] === digitKind ? isDigit : 0)
})
const anyLetters = isWordByte | notLowerHex | notUpperHex

/**
 * Writes the skeleton of the message in `bytes[start, end)` to the front of `into`, which has room for
 * `skeletonLengthMax`. Returns its length.
 */
export function writeSkeleton(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
): number {
  return end - start <= lengthMax
    ? writeOfShort(bytes, start, end, into)
    : writeOfAny(bytes, start, end, into)
}

/**
 * The same of a message that is itself no longer than a skeleton: bytes are written as they are read, and
 * those of a word that turns out to vary are taken back. To look at each once takes less time.
 */
function writeOfShort(bytes: Uint8Array, start: number, end: number, into: Uint8Array): number {
  let at = start
  while (at < end && isWhite(bytes[at]!)) at++
  const isObject = bytes[at] === openBrace && at < end
  let length = 0
  let wordFrom = 0
  let ofWord = 0
  while (at < end) {
    const byte = bytes[at]!
    const bits = wordBits[byte]!
    into[length++] = byte
    at++
    if (bits !== 0) {
      ofWord |= bits
      continue
    }
    if (varies(ofWord, length - 1 - wordFrom)) {
      into[wordFrom] = markByte
      into[wordFrom + 1] = byte
      length = wordFrom + 2
    }
    ofWord = 0
    wordFrom = length
    if (byte !== lineFeed || isObject) continue
    length--
    break
  }
  if (varies(ofWord, length - wordFrom)) {
    into[wordFrom] = markByte
    length = wordFrom + 1
  }
  return endSkeleton(into, length, hasMore(bytes, at, end))
}

/** Of a word by the bits of all its bytes, as `isVaryingWord`. */
function varies(bits: number, length: number): boolean {
  return bits >= isDigit || (bits !== anyLetters && length >= hexWordLengthMin)
}

/** The same of any, by the rule's words. */
export function writeOfAny(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
): number {
  let at = start
  while (at < end && isWhite(bytes[at]!)) at++
  const isObject = bytes[at] === openBrace && at < end
  let length = 0
  while (at < end && length < lengthMax) {
    const byte = bytes[at]!
    if (byteKinds[byte] === separatorKind) {
      if (byte === lineFeed && !isObject) break
      into[length++] = byte
      at++
      continue
    }
    const wordStart = at
    while (at < end && byteKinds[bytes[at]!] !== separatorKind) at++
    if (isVaryingWord(bytes, wordStart, at)) {
      into[length++] = markByte
      continue
    }
    at = Math.min(at, wordStart + lengthMax - length)
    for (let from = wordStart; from < at; from++) into[length++] = bytes[from]!
  }
  return endSkeleton(into, length, hasMore(bytes, at, end))
}

function hasMore(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && isWhite(bytes[at]!)) at++
  return at < end
}

function endSkeleton(into: Uint8Array, written: number, isMore: boolean): number {
  let length = written
  while (length > 0 && isWhite(into[length - 1]!)) length--
  if (!isMore) return length
  into[length++] = space
  into[length++] = markByte
  return length
}

function isWhite(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab
}

const room = Buffer.alloc(skeletonLengthMax)

/**
 * The skeleton of a message as latin1. Of a text with marks in the place of words that always vary, as a
 * template is with its other variables put in, it is the same one as of the message.
 */
export function skeletonOf(message: Uint8Array): string {
  return room.toString('latin1', 0, writeSkeleton(message, 0, message.length, room))
}
