/**
 * The values of one event where they stand in its bytes, and what becomes of them: the rules are those of
 * `normalise.ts`.
 */

import type { BatchWriter } from '../../journal/batch-writer.ts'
import type { ColumnWriter } from '../../journal/column-writer.ts'
import { limits } from '../../limits.ts'
import type { Stream, Timestamp } from '../../record.ts'
import { defaultLevel, inferences, type LevelReading } from '../level.ts'
import { readTimestamp } from '../timestamp.ts'
import { DirectLevel } from './direct-level.ts'
import { DirectText } from './direct-text.ts'
import { DirectTime, readMilliseconds } from './direct-time.ts'
import type { Field } from './field-tree.ts'

/** What stands between a value's start and end. */
export const kind = {
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
export type Kind = (typeof kind)[keyof typeof kind]

const nowhere = -1
const noBody = Buffer.alloc(0)

/** One for all events of a reader. */
export class DirectEvent {
  /** The event's number among all of the reader. */
  number = 0
  body: Buffer = noBody
  /** Where its bytes begin and, once it was read, end. */
  start = 0
  end = 0
  /** All bytes of its strings, or-ed. */
  bits = 0
  /** Bytes of white space between its values. */
  spaces = 0
  /** Escapes of its strings, and those among them that JSON.stringify would write otherwise. */
  escapes = 0
  oddEscapes = 0

  readonly #time = new DirectTime()
  readonly #text = new DirectText()
  readonly #levels = new DirectLevel('level')
  readonly #severities = new DirectLevel('severity')
  /** Its values, in their order. */
  readonly #fields: Field[] = []
  readonly #starts = new Int32Array(limits.eventAttributesMax)
  readonly #ends = new Int32Array(limits.eventAttributesMax)
  readonly #kinds = new Uint8Array(limits.eventAttributesMax)
  #count = 0
  /** The values with a role. */
  #messageAt = nowhere
  #msgAt = nowhere
  #levelAt = nowhere
  #severityAt = nowhere
  #timestampAt = nowhere
  /** The first of `inferences` that holds. */
  #inference = inferences.length
  /** What was understood. */
  #timestamp: Timestamp | undefined
  #level: LevelReading = defaultLevel
  #usedLevelAt = nowhere

  begin(body: Buffer, start: number): void {
    this.number += 1
    this.body = body
    this.start = start
    this.#count = 0
    this.bits = 0
    this.spaces = 0
    this.oddEscapes = 0
    this.#messageAt = nowhere
    this.#msgAt = nowhere
    this.#levelAt = nowhere
    this.#severityAt = nowhere
    this.#timestampAt = nowhere
    this.#inference = inferences.length
  }

  /** Notes a value; false when its field must go the plain way with it. */
  note(field: Field, valueKind: Kind, start: number, end: number): boolean {
    const at = this.#count
    const { attribute } = field
    if (at === limits.eventAttributesMax || attribute.event === this.number) return false
    if (end - start > limits.attributeValueBytesMax && field.role !== 'message') return false
    attribute.event = this.number
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
    switch (role) {
      case 'timestamp':
        if (this.#timestampAt !== nowhere) return false // Their attributes have two names.
        this.#timestampAt = at
        return valueKind === kind.text || valueKind === kind.number
      case 'level':
        this.#levelAt = at
        return valueKind !== kind.escapedText
      case 'severity':
        this.#severityAt = at
        return valueKind !== kind.escapedText
      case 'message':
        this.#messageAt = at
        return valueKind !== kind.null // It becomes an attribute then, of another name.
      case 'msg':
        if (valueKind !== kind.null) this.#msgAt = at
        return true
    }
  }

  /** Notes that a field has an object with fields of its own; false as `note` does. */
  noteNested({ role, inference }: Field): boolean {
    if (inference < this.#inference) this.#inference = inference
    return role !== 'message' && role !== 'msg' && role !== 'timestamp'
  }

  /** Finds out time, level and message; false when they are for the plain way. */
  understand(end: number): boolean {
    this.end = end
    const hasMessage = this.#messageAt !== nowhere || this.#msgAt !== nowhere
    if (!hasMessage && this.oddEscapes > 0) return false
    this.#understandLevel()
    return this.#understandTime()
  }

  #understandTime(): boolean {
    const at = this.#timestampAt
    this.#timestamp = undefined
    if (at === nowhere) return true
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    this.#timestamp =
      this.#kinds[at] === kind.number
        ? readMilliseconds(this.body, start, end)
        : this.#time.readText(this.body, start, end)
    this.#timestamp ??= readAnyTime(this.body.toString('utf8', start, end))
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
    if (valueKind === kind.text) return direct.readText(this.body, start, end)
    return valueKind === kind.number ? direct.readNumber(this.body, start, end) : undefined
  }

  /** Adds the event that was read last. `receivedAt` is its time when it has none of its own. */
  addTo(writer: BatchWriter, stream: Stream, receivedAt: Timestamp): void {
    const row = writer.beginRecord(this.#timestamp ?? receivedAt, this.#level.level, stream)
    const { batch, messages, columns } = writer
    const messageAt = this.#messageAt === nowhere ? this.#msgAt : this.#messageAt
    let bytes =
      messageAt === nowhere
        ? this.#appendJson(messages, row, this.start, this.end)
        : this.#appendValue(messages, row, messageAt)
    for (let at = 0; at < this.#count; at++) {
      if (at === messageAt || at === this.#usedLevelAt || at === this.#timestampAt) continue
      const { attribute } = this.#fields[at]!
      if (attribute.batch !== batch) {
        attribute.column = writer.columnNumber(attribute.name)
        attribute.batch = batch
      }
      bytes += this.#appendValue(columns[attribute.column]!, row, at) + 2
    }
    writer.noteBytes(bytes)
    this.letGo()
  }

  /** An idle thread must not hold on to what one large event took. */
  letGo(): void {
    this.body = noBody
    this.#text.letGo()
  }

  #appendValue(column: ColumnWriter, row: number, at: number): number {
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    const valueKind = this.#kinds[at]
    if (valueKind === kind.spacedJson) return this.#appendJson(column, row, start, end)
    if (valueKind === kind.escapedText) {
      const length = this.#text.unescape(this.body, start, end)
      column.appendBytes(row, this.#text.bytes, 0, length)
      return length
    }
    column.appendBytes(row, this.body, start, end)
    return end - start
  }

  /** Appends JSON as JSON.stringify would write it. */
  #appendJson(column: ColumnWriter, row: number, start: number, end: number): number {
    if (this.spaces === 0) {
      column.appendBytes(row, this.body, start, end)
      return end - start
    }
    const length = this.#text.compact(this.body, start, end)
    column.appendBytes(row, this.#text.bytes, 0, length)
    return length
  }
}

/** The time that a string or a number says; undefined when it says none. */
function readAnyTime(text: string): Timestamp | undefined {
  try {
    return readTimestamp(text, '')
  } catch {
    return undefined
  }
}
