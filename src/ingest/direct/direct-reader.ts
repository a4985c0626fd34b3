/**
 * The usual event, from the bytes of its JSON straight into the columns of a batch: no text and no
 * object is made of it on the way. It takes a fifth of the time of the plain way (`json.ts`,
 * `normalise.ts`, `flatten.ts`), and leaves no garbage.
 *
 * `read` finds the fields of an event, as simdjson's "On Demand" does, without changing anything; where
 * it meets what it is not made for, or what may be a mistake, it says so, and the event goes the plain
 * way, which alone defines what becomes of an event. `addTo` then copies the values.
 *
 * Left to the plain way: numbers that JavaScript writes otherwise than they came (`1.0`, `1e3`), halves
 * of surrogate pairs and pairs, objects inside arrays, escapes in names, names that begin with a digit,
 * names that stand twice, more than `depthMax` levels, and whatever must be refused.
 */

import { isUtf8 } from 'node:buffer'
import type { BatchWriter } from '../../journal/batch-writer.ts'
import type { ColumnWriter } from '../../journal/column-writer.ts'
import { limits } from '../../limits.ts'
import type { Stream, Timestamp } from '../../record.ts'
import { byte, byteOrderMarkBytes, isDigit, skipSpace } from '../bytes.ts'
import { defaultLevel, inferences, type LevelReading } from '../level.ts'
import { exactDigitsMax } from '../numbers.ts'
import { readTimestamp } from '../timestamp.ts'
import { DirectLevel } from './direct-level.ts'
import { DirectText, escapedBytes } from './direct-text.ts'
import { DirectTime, readMilliseconds } from './direct-time.ts'
import { type Field, FieldTree, keyBytesMax } from './field-tree.ts'

const depthMax = 8

/** What stands between a value's start and end. */
const kind = {
  /** The inside of a string without escapes. */
  text: 0,
  /** The inside of a string with escapes. */
  escapedText: 1,
  /** What the value is as text, as it stands. */
  number: 2,
  null: 3,
  false: 4,
  json: 5,
  /** JSON with white space in it, which the value's text is without. */
  spacedJson: 6,
} as const
type Kind = (typeof kind)[keyof typeof kind]

const nowhere = -1
const noBody = Buffer.alloc(0)

/** After so many events in a row that had to go the plain way, only some of the next are tried. */
const missesMax = 16
const triedOneIn = 16

export class DirectReader {
  readonly #tree: FieldTree
  readonly #time = new DirectTime()
  readonly #text = new DirectText()
  readonly #levels = new DirectLevel('level')
  readonly #severities = new DirectLevel('severity')
  #misses = 0

  /** The event that was read last: its number, its bytes, its values in their order. */
  #event = 0
  #body: Buffer = noBody
  #end = 0
  readonly #fields: Field[] = []
  readonly #starts = new Int32Array(limits.eventAttributesMax)
  readonly #ends = new Int32Array(limits.eventAttributesMax)
  readonly #kinds = new Uint8Array(limits.eventAttributesMax)
  #count = 0
  /** All bytes of strings and names, or-ed. */
  #bits = 0
  #spaces = 0
  /** Escapes that JSON.stringify would write otherwise. */
  #oddEscapes = 0
  /** The values with a role. */
  #messageAt = nowhere
  #msgAt = nowhere
  #levelAt = nowhere
  #severityAt = nowhere
  #timestampAt = nowhere
  /** The first of `inferences` that holds. */
  #inference = inferences.length

  /** What became of it. */
  #start = 0
  #timestamp: Timestamp | undefined
  #level: LevelReading = defaultLevel
  #usedLevelAt = nowhere

  constructor(timestampField: string | undefined) {
    this.#tree = new FieldTree(timestampField)
  }

  /**
   * Reads the event that begins with the brace at `start`; gives the offset after it, or -1 when it
   * goes the plain way, or does not end by `end`. `body` must not change before `addTo`, which is to be
   * called next.
   */
  read(body: Buffer, start: number, end: number, isKnownUtf8: boolean): number {
    if (this.#misses >= missesMax && ++this.#misses % triedOneIn !== 0) return nowhere
    this.#begin(body, start, end)
    const after = this.#readObject(start + 1, this.#tree.root, 1)
    const isRead =
      after !== nowhere &&
      after <= end &&
      (this.#bits < 0x80 || isKnownUtf8 || isUtf8(body.subarray(start, after))) &&
      this.#understand(after)
    if (isRead) {
      this.#misses = 0
      return after
    }
    this.#misses += 1
    return nowhere
  }

  /** Reads the one event of `body`; false when it goes the plain way. */
  readWhole(body: Buffer): boolean {
    const start = skipSpace(body, byteOrderMarkBytes(body), body.length)
    if (body[start] !== byte.braceOpen) return false
    const after = this.read(body, start, body.length, false)
    return after !== nowhere && skipSpace(body, after, body.length) === body.length
  }

  /** Adds the event that was read last. `receivedAt` is its time when it has none of its own. */
  addTo(writer: BatchWriter, stream: Stream, receivedAt: Timestamp): void {
    const row = writer.beginRecord(this.#timestamp ?? receivedAt, this.#level.level, stream)
    const { batch, messages } = writer
    const messageAt = this.#messageAt === nowhere ? this.#msgAt : this.#messageAt
    let bytes =
      messageAt === nowhere
        ? this.#appendJson(messages, row, this.#start, this.#end)
        : this.#appendValue(messages, row, messageAt)
    for (let at = 0; at < this.#count; at++) {
      if (at === messageAt || at === this.#usedLevelAt || at === this.#timestampAt) continue
      const { attribute } = this.#fields[at]!
      if (attribute.batch !== batch) {
        attribute.column = writer.column(attribute.name)
        attribute.batch = batch
      }
      bytes += this.#appendValue(attribute.column!, row, at) + 2
    }
    writer.noteBytes(bytes)
    this.#body = noBody // An idle thread must not hold on to it.
  }

  #appendValue(column: ColumnWriter, row: number, at: number): number {
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    const valueKind = this.#kinds[at]
    if (valueKind === kind.spacedJson) return this.#appendJson(column, row, start, end)
    if (valueKind === kind.escapedText) {
      const length = this.#text.unescape(this.#body, start, end)
      column.appendBytes(row, this.#text.bytes, 0, length)
      return length
    }
    column.appendBytes(row, this.#body, start, end)
    return end - start
  }

  /** Appends JSON as JSON.stringify would write it. */
  #appendJson(column: ColumnWriter, row: number, start: number, end: number): number {
    if (this.#spaces === 0) {
      column.appendBytes(row, this.#body, start, end)
      return end - start
    }
    const length = this.#text.compact(this.#body, start, end)
    column.appendBytes(row, this.#text.bytes, 0, length)
    return length
  }

  #begin(body: Buffer, start: number, end: number): void {
    this.#event += 1
    this.#body = body
    this.#start = start
    this.#end = end
    this.#count = 0
    this.#bits = 0
    this.#spaces = 0
    this.#oddEscapes = 0
    this.#messageAt = nowhere
    this.#msgAt = nowhere
    this.#levelAt = nowhere
    this.#severityAt = nowhere
    this.#timestampAt = nowhere
    this.#inference = inferences.length
  }

  /** Reads the fields of `parent` from after its brace on; gives the offset after the closing one. */
  #readObject(start: number, parent: Field, depth: number): number {
    const body = this.#body
    let offset = body[start]! > byte.space ? start : this.#skipSpace(start)
    let previous: Field | undefined
    for (;;) {
      if (body[offset] !== byte.quote) return nowhere
      const field = this.#readName(offset + 1, parent, previous)
      if (field === undefined || field.event === this.#event) return nowhere
      field.event = this.#event
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

  #nameEnd = 0

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
    const body = this.#body
    const end = start + key.length
    if (body[end] !== byte.quote) return false
    for (let i = 0; i < key.length; i++) {
      if (body[start + i] !== key[i]) return false
    }
    this.#nameEnd = end
    return true
  }

  #lookUp(start: number, parent: Field): Field | undefined {
    const body = this.#body
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
    const first = this.#body[start]!
    if (first === byte.quote) {
      const escapesBefore = this.#escapes
      const end = this.#stringEnd(start + 1)
      if (end === nowhere) return nowhere
      const valueKind = this.#escapes === escapesBefore ? kind.text : kind.escapedText
      return this.#note(field, valueKind, start + 1, end) ? end + 1 : nowhere
    }
    if (first === byte.braceOpen) return this.#readNested(start + 1, field, depth)
    const spacesBefore = this.#spaces
    const oddEscapesBefore = this.#oddEscapes
    const end = this.#plainEnd(start, depth)
    if (end === nowhere || this.#oddEscapes !== oddEscapesBefore) return nowhere
    const valueKind = this.#spaces === spacesBefore ? kindOf(first) : kind.spacedJson
    return this.#note(field, valueKind, start, end) ? end : nowhere
  }

  #readNested(start: number, field: Field, depth: number): number {
    if (this.#body[start] === byte.braceClose) {
      return this.#note(field, kind.json, start - 1, start + 1) ? start + 1 : nowhere
    }
    const { role } = field
    const isText = role === 'message' || role === 'msg' || role === 'timestamp'
    if (isText || depth === depthMax) return nowhere
    if (field.inference < this.#inference) this.#inference = field.inference
    return this.#readObject(start, field, depth + 1)
  }

  /** Notes a value; false when its field must go the plain way with it. */
  #note(field: Field, valueKind: Kind, start: number, end: number): boolean {
    const at = this.#count
    const { attribute } = field
    if (at === limits.eventAttributesMax || attribute.event === this.#event) return false
    if (end - start > limits.attributeValueBytesMax && field.role !== 'message') return false
    attribute.event = this.#event
    this.#fields[at] = field
    this.#starts[at] = start
    this.#ends[at] = end
    this.#kinds[at] = valueKind
    this.#count = at + 1
    const tells = valueKind !== kind.null && valueKind !== kind.false
    if (tells && field.inference < this.#inference) this.#inference = field.inference
    return field.role === undefined || this.#noteRole(field.role, valueKind, at)
  }

  #noteRole(role: NonNullable<Field['role']>, valueKind: Kind, at: number): boolean {
    if (role === 'timestamp') this.#timestampAt = at
    else if (role === 'level') this.#levelAt = at
    else if (role === 'severity') this.#severityAt = at
    else if (role === 'msg') {
      if (valueKind !== kind.null) this.#msgAt = at
    } else {
      this.#messageAt = at
      return valueKind !== kind.null // It becomes an attribute then, of another name.
    }
    return true
  }

  /** Escapes of all strings so far. */
  #escapes = 0

  /** The offset of the quote that ends the string whose inside begins at `start`. */
  #stringEnd(start: number): number {
    const body = this.#body
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
    this.#bits |= bits
    return offset
  }

  /** Bytes of the escape at `offset`; 0 when it is none, or half of a surrogate pair. */
  #escapeLength(offset: number): number {
    this.#escapes += 1
    const escaped = this.#body[offset + 1]!
    if (escaped === byte.lowerU) {
      this.#oddEscapes += 1
      const digits = this.#body.toString('latin1', offset + 2, offset + 6)
      return basicPlaneDigits.test(digits) ? 6 : 0
    }
    if (escaped === byte.slash) this.#oddEscapes += 1
    return escapedBytes[escaped] === 0 ? 0 : 2
  }

  /** The end of a number, a word or an array. */
  #plainEnd(start: number, depth: number): number {
    const body = this.#body
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
      if (this.#body[start + i] !== word[i]) return nowhere
    }
    return start + word.length
  }

  /** The offset after the array whose inside begins at `start`. */
  #arrayEnd(start: number, depth: number): number {
    const body = this.#body
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
    const offset = skipSpace(this.#body, start, this.#end)
    this.#spaces += offset - start
    return offset
  }

  /** Finds out time, level and message; false when they are for the plain way. */
  #understand(end: number): boolean {
    this.#end = end
    const hasMessage = this.#messageAt !== nowhere || this.#msgAt !== nowhere
    if (!hasMessage && this.#oddEscapes > 0) return false
    this.#understandLevel()
    return this.#understandTime()
  }

  #understandTime(): boolean {
    const at = this.#timestampAt
    this.#timestamp = undefined
    if (at === nowhere) return true
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    const valueKind = this.#kinds[at]
    if (valueKind === kind.number) this.#timestamp = readMilliseconds(this.#body, start, end)
    else if (valueKind === kind.text) this.#timestamp = this.#time.readText(this.#body, start, end)
    else return false
    this.#timestamp ??= readAnyTime(this.#body.toString('utf8', start, end))
    return this.#timestamp !== undefined
  }

  #understandLevel(): void {
    this.#usedLevelAt = this.#levelAt
    let level = this.#readLevel(this.#levels, this.#levelAt)
    if (level === undefined) {
      this.#usedLevelAt = this.#severityAt
      level = this.#readLevel(this.#severities, this.#severityAt)
    }
    if (level === undefined) {
      this.#usedLevelAt = nowhere
      level = inferences[this.#inference]?.[1] ?? defaultLevel
    }
    this.#level = level
  }

  #readLevel(direct: DirectLevel, at: number): LevelReading | undefined {
    if (at === nowhere) return undefined
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    const valueKind = this.#kinds[at]
    if (valueKind === kind.text) return direct.readText(this.#body, start, end)
    return valueKind === kind.number ? direct.readNumber(this.#body, start, end) : undefined
  }
}

/** By the field of the time: senders use few of them. */
const readers = new Map<string | undefined, DirectReader>()
const readersMax = 16
/** These have a meaning of their own, beside which the tree has no room for another. */
const fieldsWithRole = ['message', 'msg', 'level', 'severity']

/** The reader of this thread for events whose time is in `timestampField`; undefined when none will do. */
export function directReaderFor(timestampField: string | undefined): DirectReader | undefined {
  const known = readers.get(timestampField)
  if (known !== undefined) return known
  if (timestampField !== undefined && fieldsWithRole.includes(timestampField)) return undefined
  if (readers.size === readersMax) readers.clear()
  const reader = new DirectReader(timestampField)
  readers.set(timestampField, reader)
  return reader
}

/** The time that a string or a number says; undefined when it says none. */
function readAnyTime(text: string): Timestamp | undefined {
  try {
    return readTimestamp(text, '')
  } catch {
    return undefined
  }
}

const basicPlaneDigits = /^(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})$/

const words = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') }

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

/**
 * The end of the number at `start`, if JavaScript writes it as it stands there; -1 if not, or if it is
 * none. Any decimal of up to 15 digits is the shortest that stands for its double; one of more digits is
 * kept as it came, see `numbers.ts`.
 */
function numberEnd(body: Buffer, start: number): number {
  const first = body[start] === byte.minus ? start + 1 : start
  let offset = first
  while (isDigit(body[offset])) offset += 1
  const integerDigits = offset - first
  const isZero = body[first] === byte.zero
  if (integerDigits === 0 || (isZero && integerDigits > 1)) return nowhere
  let fractionDigits = 0
  if (body[offset] === byte.dot) {
    const fractionStart = offset + 1
    offset = fractionStart
    while (isDigit(body[offset])) offset += 1
    fractionDigits = offset - fractionStart
    if (fractionDigits === 0) return nowhere
  }
  const next = body[offset]! | 0x20
  if (next === byte.lowerE) return nowhere
  if (integerDigits + fractionDigits > exactDigitsMax) return offset
  return isUsualDecimal(body, first, integerDigits, fractionDigits) ? offset : nowhere
}

/** Whether JavaScript writes the decimal in this very form: no zero too many, no exponent. */
function isUsualDecimal(
  body: Buffer,
  first: number,
  integerDigits: number,
  fractionDigits: number,
): boolean {
  const isNegative = body[first - 1] === byte.minus
  if (fractionDigits === 0) return body[first] !== byte.zero || !isNegative
  const last = first + integerDigits + fractionDigits
  if (body[last] === byte.zero) return false
  if (body[first] !== byte.zero) return true
  // Below 1e-6 it would be written with an exponent.
  const fractionStart = first + 2
  for (let offset = fractionStart; offset < fractionStart + 6 && offset <= last; offset++) {
    if (body[offset] !== byte.zero) return true
  }
  return false
}
