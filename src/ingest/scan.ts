/**
 * Finds where a JSON value ends, without reading it.
 *
 * One pass over the bytes, about a nanosecond each, that also learns what must be known before
 * `JSON.parse` may see the value, or what `JSON.parse` would change without a word: nesting too deep
 * to parse, numbers that a double cannot hold, halves of surrogate pairs. It is tolerant: whether
 * the value is JSON is for `JSON.parse` to say. It stops early only where the value is certainly
 * torn and a sound value may follow:
 *
 * - at a line end inside a string, where JSON allows none;
 * - at a bracket that opens on a later line than the byte before it, where that byte allows no value
 *   (it is not `:`, nor `,` or `[` of an array): so a line that was cut off does not swallow the next.
 */

import { limits } from '../limits.ts'
import { byte, isDigit, isOpener, isSpace, skipSpace } from './bytes.ts'
import { exactDigitsMax, isExact } from './numbers.ts'

/** Levels whose kind of bracket is remembered; deeper ones, refused anyway, are only counted. */
const kindsMax = limits.eventDepthMax + 1

/** One for all scanners: a scan is never interrupted by another. */
const kinds = new Uint8Array(kindsMax)

/** Reused from value to value: its fields tell about the value that was scanned last. */
export class ValueScanner {
  /** The byte after the value; for a torn value, the byte at which that is certain. */
  end = 0
  /** False for a torn value. */
  isClosed = false
  /** Whether all bytes of the value are below 0x80. */
  isAscii = true
  /** Offset of the first bracket that opens deeper than the limit; -1 without one. */
  tooDeepOffset = -1
  hasInexactNumber = false
  /** Whether an escape of U+D000 to U+DFFF occurs: perhaps half of a surrogate pair. */
  hasSurrogateEscape = false
  /** Whether a name begins with a digit, or with an escape of one: such names JavaScript may reorder. */
  mayReorder = false

  readonly #body: Buffer
  readonly #whenTooDeep: 'stop' | 'go on'
  readonly #depthMax: number

  /** Who needs the end of a value that is too deep anyway says `go on`. */
  constructor(
    body: Buffer,
    whenTooDeep: 'stop' | 'go on',
    depthMax: number = limits.eventDepthMax,
  ) {
    this.#body = body
    this.#whenTooDeep = whenTooDeep
    this.#depthMax = depthMax
  }

  /** Scans the value that begins at `start` (no white space there) and goes no further than `end`. */
  scan(start: number, end: number): void {
    const body = this.#body
    this.isClosed = false
    this.tooDeepOffset = -1
    this.hasInexactNumber = false
    this.hasSurrogateEscape = false
    this.mayReorder = false
    let bits = 0
    let depth = 0
    let offset = start

    while (offset < end) {
      const current = body[offset]!
      if (current === byte.quote) {
        offset += 1
        const first = body[offset]
        let isStringClosed = false
        while (offset < end) {
          const inside = body[offset]!
          if (inside === byte.quote) {
            isStringClosed = true
            break
          }
          if (inside === byte.newline) {
            break
          }
          bits |= inside
          offset += inside === byte.backslash ? this.#escapeLength(offset, end) : 1
        }
        if (!isStringClosed) {
          break
        }
        offset += 1
        if (depth === 0) {
          this.isClosed = true
          break
        }
        if (isDigit(first) || first === byte.backslash) this.#noteName(offset, end)
      } else if (current === byte.braceOpen || current === byte.bracketOpen) {
        if (depth > 0 && this.#isTornBefore(offset, start, depth)) {
          break
        }
        depth += 1
        if (depth < kindsMax) {
          kinds[depth] = current
        }
        if (depth > this.#depthMax && this.tooDeepOffset < 0) {
          this.tooDeepOffset = offset
          if (this.#whenTooDeep === 'stop') {
            break
          }
        }
        offset += 1
      } else if (current === byte.braceClose || current === byte.bracketClose) {
        offset += 1
        depth = depthAfter(current, depth)
        if (depth <= 0) {
          this.isClosed = true
          break
        }
      } else if (current === byte.minus || (current >= byte.zero && current <= byte.nine)) {
        offset = this.#scanNumber(offset, end)
        if (depth === 0) {
          this.isClosed = true
          break
        }
      } else {
        bits |= current
        offset += 1
      }
    }
    this.end = offset
    this.isAscii = bits < 0x80
  }

  /** Notes a string that ends before `offset` and whose first character may be a digit. */
  #noteName(offset: number, end: number): void {
    this.mayReorder ||= this.#body[skipSpace(this.#body, offset, end)] === byte.colon
  }

  /** How many bytes the escape at `offset` takes: never past `end`, never over a line end. */
  #escapeLength(offset: number, end: number): number {
    const escaped = this.#body[offset + 1]
    if (offset + 1 >= end || escaped === byte.newline || escaped! >= 0x80) {
      return 1
    }
    if (escaped === byte.lowerU && (this.#body[offset + 2]! | 0x20) === byte.lowerD) {
      this.hasSurrogateEscape = true
    }
    return 2
  }

  /** Goes past the number at `start`; decides about its exactness only when that is in doubt. */
  #scanNumber(start: number, end: number): number {
    const body = this.#body
    let offset = start + 1
    let digitCount = body[start] === byte.minus ? 0 : 1
    let hasExponent = false
    while (offset < end) {
      const current = body[offset]!
      if (current >= byte.zero && current <= byte.nine) {
        digitCount += 1
      } else if ((current | 0x20) === byte.lowerE) {
        hasExponent = true
      } else if (current !== byte.dot && current !== byte.minus && current !== byte.plus) {
        break
      }
      offset += 1
    }
    if ((digitCount > exactDigitsMax || hasExponent) && !this.hasInexactNumber) {
      this.hasInexactNumber = !isExact(body.toString('latin1', start, offset))
    }
    return offset
  }

  /** Whether the bracket at `offset`, inside the value, shows that a line above it was cut off. */
  #isTornBefore(offset: number, start: number, depth: number): boolean {
    const body = this.#body
    let before = offset - 1
    let hasLineEnd = false
    while (before > start && isSpace(body[before])) {
      hasLineEnd = hasLineEnd || body[before] === byte.newline
      before -= 1
    }
    if (!hasLineEnd) {
      return false // `JSON.parse` will refuse what is wrong here, and only this value is lost.
    }
    const previous = body[before]
    const isInArray = depth >= kindsMax || kinds[depth] === byte.bracketOpen
    const mayOpen =
      previous === byte.colon ||
      (isInArray && (previous === byte.comma || previous === byte.bracketOpen))
    return !mayOpen
  }
}

/**
 * The depth that a closing bracket leaves. One that does not fit closes what was left open inside of
 * its partner, and without a partner just closes: the value is broken, but it should end.
 */
function depthAfter(closer: number, depth: number): number {
  const opener = closer - 2 // In ASCII, of both kinds.
  for (let partner = depth; partner > 0 && partner < kindsMax; partner -= 1) {
    if (kinds[partner] === opener) {
      return partner - 1
    }
  }
  return depth - 1
}

/**
 * The end of a run of bytes that is not a string, an object or an array: a number or a word, or
 * stray punctuation. Never empty.
 */
export function tokenEnd(body: Buffer, start: number, end: number): number {
  const isWord = isWordByte(body[start])
  let offset = start + 1
  while (offset < end && isWord && isWordByte(body[offset])) {
    offset += 1
  }
  return offset
}

/** Whether a byte can be part of a number or a word. */
export function isWordByte(value: number | undefined): boolean {
  return !(
    isSpace(value) ||
    isOpener(value) ||
    value === byte.quote ||
    value === byte.comma ||
    value === byte.colon ||
    value === byte.braceClose ||
    value === byte.bracketClose
  )
}
