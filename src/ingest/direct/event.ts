/**
 * The values of one event where they are in its bytes, and what becomes of them: the rules are those of
 * `normalise.ts`.
 */

import type { BatchWriter } from '../../journal/batch-writer.ts'
import type { ColumnWriter } from '../../journal/column-writer.ts'
import { limits } from '../../limits.ts'
import type { Stream, Timestamp } from '../../record.ts'
import { byte, isDigit, skipSpace } from '../bytes.ts'
import { defaultLevel, inferences, type LevelReading, noLevelRank, scaleOfRank } from '../level.ts'
import { messageKeys } from '../message.ts'
import type { ParseChoice } from '../normalise.ts'
import { readEventTime } from '../timestamp.ts'
import type { Attribute, Field } from './field-tree.ts'
import { DirectLevel } from './level.ts'
import { DirectNanoseconds } from './nanoseconds.ts'
import { DirectText } from './text.ts'
import { DirectTime, readMilliseconds } from './time.ts'

/** What is between a value's start and end. */
export const kind = {
  /** The inside of a string without escapes. */
  text: 0,
  /** The inside of a string with escapes. */
  escapedText: 1,
  /** The value as text, unchanged. */
  number: 2,
  null: 3,
  false: 4,
  json: 5,
  /** JSON with white space in it, which the value's text is without. */
  spacedJson: 6,
} as const
export type Kind = (typeof kind)[keyof typeof kind]

const nowhere = -1
/** Fields of one event that may say its level; with more it goes the plain way. */
const levelFieldsMax = 8
/** The message alone may be longer than an attribute; it has this rank. */
const firstMessageRank = 0
/** A message that is no field stands beside the fields. */
const valuesMax = limits.eventAttributesMax + 1
const noBody = Buffer.alloc(0)

/** A time that does not stand in a field. */
export interface KnownTime {
  /** Undefined stands for the time of receipt. */
  readonly timestamp: Timestamp | undefined
  readonly subMsNanoseconds: number
  /** Where they go. */
  readonly nanoseconds: Attribute
}

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
  /** By rank. */
  readonly #levels = Array.from(
    { length: noLevelRank },
    (_, rank) => new DirectLevel(scaleOfRank(rank)),
  )
  /** Its values, in their order. */
  readonly #fields: Field[] = []
  readonly #starts = new Int32Array(valuesMax)
  readonly #ends = new Int32Array(valuesMax)
  readonly #kinds = new Uint8Array(valuesMax)
  #count = 0
  /** The values with a role. */
  #messageAt = nowhere
  #messageRank = messageKeys.length
  readonly #levelsAt = new Int32Array(levelFieldsMax)
  #levelCount = 0
  #timestampAt = nowhere
  /** The first of `inferences` that holds. */
  #inference = inferences.length
  /** What was understood. */
  #timestamp: Timestamp | undefined
  readonly #nanoseconds = new DirectNanoseconds()
  #nanosecondsAttribute: Attribute | undefined
  #level = defaultLevel
  /** The value that is the level and nothing more. */
  #usedLevelAt = nowhere

  readonly #parse: ParseChoice

  constructor(parse?: ParseChoice) {
    this.#parse = parse
  }

  begin(body: Buffer, start: number): void {
    this.number += 1
    this.body = body
    this.start = start
    this.#count = 0
    this.bits = 0
    this.spaces = 0
    this.oddEscapes = 0
    this.#messageAt = nowhere
    this.#messageRank = messageKeys.length
    this.#levelCount = 0
    this.#timestampAt = nowhere
    this.#inference = inferences.length
  }

  /** Notes a value; false when its field must go the plain way with it. */
  note(field: Field, valueKind: Kind, start: number, end: number): boolean {
    const at = this.#count
    const mayBeLong = field.messageRank === firstMessageRank
    if (end - start > limits.attributeValueBytesMax && !mayBeLong) return false
    if (!this.#noteValue(field, valueKind, start, end)) return false
    return !field.hasRole || this.#noteRole(field, valueKind, at)
  }

  /** As `note`, of a text around the event, which is neither its message nor its time. */
  noteAround(field: Field, start: number, end: number): boolean {
    const at = this.#count
    if (field.isTimestamp || end - start > limits.attributeValueBytesMax) return false
    if (!this.#noteValue(field, kind.text, start, end)) return false
    return field.levelRank === noLevelRank || this.#noteLevel(at)
  }

  /** The same, after the event's own fields: what these say goes before what is around them. */
  noteBeside(field: Field, start: number, end: number): boolean {
    const mayBeLevel = field.levelRank < noLevelRank || field.inference < inferences.length
    if (mayBeLevel || field.event === this.number) return false
    return this.noteAround(field, start, end)
  }

  /** Whether one of its fields is its message. */
  get hasMessage(): boolean {
    return this.#messageAt !== nowhere
  }

  #noteValue(field: Field, valueKind: Kind, start: number, end: number): boolean {
    const at = this.#count
    const { attribute } = field
    if (at === limits.eventAttributesMax || attribute.event === this.number) return false
    attribute.event = this.number
    this.#fields[at] = field
    this.#starts[at] = start
    this.#ends[at] = end
    this.#kinds[at] = valueKind
    this.#count = at + 1
    if (field.inference < this.#inference && this.#says(at)) this.#inference = field.inference
    return true
  }

  #noteLevel(at: number): boolean {
    if (this.#levelCount === levelFieldsMax) return false
    this.#levelsAt[this.#levelCount++] = at
    return true
  }

  /** Whether there is something in a value: see `level.ts`. */
  #says(at: number): boolean {
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    switch (this.#kinds[at]) {
      case kind.null:
      case kind.false:
        return false
      case kind.number:
        return !isZero(this.body, start, end)
      case kind.json:
      case kind.spacedJson: {
        const inside = this.body[skipSpace(this.body, start + 1, end)]
        return inside !== byte.bracketClose && inside !== byte.braceClose
      }
      default:
        return end > start
    }
  }

  #noteRole(field: Field, valueKind: Kind, at: number): boolean {
    const { isTimestamp, levelRank, messageRank } = field
    if (isTimestamp) {
      if (this.#timestampAt !== nowhere) return false // Their attributes have two names.
      this.#timestampAt = at
      return valueKind === kind.text || valueKind === kind.number
    }
    if (levelRank < noLevelRank) return this.#noteLevel(at) && valueKind !== kind.escapedText
    // A message that is null becomes an attribute of another name.
    if (valueKind === kind.null) return messageRank !== firstMessageRank
    if (messageRank > this.#messageRank) return true
    const isText = valueKind === kind.text || valueKind === kind.escapedText
    if (isText || !messageKeys[messageRank]!.isText) {
      this.#messageAt = at
      this.#messageRank = messageRank
    }
    return true
  }

  /** Notes that a field has an object with fields of its own; false as `note` does. */
  noteNested({ isTimestamp, messageRank, inference }: Field): boolean {
    if (inference < this.#inference) this.#inference = inference
    return !isTimestamp && messageKeys[messageRank]?.isText !== false
  }

  /**
   * Finds out time, level and message; false when they are for the plain way. `nanoseconds` is where
   * those of its time go.
   */
  understand(end: number, nanoseconds: Attribute): boolean {
    return this.#understandObject(end) && this.#understandTime(nanoseconds)
  }

  /** As `understand`, where `time` is known. */
  understandAt(end: number, time: KnownTime): boolean {
    return this.#understandObject(end) && this.#takeTime(time)
  }

  /**
   * As `understandAt`, where the message is the text between `start` and `end` and no field; `valueKind`:
   * a text's.
   */
  understandText(start: number, end: number, valueKind: Kind, time: KnownTime): boolean {
    const at = this.#count
    this.#starts[at] = start
    this.#ends[at] = end
    this.#kinds[at] = valueKind
    this.#count = at + 1
    this.#messageAt = at
    if (this.#parse === 'json' && this.#isPerhapsJson(at)) return false
    this.#understandLevel()
    return this.#takeTime(time)
  }

  #understandObject(end: number): boolean {
    this.end = end
    if (this.#messageAt === nowhere && this.oddEscapes > 0) return false
    if (this.#parse === 'json' && this.#isPerhapsJson(this.#messageAt)) return false
    this.#understandLevel()
    return true
  }

  #takeTime(time: KnownTime): boolean {
    this.#nanoseconds.clear()
    const { timestamp, subMsNanoseconds, nanoseconds } = time
    this.#timestamp = timestamp
    if (timestamp === undefined || subMsNanoseconds === 0) return true
    this.#nanoseconds.set(timestamp, subMsNanoseconds)
    this.#nanosecondsAttribute = nanoseconds
    return nanoseconds.event !== this.number
  }

  /** Whether a value may be the text of a JSON object. */
  #isPerhapsJson(at: number): boolean {
    if (at === nowhere) return false
    const valueKind = this.#kinds[at]
    if (valueKind !== kind.text && valueKind !== kind.escapedText) return false
    const first = this.body[skipSpace(this.body, this.#starts[at]!, this.#ends[at]!)]!
    // Space may be escaped, and there is more of it than JSON knows.
    return first === byte.braceOpen || first === byte.backslash || first >= 0x80
  }

  #understandTime(nanoseconds: Attribute): boolean {
    const at = this.#timestampAt
    this.#timestamp = undefined
    this.#nanoseconds.clear()
    if (at === nowhere) return true
    this.#timestamp = this.#readUsualTime(at) ?? this.#readAnyTime(at)
    this.#nanosecondsAttribute = nanoseconds
    const isClash = this.#nanoseconds.length > 0 && nanoseconds.event === this.number
    return this.#timestamp !== undefined && !isClash
  }

  #readUsualTime(at: number): Timestamp | undefined {
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    if (this.#kinds[at] === kind.number) return readMilliseconds(this.body, start, end)
    const timestamp = this.#time.readText(this.body, start, end)
    const { subMsNanoseconds } = this.#time
    if (timestamp === undefined || subMsNanoseconds === 0) return timestamp
    if (timestamp <= 0) return undefined
    this.#nanoseconds.set(timestamp, subMsNanoseconds)
    return timestamp
  }

  #readAnyTime(at: number): Timestamp | undefined {
    const moment = readEventTime(this.body.toString('utf8', this.#starts[at]!, this.#ends[at]!))
    if (moment?.nanoseconds !== undefined) this.#nanoseconds.setText(moment.nanoseconds)
    return moment?.timestamp
  }

  #understandLevel(): void {
    let found: LevelReading | undefined
    let foundRank = noLevelRank
    this.#usedLevelAt = nowhere
    for (let i = 0; i < this.#levelCount; i++) {
      const at = this.#levelsAt[i]!
      const { levelRank } = this.#fields[at]!
      const reading = levelRank < foundRank ? this.#readLevel(levelRank, at) : undefined
      if (reading === undefined) continue
      found = reading
      foundRank = levelRank
      this.#usedLevelAt = reading.isKept ? nowhere : at
    }
    this.#level = found?.level ?? inferences[this.#inference]?.[1] ?? defaultLevel
  }

  #readLevel(rank: number, at: number): LevelReading | undefined {
    const start = this.#starts[at]!
    const end = this.#ends[at]!
    const valueKind = this.#kinds[at]
    const direct = this.#levels[rank]!
    if (valueKind === kind.text) return direct.readText(this.body, start, end)
    return valueKind === kind.number ? direct.readNumber(this.body, start, end) : undefined
  }

  /** Whether the event that was read last says its time. */
  get hasTime(): boolean {
    return this.#timestamp !== undefined
  }

  /** Adds the event that was read last. `receivedAt` is its time when it has none of its own. */
  addTo(writer: BatchWriter, stream: Stream, receivedAt: Timestamp): void {
    const row = writer.beginRecord(this.#timestamp ?? receivedAt, this.#level, stream)
    const { messages, columns } = writer
    const messageAt = this.#messageAt
    let bytes =
      messageAt === nowhere
        ? this.#appendJson(messages, row, this.start, this.end)
        : this.#appendValue(messages, row, messageAt)
    for (let at = 0; at < this.#count; at++) {
      if (at === messageAt || at === this.#usedLevelAt || at === this.#timestampAt) continue
      const number = columnOf(this.#fields[at]!.attribute, writer)
      bytes += this.#appendValue(columns[number]!, row, at) + 2
    }
    if (this.#nanoseconds.length > 0) {
      const number = columnOf(this.#nanosecondsAttribute!, writer)
      const { bytes: text, length } = this.#nanoseconds
      columns[number]!.appendBytes(row, text, 0, length)
      bytes += length + 2
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

/** Whether the number between `start` and `end` of `body`, without an exponent, is 0. */
function isZero(body: Buffer, start: number, end: number): boolean {
  for (let offset = start; offset < end; offset++) {
    if (body[offset] !== byte.zero && isDigit(body[offset])) return false
  }
  return true
}

/** The number of the attribute's column in the batch of `writer`. */
function columnOf(attribute: Attribute, writer: BatchWriter): number {
  if (attribute.batch !== writer.batch) {
    attribute.column = writer.columnNumber(attribute.name)
    attribute.batch = writer.batch
  }
  return attribute.column
}
