/** The variables of one slot that are integers. Searching compares numbers; no text is made. */

import { largestOf } from '../codes.ts'
import type { ValueCodes } from '../column.ts'
import { digitCount } from '../digits.ts'
import type { Integers } from '../integers.ts'
import type { Numbers } from '../numbers.ts'
import type { Fit, Word } from '../search-word.ts'
import { decides } from '../template-states.ts'
import { type Moves, moveByCodes } from './moves.ts'
import type { Digits } from './numbers.ts'
import type { Variables } from './variables.ts'

const byteValues = Uint8Array.from({ length: 256 }, (_, value) => value)

/** Integers from the least to the largest up to which they serve as codes. */
const codesMax = 65_536

/** Digits of any integer that seven planes can have, damaged ones too. */
const writtenMax = 20

export class IntegerVariables implements Variables {
  /** The least of the integers; the others are kept as what they have beyond it. */
  readonly #base: number
  readonly #beyond: Integers
  #knownLargest: number | undefined

  constructor(base: number, beyond: Integers) {
    this.#base = base
    this.#beyond = beyond
  }

  get heldBytes(): number {
    return this.#beyond.byteLength
  }

  /** Nobody asks for it who wants single ones. */
  get #largest(): number {
    this.#knownLargest ??= this.#base + largestOf(this.#beyond)
    return this.#knownLargest
  }

  mark(fit: Fit, word: Word, hits: Uint8Array): boolean {
    const isTooLong = word.number > this.#largest || word.text.length > digitCount(this.#largest)
    if (!word.isNumber || isTooLong) return false
    return this.#beyond instanceof Uint8Array && this.#beyond.length > byteValues.length
      ? this.#markByTable(this.#beyond, fit, word, hits)
      : this.#markEach(fit, word, hits)
  }

  /** Tests each value once that a byte can have. */
  #markByTable(beyond: Uint8Array, fit: Fit, word: Word, hits: Uint8Array): boolean {
    const verdicts = new Uint8Array(byteValues.length)
    const isAny = new IntegerVariables(this.#base, byteValues).#markEach(fit, word, verdicts)
    if (!isAny) return false
    let any = 0
    for (let i = 0; i < beyond.length; i++) {
      const verdict = verdicts[beyond[i]!]!
      hits[i]! |= verdict
      any |= verdict
    }
    return any === 1
  }

  #markEach(fit: Fit, word: Word, hits: Uint8Array): boolean {
    const { number, text } = word
    if (fit === 'contains')
      return word.digitSearch.mark(this.#beyond, this.#base, this.#largest, hits)
    if (fit === 'suffix') return this.#markEndingIn(number, text.length, hits)
    // An integer begins with a zero only if it is 0.
    if (text[0] === '0') return text === '0' && this.#markWithin(0, 0, hits)
    if (fit === 'equals') return this.#markWithin(number, number, hits)
    let isAny = false
    for (let factor = 1; number * factor <= this.#largest; factor *= 10) {
      if (this.#markWithin(number * factor, (number + 1) * factor - 1, hits)) isAny = true
    }
    return isAny
  }

  #markWithin(least: number, most: number, hits: Uint8Array): boolean {
    const beyond = this.#beyond
    const from = least - this.#base
    const to = most - this.#base
    if (to < 0) return false
    let isAny = false
    for (let i = 0; i < beyond.length; i++) {
      if (beyond[i]! >= from && beyond[i]! <= to) {
        hits[i] = 1
        isAny = true
      }
    }
    return isAny
  }

  /** Marks integers of at least so many digits, the last of which are `ending`. */
  #markEndingIn(ending: number, digits: number, hits: Uint8Array): boolean {
    const beyond = this.#beyond
    const base = this.#base
    const modulus = 10 ** digits
    const least = digits === 1 ? 0 : modulus / 10
    let isAny = false
    for (let i = 0; i < beyond.length; i++) {
      const value = base + beyond[i]!
      if (value >= least && value % modulus === ending) {
        hits[i] = 1
        isAny = true
      }
    }
    return isAny
  }

  textAt(index: number): string {
    return String(this.#base + this.#beyond[index]!)
  }

  codes(): ValueCodes | undefined {
    const codeCount = this.#largest - this.#base + 1
    if (codeCount > codesMax) return undefined
    const textOf = (code: number) => String(this.#base + code)
    return { codes: this.#beyond, codeCount, textOf }
  }

  integers(): Numbers {
    return { base: this.#base, distances: this.#beyond }
  }

  areDigits(): boolean {
    return true
  }

  appendDigits({ numbers, powers }: Digits): boolean {
    const beyond = this.#beyond
    const base = this.#base
    for (let i = 0; i < beyond.length; i++) {
      const value = base + beyond[i]!
      let power = 10
      while (power <= value) power *= 10
      numbers[i] = numbers[i]! * power + value
      powers[i] = power
    }
    return true
  }

  move(states: Uint16Array, moves: Moves): void {
    const beyond = this.#beyond
    const digits = new Uint8Array(writtenMax)
    const over = (state: number, distance: number) => {
      const start = writeDigits(this.#base + distance, digits, writtenMax)
      return moves.over(state, digits, start, writtenMax)
    }
    if (beyond instanceof Uint8Array) {
      moveByCodes(states, beyond, moves, over)
      return
    }
    for (let i = 0; i < states.length; i++) {
      const state = states[i]!
      const jump = moves.jumps[state]!
      states[i] = jump === decides ? over(state, beyond[i]!) : jump
    }
  }

  addLengths(lengths: Uint32Array): void {
    const beyond = this.#beyond
    const base = this.#base
    for (let i = 0; i < beyond.length; i++) lengths[i]! += digitCount(base + beyond[i]!)
  }

  write(target: Buffer, places: Uint32Array): void {
    const beyond = this.#beyond
    const base = this.#base
    for (let i = 0; i < beyond.length; i++) {
      const value = base + beyond[i]!
      const end = places[i]! + digitCount(value)
      writeDigits(value, target, end)
      places[i] = end
    }
  }
}

/** Writes an integer so that it ends before `end`. Returns where it begins. */
function writeDigits(value: number, target: Uint8Array, end: number): number {
  let rest = value
  let at = end
  do {
    const above = Math.floor(rest / 10)
    target[--at] = 0x30 + (rest - above * 10) // Not to pass 2^53 on the way.
    rest = above
  } while (rest > 0)
  return at
}
