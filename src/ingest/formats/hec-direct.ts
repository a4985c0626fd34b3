/**
 * Usual events of Splunk's collector, read where they stand, without an object on the way: what is around
 * `event` are texts without escapes, `event` is a text or an object, `time` has nothing beyond milliseconds.
 * Every other goes the plain way, `hec.ts`, which alone says what becomes of an event.
 */

import { byte, hasBytes, isDigit, skipSpace } from '../bytes.ts'
import { Attempts } from '../direct/attempts.ts'
import type { DirectReader } from '../direct/reader.ts'
import { msDigitsMax, msDigitsMin } from '../epoch.ts'

const nowhere = -1
/** Texts around an event; with more it goes the plain way. */
const aroundMax = 64

const names = {
  event: Buffer.from('event'),
  time: Buffer.from('time'),
  fields: Buffer.from('fields'),
} as const

/** In which Docker's driver has the message: see `hec.ts`. */
const dockerField = 'line'

export class HecDirect {
  readonly #direct: DirectReader
  readonly #attempts = new Attempts()
  #body: Buffer = Buffer.alloc(0)
  #end = 0
  /** Where the texts around the event are: begin and end of name and text. */
  readonly #around = new Int32Array(4 * aroundMax)
  #aroundCount = 0
  #timestamp: number | undefined
  #hasTime = false
  #hasFields = false
  /** The event: the inside of its text, or all of its object. */
  #eventStart = nowhere
  #eventEnd = 0
  #isText = false
  #isEscaped = false

  /** What is read is to be added by `direct`. */
  constructor(direct: DirectReader) {
    this.#direct = direct
  }

  /** As that of `DirectReader`. */
  read(body: Buffer, start: number, end: number, isKnownUtf8: boolean): number {
    if (!this.#attempts.isDue()) return nowhere
    this.#begin(body, start, end)
    const after = this.#readMembers(start + 1, true)
    const isRead =
      after !== nowhere && this.#direct.isText(start, after, isKnownUtf8) && this.#finish()
    return this.#attempts.note(isRead) ? after : this.#direct.letGo()
  }

  #begin(body: Buffer, start: number, end: number): void {
    this.#body = body
    this.#end = end
    this.#aroundCount = 0
    this.#timestamp = undefined
    this.#hasTime = false
    this.#hasFields = false
    this.#eventStart = nowhere
    this.#direct.begin(body, start, end)
  }

  /** Reads names and values from after a brace on; returns the offset after the closing one. */
  #readMembers(start: number, isTop: boolean): number {
    const body = this.#body
    for (let offset = this.#skipSpace(start); ; ) {
      if (body[offset] !== byte.quote) return nowhere
      const nameStart = offset + 1
      const nameEnd = this.#plainTextEnd(nameStart)
      if (nameEnd === nowhere) return nowhere
      offset = this.#skipSpace(nameEnd + 1)
      if (body[offset] !== byte.colon) return nowhere
      offset = this.#readMember(nameStart, nameEnd, this.#skipSpace(offset + 1), isTop)
      if (offset === nowhere) return nowhere
      offset = this.#skipSpace(offset)
      if (body[offset] === byte.braceClose) return offset + 1
      if (body[offset] !== byte.comma) return nowhere
      offset = this.#skipSpace(offset + 1)
    }
  }

  #readMember(nameStart: number, nameEnd: number, start: number, isTop: boolean): number {
    const body = this.#body
    if (isTop && hasBytes(body, nameStart, nameEnd, names.event)) return this.#readEvent(start)
    if (isTop && hasBytes(body, nameStart, nameEnd, names.time)) return this.#readTime(start)
    if (isTop && hasBytes(body, nameStart, nameEnd, names.fields)) return this.#readFields(start)
    const end = body[start] === byte.quote ? this.#plainTextEnd(start + 1) : nowhere
    if (end === nowhere || this.#aroundCount === aroundMax) return nowhere
    const at = 4 * this.#aroundCount++
    this.#around[at] = nameStart
    this.#around[at + 1] = nameEnd
    this.#around[at + 2] = start + 1
    this.#around[at + 3] = end
    return end + 1
  }

  #readEvent(start: number): number {
    if (this.#eventStart !== nowhere) return nowhere
    this.#isText = this.#body[start] === byte.quote
    if (this.#isText) return this.#readText(start + 1)
    if (this.#body[start] !== byte.braceOpen) return nowhere
    this.#eventStart = start
    this.#eventEnd = this.#direct.innerEnd(start)
    return this.#eventEnd
  }

  #readText(start: number): number {
    const end = this.#direct.textEnd(start)
    if (end === nowhere) return nowhere
    this.#isEscaped = this.#body.subarray(start, end).includes(byte.backslash)
    this.#eventStart = start
    this.#eventEnd = end
    return end + 1
  }

  #readFields(start: number): number {
    if (this.#hasFields || this.#body[start] !== byte.braceOpen) return nowhere
    this.#hasFields = true
    const first = this.#skipSpace(start + 1)
    return this.#body[first] === byte.braceClose ? first + 1 : this.#readMembers(first, false)
  }

  /** A number, or a text of one, with nothing beyond milliseconds. */
  #readTime(start: number): number {
    if (this.#hasTime) return nowhere
    this.#hasTime = true
    const isText = this.#body[start] === byte.quote
    const end = this.#readNumber(isText ? start + 1 : start)
    if (end === nowhere || !isText) return end
    return this.#body[end] === byte.quote ? end + 1 : nowhere
  }

  /** Digits, and of seconds perhaps a fraction; returns where they end. */
  #readNumber(start: number): number {
    const body = this.#body
    let value = 0
    let offset = start
    for (; isDigit(body[offset]); offset++) value = 10 * value + body[offset]! - byte.zero
    const digits = offset - start
    if (digits === 0 || digits > msDigitsMax || body[start] === byte.zero) return nowhere
    const isMilliseconds = digits >= msDigitsMin
    this.#timestamp = isMilliseconds ? value : 1_000 * value
    const isWhole = body[offset] !== byte.dot
    if (!isWhole && isMilliseconds) return nowhere
    const end = isWhole ? offset : this.#readFraction(offset + 1)
    return end !== nowhere && (body[end]! | 0x20) === byte.lowerE ? nowhere : end
  }

  /** Milliseconds, and zeros after them. */
  #readFraction(start: number): number {
    const body = this.#body
    let worth = 100
    let offset = start
    for (; isDigit(body[offset]); offset++) {
      const digit = body[offset]! - byte.zero
      if (worth < 1 && digit !== 0) return nowhere
      if (worth >= 1) this.#timestamp! += worth * digit
      worth /= 10
    }
    return offset === start ? nowhere : offset
  }

  /** Notes what is around the event, and finds out level and message. */
  #finish(): boolean {
    const { flat } = this.#direct
    if (this.#eventStart === nowhere) return false
    if (!this.#isText && flat.hasInsteadOfMessage(dockerField)) return false
    flat.goOn(!this.#isText)
    const around = this.#around
    for (let at = 0; at < 4 * this.#aroundCount; at += 4) {
      const isNoted = flat.note(around[at]!, around[at + 1]!, around[at + 2]!, around[at + 3]!)
      if (!isNoted) return false
    }
    if (!this.#isText) return flat.finishObject(this.#eventEnd, this.#timestamp)
    const place = { start: this.#eventStart, end: this.#eventEnd, isEscaped: this.#isEscaped }
    return flat.finish({ ...place, timestamp: this.#timestamp, subMsNanoseconds: 0 })
  }

  /** The offset of the quote that ends a string without escapes, whose inside begins at `start`. */
  #plainTextEnd(start: number): number {
    const body = this.#body
    let offset = start
    for (; offset < this.#end; offset++) {
      const current = body[offset]!
      if (current === byte.quote) return offset
      if (current < byte.space || current === byte.backslash) return nowhere
    }
    return nowhere
  }

  #skipSpace(start: number): number {
    return skipSpace(this.#body, start, this.#end)
  }
}
