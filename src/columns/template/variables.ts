/**
 * The variables of one slot as they are read back: searched without being turned into text, and
 * written back into their texts.
 */
import type { ValueCodes } from '../column.ts'
import { areDigits, digitsMax } from '../digits.ts'
import type { Integers } from '../integers.ts'
import type { Numbers } from '../numbers.ts'
import { unpackPlanes } from '../planes.ts'
import { type Fit, fits, type Word } from '../search-word.ts'
import { IntegerVariables } from './integers.ts'
import { type Moves, moveByCodes } from './moves.ts'
import type { Digits } from './numbers.ts'
import type { SlotPlaces } from './slot-places.ts'
import { codePlanes, slotKinds } from './slots.ts'
import { TextVariables } from './texts.ts'

/** Variables are numbered from 0 in the order of the texts that have the template. */
export interface Variables {
  /** Marks with 1, in `hits`, each variable that holds the word so. Returns whether any does. */
  mark(fit: Fit, word: Word, hits: Uint8Array): boolean
  textAt(index: number): string
  /** A small number for each variable, the same for the same text. Undefined where there are none. */
  codes(): ValueCodes | undefined
  /** The integers that the variables are, as JavaScript writes them. Undefined: some may not be. */
  integers(): Numbers | undefined
  /** Whether all are digits and nothing else; `asWhole`: as a number begins, without a zero to fill it. */
  areDigits(asWhole: boolean): boolean
  /** Appends the digits of each variable to those of its text. False when one is something else than
   *  digits; what was appended until then means nothing. */
  appendDigits(digits: Digits): boolean
  /** Moves the state of each text over its variable. */
  move(states: Uint16Array, moves: Moves): void
  /** Adds the length of each variable to that of its text. */
  addLengths(lengths: Uint32Array): void
  /** Writes each variable at the place where its text has got to, and moves that on. */
  write(target: Buffer, places: Uint32Array): void
  /** Bytes of memory held beyond those of the chunk. */
  readonly heldBytes: number
}

/**
 * Whether any variable of a slot can hold a word, as far as the directory tells: what cannot is not
 * read. Letters are never in integers.
 */
export function mayHold(slots: SlotPlaces, slot: number, word: Word): boolean {
  const kind = slots.kind(slot)
  const { length } = word.text
  if (kind === slotKinds.integer) {
    if (!word.isNumber) return false
    const bound = slots.parameter(slot, 0) + 256 ** slots.parameter(slot, 1) // Above the largest.
    return length <= String(bound).length
  }
  if (kind === slotKinds.hex) return word.isHex && length <= slots.parameter(slot, 0)
  return true
}

/** Bytes that no variable of a slot has more of, as far as the directory tells. */
export function variableLengthMax(slots: SlotPlaces, slot: number): number {
  const first = slots.parameter(slot, 0)
  const second = slots.parameter(slot, 1)
  switch (slots.kind(slot)) {
    case slotKinds.constant:
    case slotKinds.hex:
      return first
    case slotKinds.integer:
      return digitsMax
    case slotKinds.dictionary:
      return second + 256 ** slots.parameter(slot, 2)
    default:
      return first + 256 ** second
  }
}

/** Reads the `count` variables of a slot from its chunk. Throws a RangeError when they do not fit. */
export function openVariables(
  slots: SlotPlaces,
  slot: number,
  chunk: Buffer,
  count: number,
): Variables {
  const start = slots.offset(slot)
  const first = slots.parameter(slot, 0)
  const second = slots.parameter(slot, 1)
  const third = slots.parameter(slot, 2)
  if (slots.kind(slot) === slotKinds.integer) {
    return new IntegerVariables(first, unpackPlanes(chunk, count, second, start))
  }
  const bytes = chunk.subarray(start, start + slots.bytes(slot))
  switch (slots.kind(slot)) {
    case slotKinds.constant:
      return new ConstantVariables(bytes, count)
    case slotKinds.hex:
      return TextVariables.fromHex(bytes, count, first)
    case slotKinds.text:
      return TextVariables.read(bytes, count, first, second, third)
    default: {
      const codesBytes = codePlanes(first) * count
      const codes = unpackPlanes(bytes, count, codePlanes(first))
      const entries = bytes.subarray(codesBytes)
      return new DictionaryVariables(
        codes,
        TextVariables.read(entries, first, second, third, slots.parameter(slot, 3)),
      )
    }
  }
}

class ConstantVariables implements Variables {
  readonly heldBytes = 0
  readonly #bytes: Buffer
  readonly #count: number

  constructor(bytes: Buffer, count: number) {
    this.#bytes = bytes
    this.#count = count
  }

  mark(fit: Fit, word: Word, hits: Uint8Array): boolean {
    if (!fits(this.#bytes, 0, this.#bytes.length, fit, word)) return false
    hits.fill(1, 0, this.#count)
    return true
  }

  textAt(): string {
    return this.#bytes.toString('latin1')
  }

  codes(): ValueCodes {
    return { codes: new Uint8Array(this.#count), codeCount: 1, textOf: () => this.textAt() }
  }

  integers(): undefined {
    return undefined
  }

  areDigits(asWhole: boolean): boolean {
    return areDigits(this.#bytes, 0, this.#bytes.length, asWhole)
  }

  appendDigits({ numbers, powers }: Digits): boolean {
    const text = this.textAt()
    if (!/^[0-9]+$/.test(text)) return false
    const value = Number(text)
    const power = 10 ** text.length
    for (let i = 0; i < this.#count; i++) numbers[i] = numbers[i]! * power + value
    powers.fill(power)
    return true
  }

  move(states: Uint16Array, moves: Moves): void {
    const bytes = this.#bytes
    const over = (state: number) => moves.over(state, bytes, 0, bytes.length)
    moveByCodes(states, new Uint8Array(this.#count), moves, over)
  }

  addLengths(lengths: Uint32Array): void {
    for (let i = 0; i < this.#count; i++) lengths[i]! += this.#bytes.length
  }

  write(target: Buffer, places: Uint32Array): void {
    writeConstant(this.#bytes, target, places)
  }
}

/** Writes the same bytes at each place, and moves the places on. */
export function writeConstant(bytes: Uint8Array, target: Buffer, places: Uint32Array): void {
  const { length } = bytes
  for (let i = 0; i < places.length; i++) {
    const into = places[i]!
    for (let at = 0; at < length; at++) target[into + at] = bytes[at]!
    places[i] = into + length
  }
}

class DictionaryVariables implements Variables {
  readonly #codes: Integers
  readonly #entries: TextVariables

  constructor(codes: Integers, entries: TextVariables) {
    for (let i = 0; i < codes.length; i++) {
      if (codes[i]! >= entries.count) {
        throw new RangeError(`a dictionary of ${entries.count} words has no word ${codes[i]}`)
      }
    }
    this.#codes = codes
    this.#entries = entries
  }

  get heldBytes(): number {
    return this.#codes.byteLength + this.#entries.heldBytes
  }

  mark(fit: Fit, word: Word, hits: Uint8Array): boolean {
    const verdicts = new Uint8Array(this.#entries.count)
    if (!this.#entries.mark(fit, word, verdicts)) return false
    const codes = this.#codes
    for (let i = 0; i < codes.length; i++) hits[i]! |= verdicts[codes[i]!]!
    return true // Each entry occurs.
  }

  textAt(index: number): string {
    return this.#entries.textAt(this.#codes[index]!)
  }

  codes(): ValueCodes {
    const textOf = (code: number) => this.#entries.textAt(code)
    return { codes: this.#codes, codeCount: this.#entries.count, textOf }
  }

  integers(): undefined {
    return undefined
  }

  areDigits(asWhole: boolean): boolean {
    return this.#entries.areDigits(asWhole)
  }

  appendDigits({ numbers, powers }: Digits): boolean {
    const { count } = this.#entries
    const entries = { numbers: new Float64Array(count), powers: new Float64Array(count) }
    if (!this.#entries.appendDigits(entries)) return false
    const codes = this.#codes
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i]!
      const power = entries.powers[code]!
      numbers[i] = numbers[i]! * power + entries.numbers[code]!
      powers[i] = power
    }
    return true
  }

  move(states: Uint16Array, moves: Moves): void {
    const { offsets, bytes } = this.#entries.texts
    const over = (state: number, code: number) =>
      moves.over(state, bytes, offsets[code]!, offsets[code + 1]!)
    moveByCodes(states, this.#codes, moves, over)
  }

  addLengths(lengths: Uint32Array): void {
    const codes = this.#codes
    const { offsets } = this.#entries.texts
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i]!
      lengths[i]! += offsets[code + 1]! - offsets[code]!
    }
  }

  write(target: Buffer, places: Uint32Array): void {
    const codes = this.#codes
    const { offsets, bytes } = this.#entries.texts
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i]!
      const end = offsets[code + 1]!
      let into = places[i]!
      for (let at = offsets[code]!; at < end; at++) target[into++] = bytes[at]!
      places[i] = into
    }
  }
}
