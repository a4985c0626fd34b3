/**
 * Events that are names and texts at known places of a body, such as the entries of a protocol in
 * protobuf: what is around an event (`envelope.ts`) and a text that is its message, straight into the
 * columns of a batch. As with JSON (`reader.ts`), what it is not made for goes the plain way, which alone
 * defines what becomes of an event: names that begin with a digit, which objects put first, names that
 * appear twice, and whatever must be refused.
 */

import { isUtf8 } from 'node:buffer'
import { hasBytes, isDigit } from '../bytes.ts'
import { type DirectEvent, kind } from './event.ts'
import { type Field, type FieldTree, keyBytesMax } from './field-tree.ts'

/** A message and its time. */
export interface FlatMessage {
  readonly start: number
  readonly end: number
  /** Milliseconds since 1970; undefined stands for the time of receipt. */
  readonly timestamp: number | undefined
  /** Nanoseconds beyond them, below a million. */
  readonly subMsNanoseconds: number
  /** Whether the text is the inside of a string of JSON with escapes, which are known to be sound. */
  readonly isEscaped?: boolean
}

export class FlatReader {
  readonly #event: DirectEvent
  readonly #tree: FieldTree
  #previous: Field | undefined
  /** Whether the event has fields of its own, which were read before. */
  #isObject = false

  /** Both are those of the reader whose `addTo` adds what was read here. */
  constructor(event: DirectEvent, tree: FieldTree) {
    this.#event = event
    this.#tree = tree
  }

  /** Begins with an event somewhere in `body`, which must not change before it is added. */
  begin(body: Buffer): void {
    this.#event.begin(body, 0)
    this.goOn(false)
  }

  /** Goes on with what is around the event that has begun; `isObject`: its own fields were read. */
  goOn(isObject: boolean): void {
    this.#previous = undefined
    this.#isObject = isObject
  }

  /** A field around the event, by the places of its name and text; false: the event goes the plain way. */
  note(nameStart: number, nameEnd: number, start: number, end: number): boolean {
    const field = this.#field(nameStart, nameEnd)
    if (field === undefined || !this.#isText(start, end)) return false
    return this.#isObject
      ? this.#event.noteBeside(field, start, end)
      : this.#event.noteAround(field, start, end)
  }

  /** After all that is around it; false: the event goes the plain way. */
  finish({ start, end, isEscaped, timestamp, subMsNanoseconds }: FlatMessage): boolean {
    if (!this.#isText(start, end)) return false
    const time = { timestamp, subMsNanoseconds, nanoseconds: this.#tree.nanoseconds }
    const valueKind = isEscaped === true ? kind.escapedText : kind.text
    return this.#event.understandText(start, end, valueKind, time)
  }

  /** The same after an event that is an object and ends at `end`. */
  finishObject(end: number, timestamp: number | undefined): boolean {
    const time = { timestamp, subMsNanoseconds: 0, nanoseconds: this.#tree.nanoseconds }
    return this.#event.understandAt(end, time)
  }

  /** Whether the event's own fields have no message, and one of them has this name. */
  hasInsteadOfMessage(name: string): boolean {
    const { hasMessage, number } = this.#event
    return !hasMessage && this.#tree.root.children.get(name)?.event === number
  }

  #field(start: number, end: number): Field | undefined {
    const { body } = this.#event
    const previous = this.#previous
    const { around } = this.#tree
    const expected = previous === undefined ? around.first : previous.next
    const isExpected = expected !== undefined && hasBytes(body, start, end, expected.key)
    const field = isExpected ? expected : this.#lookUp(start, end)
    if (field === undefined) return undefined
    if (previous === undefined) around.first = field
    else previous.next = field
    this.#previous = field
    return field
  }

  #lookUp(start: number, end: number): Field | undefined {
    const { body } = this.#event
    if (end - start > keyBytesMax || isDigit(body[start])) return undefined
    return this.#tree.find(this.#tree.root, body, start, end)
  }

  #isText(start: number, end: number): boolean {
    const { body } = this.#event
    for (let at = start; at < end; at++) {
      if (body[at]! >= 0x80) return isUtf8(body.subarray(at, end))
    }
    return true
  }
}
