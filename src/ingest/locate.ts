/**
 * Says where, and why, a text is not JSON (RFC 8259).
 *
 * Engines word their errors as they like and often leave the place out, so after `JSON.parse` has
 * refused a text, this reads it once more by the grammar. It runs on refused texts only and keeps
 * its own stack, so that no nesting can exhaust the engine's.
 */

import { byte, escapedBytes, isDigit, skipSpace } from './bytes.ts'
import { words } from './json-words.ts'

export interface Mistake {
  /** Bytes from the start of the body to the first byte that cannot be; the end, for a cut text. */
  readonly offset: number
  /** What the grammar allows there, as part of a sentence. */
  readonly expected: string
}

const literals: readonly Buffer[] = Object.values(words)

/** The first mistake of `body` between `start` and `end`, read as one JSON value; or undefined. */
export function findMistake(body: Buffer, start: number, end: number): Mistake | undefined {
  return new Grammar(body, end).value(start)
}

/** What the body has at `offset`, as part of a sentence. */
export function describeAt(body: Buffer, offset: number, end: number): string {
  if (offset >= end) {
    return 'the end of the text'
  }
  const [character] = body.toString('utf8', offset, Math.min(end, offset + 4))
  return JSON.stringify(character)
}

class Grammar {
  readonly #body: Buffer
  readonly #end: number
  #mistake: Mistake | undefined

  constructor(body: Buffer, end: number) {
    this.#body = body
    this.#end = end
  }

  /** Walks one value and what follows it. Methods below return the next offset, or -1. */
  value(start: number): Mistake | undefined {
    const body = this.#body
    const closers: number[] = []
    let offset = skipSpace(body, start, this.#end)
    let mayClose = false // Directly after an opening bracket, the closing one may follow.

    for (;;) {
      const closer = closers.at(-1)
      if (mayClose && body[offset] === closer && offset < this.#end) {
        closers.pop()
        offset += 1
      } else {
        if (closer === byte.braceClose) {
          offset = this.#name(offset, mayClose)
          if (offset < 0) {
            return this.#mistake
          }
        }
        const current = offset < this.#end ? body[offset] : undefined
        if (current === byte.braceOpen || current === byte.bracketOpen) {
          closers.push(current === byte.braceOpen ? byte.braceClose : byte.bracketClose)
          offset = skipSpace(body, offset + 1, this.#end)
          mayClose = true
          continue
        }
        const isArrayStart = mayClose && closer === byte.bracketClose
        offset = this.#scalar(offset, isArrayStart ? 'a value or "]"' : 'a value')
        if (offset < 0) {
          return this.#mistake
        }
      }
      offset = this.#afterValue(offset, closers)
      if (offset < 0) {
        return this.#mistake // Undefined when the value is sound.
      }
      mayClose = false
    }
  }

  /** Closes brackets after a value, up to the comma before the next one. */
  #afterValue(start: number, closers: number[]): number {
    let offset = skipSpace(this.#body, start, this.#end)
    for (;;) {
      const closer = closers.at(-1)
      const current = offset < this.#end ? this.#body[offset] : undefined
      if (closer === undefined) {
        return current === undefined ? -1 : this.#fail(offset, 'nothing more after the value')
      }
      if (current === byte.comma) {
        return skipSpace(this.#body, offset + 1, this.#end)
      }
      if (current !== closer) {
        return this.#fail(offset, closer === byte.braceClose ? '"," or "}"' : '"," or "]"')
      }
      closers.pop()
      offset = skipSpace(this.#body, offset + 1, this.#end)
    }
  }

  /** Walks a member's name and its colon. */
  #name(start: number, mayClose: boolean): number {
    if (this.#body[start] !== byte.quote || start >= this.#end) {
      return this.#fail(
        start,
        mayClose ? 'a name in double quotes or "}"' : 'a name in double quotes',
      )
    }
    const end = this.#string(start)
    if (end < 0) {
      return end
    }
    const colon = skipSpace(this.#body, end, this.#end)
    if (this.#body[colon] !== byte.colon || colon >= this.#end) {
      return this.#fail(colon, '":" after the name')
    }
    return skipSpace(this.#body, colon + 1, this.#end)
  }

  #scalar(start: number, expected: string): number {
    const current = start < this.#end ? this.#body[start] : undefined
    if (current === byte.quote) {
      return this.#string(start)
    }
    if (current === byte.minus || isDigit(current)) {
      return this.#number(start)
    }
    const literal = literals.find(word => word[0] === current)
    if (literal === undefined) {
      return this.#fail(start, expected)
    }
    for (let index = 1; index < literal.length; index += 1) {
      const offset = start + index
      if (offset >= this.#end || this.#body[offset] !== literal[index]) {
        return this.#fail(offset, `the rest of "${literal.toString()}"`)
      }
    }
    return start + literal.length
  }

  #string(start: number): number {
    const body = this.#body
    let offset = start + 1
    while (offset < this.#end) {
      const current = body[offset]!
      if (current === byte.quote) {
        return offset + 1
      }
      if (current < byte.space) {
        return this.#fail(offset, 'control characters in a string to be escaped')
      }
      offset += 1
      if (current === byte.backslash) {
        offset = this.#escape(offset)
        if (offset < 0) {
          return offset
        }
      }
    }
    return this.#fail(this.#end, 'the double quote that ends the string')
  }

  /** Walks an escape from the byte after the backslash. */
  #escape(start: number): number {
    if (start >= this.#end) {
      return this.#fail(start, 'the double quote that ends the string')
    }
    const kind = this.#body[start]!
    if (kind !== byte.lowerU) {
      return escapedBytes[kind] === 0 ? this.#fail(start, 'an escape that JSON has') : start + 1
    }
    for (let offset = start + 1; offset < start + 5; offset += 1) {
      const isHex = /[0-9a-fA-F]/.test(String.fromCharCode(this.#body[offset] ?? 0))
      if (offset >= this.#end || !isHex) {
        return this.#fail(offset, 'four hexadecimal digits after "\\u"')
      }
    }
    return start + 5
  }

  #number(start: number): number {
    let offset = this.#body[start] === byte.minus ? start + 1 : start
    const isZero = this.#body[offset] === byte.zero && offset < this.#end
    offset = isZero ? offset + 1 : this.#digits(offset, 'a digit')
    if (offset >= 0 && offset < this.#end && this.#body[offset] === byte.dot) {
      offset = this.#digits(offset + 1, 'a digit after the decimal point')
    }
    if (offset >= 0 && offset < this.#end && (this.#body[offset]! | 0x20) === byte.lowerE) {
      const sign = this.#body[offset + 1]
      const hasSign = sign === byte.minus || sign === byte.plus
      offset = this.#digits(offset + (hasSign ? 2 : 1), 'a digit in the exponent')
    }
    return offset
  }

  /** Walks one digit or more. */
  #digits(start: number, expected: string): number {
    let offset = start
    while (offset < this.#end && isDigit(this.#body[offset])) {
      offset += 1
    }
    return offset === start ? this.#fail(Math.min(start, this.#end), expected) : offset
  }

  #fail(offset: number, expected: string): -1 {
    this.#mistake = { offset: Math.min(offset, this.#end), expected }
    return -1
  }
}
