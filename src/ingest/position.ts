/**
 * Places in a body, for the errors that name them.
 *
 * `offset` counts bytes of the (decoded) body from 0; `line` counts newlines from 1; `column` counts
 * characters (code points) of the line from 1, as an editor does. A byte order mark counts as bytes
 * but not as a character.
 */

import type { Position } from '../problems.ts'
import { byte, byteOrderMarkBytes } from './bytes.ts'

/** Counts on from the last place asked for, so that a body of errors costs one pass over it. */
export class PositionCounter {
  readonly #body: Buffer
  #offset = 0
  #line = 1
  #column = 1

  constructor(body: Buffer) {
    this.#body = body
    this.#offset = byteOrderMarkBytes(body)
  }

  at(offset: number): Position {
    if (offset < this.#offset) {
      this.#offset = byteOrderMarkBytes(this.#body)
      this.#line = 1
      this.#column = 1
    }
    for (; this.#offset < offset; this.#offset += 1) {
      const current = this.#body[this.#offset]!
      if (current === byte.newline) {
        this.#line += 1
        this.#column = 1
      } else if (!isContinuation(this.#body[this.#offset + 1])) {
        this.#column += 1 // At the last byte of each character.
      }
    }
    return { line: this.#line, column: this.#column, offset }
  }
}

/** The first offset between `start` and `end` at which the bytes are not UTF-8 (RFC 3629); or -1. */
export function findBadUtf8(body: Buffer, start: number, end: number): number {
  let offset = start
  while (offset < end) {
    const length = characterLength(body, offset, end)
    if (length === 0) {
      return offset
    }
    offset += length
  }
  return -1
}

/** Bytes of the character at `offset`; 0 when there is no well-formed one. */
function characterLength(body: Buffer, offset: number, end: number): number {
  const first = body[offset]!
  if (first < 0x80) {
    return 1
  }
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || offset + length > end) {
    return 0
  }
  for (let index = 1; index < length; index += 1) {
    if (!isContinuation(body[offset + index])) {
      return 0
    }
  }
  const second = body[offset + 1]!
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isSurrogate = first === 0xed && second > 0x9f
  const isPastUnicode = first === 0xf4 && second > 0x8f
  return isOverlong || isSurrogate || isPastUnicode ? 0 : length
}

function isContinuation(value: number | undefined): boolean {
  return value !== undefined && (value & 0xc0) === 0x80
}
