/** The variables of one slot as bytes end to end: words of any kind, and hexadecimal digits. */
import type { TextColumn } from '../column.ts'
import { areDigits } from '../digits.ts'
import { lowered } from '../lower-case.ts'
import { offsetsFrom } from '../plain.ts'
import { unpackPlanes } from '../planes.ts'
import type { Fit, Word } from '../search-word.ts'
import { decides } from '../template-states.ts'
import type { Moves } from './moves.ts'
import type { Digits } from './numbers.ts'
import type { Variables } from './variables.ts'

const zero = 0x30

export class TextVariables implements Variables {
  readonly texts: TextColumn
  readonly #longest: number

  constructor(texts: TextColumn) {
    this.texts = texts
    const { offsets } = texts
    let longest = 0
    for (let i = 1; i < offsets.length; i++) {
      const length = offsets[i]! - offsets[i - 1]!
      if (length > longest) longest = length
    }
    this.#longest = longest
  }

  /** Reads the planes of the lengths beyond the least, then the bytes. */
  static read(
    bytes: Buffer,
    count: number,
    leastLength: number,
    lengthPlanes: number,
    textBytes: number,
  ): TextVariables {
    const offsets = offsetsFrom(unpackPlanes(bytes, count, lengthPlanes), leastLength)
    if (offsets[count] !== textBytes) {
      throw new RangeError(`words of ${offsets[count]} bytes stand in ${textBytes} bytes`)
    }
    return new TextVariables({ offsets, bytes: bytes.subarray(lengthPlanes * count) })
  }

  /** Reads hexadecimal digits of `length` each, two in a byte. */
  static fromHex(bytes: Buffer, count: number, length: number): TextVariables {
    const digits = Buffer.from(bytes.toString('hex'), 'latin1')
    const offsets = offsetsFrom(new Uint32Array(count).fill(length))
    return new TextVariables({ offsets, bytes: digits })
  }

  get count(): number {
    return this.texts.offsets.length - 1
  }

  get heldBytes(): number {
    return this.texts.offsets.byteLength + this.texts.bytes.length
  }

  mark(fit: Fit, word: Word, hits: Uint8Array): boolean {
    if (word.text.length > this.#longest) return false
    const { offsets, bytes } = this.texts
    const texts = word.isInAnyCase ? { offsets, bytes: lowered(bytes) } : this.texts
    return fit === 'contains'
      ? markContaining(texts, word.bytes, hits)
      : markAtEnds(texts, fit, word.bytes, hits)
  }

  textAt(index: number): string {
    const { offsets, bytes } = this.texts
    return bytes.toString('latin1', offsets[index]!, offsets[index + 1]!)
  }

  /** Finding out which are the same takes as long as looking at all. */
  codes(): undefined {
    return undefined
  }

  integers(): undefined {
    return undefined
  }

  areDigits(asWhole: boolean): boolean {
    const { offsets, bytes } = this.texts
    for (let i = 0; i < this.count; i++) {
      if (!areDigits(bytes, offsets[i]!, offsets[i + 1]!, asWhole)) return false
    }
    return true
  }

  appendDigits({ numbers, powers }: Digits): boolean {
    const { offsets, bytes } = this.texts
    for (let i = 0; i < numbers.length; i++) {
      const end = offsets[i + 1]!
      let number = numbers[i]!
      let power = 1
      for (let at = offsets[i]!; at < end; at++) {
        const digit = bytes[at]! - zero
        if (digit < 0 || digit > 9) return false
        number = number * 10 + digit
        power *= 10
      }
      if (power === 1) return false
      numbers[i] = number
      powers[i] = power
    }
    return true
  }

  move(states: Uint16Array, { jumps, over }: Moves): void {
    const { offsets, bytes } = this.texts
    for (let i = 0; i < states.length; i++) {
      const state = states[i]!
      const jump = jumps[state]!
      states[i] = jump === decides ? over(state, bytes, offsets[i]!, offsets[i + 1]!) : jump
    }
  }

  addLengths(lengths: Uint32Array): void {
    const { offsets } = this.texts
    for (let i = 0; i < lengths.length; i++) lengths[i]! += offsets[i + 1]! - offsets[i]!
  }

  write(target: Buffer, places: Uint32Array): void {
    const { offsets, bytes } = this.texts
    for (let i = 0; i < places.length; i++) {
      const end = offsets[i + 1]!
      let into = places[i]!
      for (let at = offsets[i]!; at < end; at++) target[into++] = bytes[at]!
      places[i] = into
    }
  }
}

/** One search over all values end to end; a find that spans two values is none. */
function markContaining({ offsets, bytes }: TextColumn, word: Buffer, hits: Uint8Array): boolean {
  let isAny = false
  let index = 0
  let at = bytes.indexOf(word)
  while (at !== -1) {
    while (offsets[index + 1]! <= at) index++
    const end = offsets[index + 1]!
    const isInside = at + word.length <= end
    if (isInside) {
      hits[index] = 1
      isAny = true
    }
    at = bytes.indexOf(word, isInside ? end : at + 1)
  }
  return isAny
}

function markAtEnds(
  { offsets, bytes }: TextColumn,
  fit: Exclude<Fit, 'contains'>,
  word: Buffer,
  hits: Uint8Array,
): boolean {
  const { length } = word
  const count = offsets.length - 1
  let isAny = false
  for (let i = 0; i < count; i++) {
    const end = offsets[i + 1]!
    const start = fit === 'suffix' ? end - length : offsets[i]!
    const hasRoom =
      fit === 'equals' ? end - start === length : start >= offsets[i]! && start + length <= end
    if (!hasRoom) continue
    let at = 0
    while (at < length && bytes[start + at] === word[at]) at++
    if (at === length) {
      hits[i] = 1
      isAny = true
    }
  }
  return isAny
}
