/**
 * The usual event, from the bytes of its JSON straight into the columns of a batch: no text and no
 * object is made of it on the way. It takes a third of the time of the plain way (`json.ts`,
 * `normalise.ts`, `flatten.ts`), and leaves no garbage.
 *
 * `read` finds the fields of an event, as simdjson's "On Demand" does, without changing anything; where
 * it meets what it is not made for, or what may be a mistake, it says so, and the event goes the plain
 * way, which alone defines what becomes of an event. `addTo` then copies the values.
 *
 * Left to the plain way: numbers that JavaScript writes otherwise than they came (`1.0`, `1e3`), halves
 * of surrogate pairs and pairs, objects inside arrays, escapes in names and in levels,
 * messages that are to be taken apart, names that appear twice, more than `depthMax` levels, and whatever
 * must be refused.
 */

import { isUtf8 } from 'node:buffer'
import type { BatchWriter } from '../../journal/batch-writer.ts'
import type { Stream, Timestamp } from '../../record.ts'
import { byte, byteOrderMarkBytes, escapedBytes, skipSpace } from '../bytes.ts'
import { words } from '../json-words.ts'
import type { ParseChoice } from '../normalise.ts'
import { Attempts } from './attempts.ts'
import { DirectEvent, type Kind, kind } from './event.ts'
import { type Field, FieldTree, keyBytesMax } from './field-tree.ts'
import { FlatReader } from './flat-reader.ts'
import { numberEnd } from './number.ts'

const depthMax = 8
const nowhere = -1

/** What reads objects of a body directly, as `DirectReader` does. */
export type ObjectReader = Pick<DirectReader, 'read'>

export class DirectReader implements ObjectReader {
  /** The event that was read last. */
  readonly #event: DirectEvent
  readonly #tree: FieldTree
  /** Reads events of other forms, to be added by `addTo` as well. */
  readonly flat: FlatReader
  readonly #attempts = new Attempts()
  /** Where the bytes that are looked at end. */
  #end = 0
  /** Where the name that was read last ends. */
  #nameEnd = 0

  constructor(timestampField: string | undefined, parse?: ParseChoice) {
    this.#event = new DirectEvent(parse)
    this.#tree = new FieldTree(timestampField)
    this.flat = new FlatReader(this.#event, this.#tree)
  }

  /**
   * Reads the event that begins with the brace at `start`; returns the offset after it, or -1 when it
   * goes the plain way, or does not end by `end`. `body` must not change before `addTo`, which is to be
   * called next.
   */
  read(body: Buffer, start: number, end: number, isKnownUtf8: boolean): number {
    if (!this.#attempts.isDue()) return nowhere
    this.begin(body, start, end)
    const after = this.#readObject(start + 1, this.#tree.root, 1)
    const isRead =
      after !== nowhere &&
      this.isText(start, after, isKnownUtf8) &&
      this.#event.understand(after, this.#tree.nanoseconds)
    return this.#attempts.note(isRead) ? after : this.letGo()
  }

  /** Begins with an event from `start` to `end` of `body` at most; it must not change before `addTo`. */
  begin(body: Buffer, start: number, end: number): void {
    this.#event.begin(body, start)
    this.#end = end
  }

  /** The offset after the event's own object, whose brace is at `start`; -1 as `read` has it. */
  innerEnd(start: number): number {
    this.#event.start = start
    return this.#readObject(start + 1, this.#tree.root, 1)
  }

  /** The offset of the quote that ends the string whose inside begins at `start`; -1 as `read` has it. */
  textEnd(start: number): number {
    return this.#stringEnd(start)
  }

  /** Whether what was read from `start` to `after` lies before the end, and its strings are UTF-8. */
  isText(start: number, after: number, isKnownUtf8: boolean): boolean {
    const { bits, body } = this.#event
    if (after > this.#end) return false
    return bits < 0x80 || isKnownUtf8 || isUtf8(body.subarray(start, after))
  }

  /** After an event that goes the plain way. */
  letGo(): -1 {
    this.#event.letGo()
    return nowhere
  }

  /** Reads the one event of `body`; false when it goes the plain way. */
  readWhole(body: Buffer): boolean {
    const start = skipSpace(body, byteOrderMarkBytes(body), body.length)
    if (body[start] !== byte.braceOpen) return false
    const after = this.read(body, start, body.length, false)
    return after !== nowhere && skipSpace(body, after, body.length) === body.length
  }

  /** Whether the event that was read last says its time. */
  get hasTime(): boolean {
    return this.#event.hasTime
  }

  /** Adds the event that was read last. `receivedAt` is its time when it has none of its own. */
  addTo(writer: BatchWriter, stream: Stream, receivedAt: Timestamp): void {
    this.#event.addTo(writer, stream, receivedAt)
  }

  /** Reads the fields of `parent` from after its brace on; returns the offset after the closing one. */
  #readObject(start: number, parent: Field, depth: number): number {
    const body = this.#event.body
    let offset = body[start]! > byte.space ? start : this.#skipSpace(start)
    let previous: Field | undefined
    for (;;) {
      if (body[offset] !== byte.quote) return nowhere
      const field = this.#readName(offset + 1, parent, previous)
      if (field === undefined || field.event === this.#event.number) return nowhere
      field.event = this.#event.number
      previous = field
      offset = this.#nameEnd + 1
      if (body[offset] !== byte.colon) {
        offset = this.#skipSpace(offset)
        if (body[offset] !== byte.colon) return nowhere
      }
      offset += 1
      if (body[offset]! <= byte.space) offset = this.#skipSpace(offset)
      offset = this.#readValue(offset, field, depth)
      if (offset === nowhere) return nowhere
      if (body[offset]! <= byte.space) offset = this.#skipSpace(offset)
      const separator = body[offset]
      if (separator === byte.braceClose) return offset + 1
      if (separator !== byte.comma) return nowhere
      offset += 1
      if (body[offset]! <= byte.space) offset = this.#skipSpace(offset)
    }
  }

  /** The field of `parent` whose name begins at `start` and which comes after `previous`. */
  #readName(start: number, parent: Field, previous: Field | undefined): Field | undefined {
    const expected = previous === undefined ? parent.first : previous.next
    if (expected !== undefined) {
      if (this.#isNamed(start, expected)) return expected
      // Perhaps the expected field is missing.
      const after = expected.next
      if (after !== undefined && this.#isNamed(start, after)) return after
    }
    const field = this.#lookUp(start, parent)
    if (previous === undefined) parent.first = field
    else previous.next = field
    return field
  }

  /** Whether the name at `start` is that of `field`; then `nameEnd` is where it ends. */
  #isNamed(start: number, { key }: Field): boolean {
    const body = this.#event.body
    const end = start + key.length
    if (body[end] !== byte.quote) return false
    for (let i = 0; i < key.length; i++) {
      if (body[start + i] !== key[i]) return false
    }
    this.#nameEnd = end
    return true
  }

  #lookUp(start: number, parent: Field): Field | undefined {
    const body = this.#event.body
    const limit = Math.min(start + keyBytesMax, this.#end)
    let offset = start
    while (offset < limit && body[offset] !== byte.quote) {
      if (body[offset]! < byte.space || body[offset] === byte.backslash) return undefined
      offset += 1
    }
    if (offset === limit) return undefined
    this.#nameEnd = offset
    return this.#tree.find(parent, body, start, offset)
  }

  #readValue(start: number, field: Field, depth: number): number {
    const first = this.#event.body[start]!
    if (first === byte.quote) {
      const escapesBefore = this.#event.escapes
      const end = this.#stringEnd(start + 1)
      if (end === nowhere) return nowhere
      const valueKind = this.#event.escapes === escapesBefore ? kind.text : kind.escapedText
      return this.#event.note(field, valueKind, start + 1, end) ? end + 1 : nowhere
    }
    if (first === byte.braceOpen) return this.#readNested(start + 1, field, depth)
    const spacesBefore = this.#event.spaces
    const oddEscapesBefore = this.#event.oddEscapes
    const end = this.#plainEnd(start, depth)
    if (end === nowhere || this.#event.oddEscapes !== oddEscapesBefore) return nowhere
    const valueKind = this.#event.spaces === spacesBefore ? kindOf(first) : kind.spacedJson
    return this.#event.note(field, valueKind, start, end) ? end : nowhere
  }

  #readNested(start: number, field: Field, depth: number): number {
    if (this.#event.body[start] === byte.braceClose) {
      return this.#event.note(field, kind.json, start - 1, start + 1) ? start + 1 : nowhere
    }
    if (depth === depthMax || !this.#event.noteNested(field)) return nowhere
    return this.#readObject(start, field, depth + 1)
  }

  /** The offset of the quote that ends the string whose inside begins at `start`. */
  #stringEnd(start: number): number {
    const body = this.#event.body
    let bits = 0
    let offset = start
    for (;;) {
      // Most of all bytes pass here.
      let current = body[offset]!
      while (isPlain[current] === 1) {
        bits |= current
        offset += 1
        current = body[offset]!
      }
      if (current === byte.quote) break
      const length = current === byte.backslash ? this.#escapeLength(offset) : 0
      if (length === 0) return nowhere
      offset += length
    }
    this.#event.bits |= bits
    return offset
  }

  /** Bytes of the escape at `offset`; 0 when it is not one, or half of a surrogate pair. */
  #escapeLength(offset: number): number {
    this.#event.escapes += 1
    const escaped = this.#event.body[offset + 1]!
    if (escaped === byte.lowerU) {
      this.#event.oddEscapes += 1
      const digits = this.#event.body.toString('latin1', offset + 2, offset + 6)
      return basicPlaneDigits.test(digits) ? 6 : 0
    }
    if (escaped === byte.slash) this.#event.oddEscapes += 1
    return escapedBytes[escaped] === 0 ? 0 : 2
  }

  /** The end of a number, a word or an array. */
  #plainEnd(start: number, depth: number): number {
    const body = this.#event.body
    switch (body[start]) {
      case byte.bracketOpen:
        return this.#arrayEnd(start + 1, depth + 1)
      case byte.lowerT:
        return this.#wordEnd(start, words.true)
      case byte.lowerF:
        return this.#wordEnd(start, words.false)
      case byte.lowerN:
        return this.#wordEnd(start, words.null)
      default:
        return numberEnd(body, start)
    }
  }

  #wordEnd(start: number, word: Uint8Array): number {
    for (let i = 0; i < word.length; i++) {
      if (this.#event.body[start + i] !== word[i]) return nowhere
    }
    return start + word.length
  }

  /** The offset after the array whose inside begins at `start`. */
  #arrayEnd(start: number, depth: number): number {
    const body = this.#event.body
    if (depth > depthMax) return nowhere
    let offset = this.#skipSpace(start)
    if (body[offset] === byte.bracketClose) return offset + 1
    for (;;) {
      const isString = body[offset] === byte.quote
      offset = isString ? this.#stringEnd(offset + 1) : this.#plainEnd(offset, depth)
      if (offset === nowhere) return nowhere
      offset = this.#skipSpace(isString ? offset + 1 : offset)
      const separator = body[offset]
      if (separator === byte.bracketClose) return offset + 1
      if (separator !== byte.comma) return nowhere
      offset = this.#skipSpace(offset + 1)
    }
  }

  #skipSpace(start: number): number {
    const offset = skipSpace(this.#event.body, start, this.#end)
    this.#event.spaces += offset - start
    return offset
  }
}

const basicPlaneDigits = /^(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})$/

/** 1 for the bytes of a string that stand for themselves. */
const isPlain = new Uint8Array(256).fill(1)
isPlain.fill(0, 0, byte.space)
isPlain[byte.quote] = 0
isPlain[byte.backslash] = 0

/** The kind of a value that is neither a string nor an object, by its first byte. */
function kindOf(first: number): Kind {
  if (first === byte.lowerN) return kind.null
  if (first === byte.lowerF) return kind.false
  return first === byte.lowerT || first === byte.bracketOpen ? kind.json : kind.number
}
