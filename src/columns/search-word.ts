/**
 * A word of a search text, as template columns look for it among their variables.
 */
import { DigitSearch } from './search-digits.ts'

/** How a variable must hold a word for a search text to be found. */
export type Fit = 'equals' | 'prefix' | 'suffix' | 'contains'

/** One run of letters and digits out of a search text. Made once and tried on many columns. */
export class Word {
  readonly text: string
  readonly bytes: Buffer
  /** The word as a number; NaN when it has letters. Inexact, and of no use, beyond 2^53. */
  readonly number: number
  /** Whether all of it is digits. */
  readonly isNumber: boolean
  /** Whether all of it is lower-case hexadecimal digits. */
  readonly isHex: boolean
  /** Whether variables may hold it in any case; it is in lower case then. */
  readonly isInAnyCase: boolean
  #digitSearch: DigitSearch | undefined

  constructor(text: string, isInAnyCase = false) {
    this.isInAnyCase = isInAnyCase
    this.text = text
    this.bytes = Buffer.from(text, 'latin1')
    this.isNumber = /^[0-9]+$/.test(text)
    this.isHex = /^[0-9a-f]+$/.test(text)
    this.number = this.isNumber ? Number(text) : Number.NaN
  }

  /** Finds the word inside numbers. Only for words that are digits. */
  get digitSearch(): DigitSearch {
    this.#digitSearch ??= new DigitSearch(this.text)
    return this.#digitSearch
  }
}

/** Whether a variable, `bytes[start, end)` in ASCII, holds a word in the way asked. */
export function fits(bytes: Uint8Array, start: number, end: number, fit: Fit, word: Word): boolean {
  const last = end - word.bytes.length
  if (last < start) return false
  if (fit === 'equals') return last === start && isAt(bytes, start, word)
  if (fit === 'prefix') return isAt(bytes, start, word)
  if (fit === 'suffix') return isAt(bytes, last, word)
  for (let at = start; at <= last; at++) if (isAt(bytes, at, word)) return true
  return false
}

function isAt(bytes: Uint8Array, at: number, { bytes: wanted, isInAnyCase }: Word): boolean {
  for (let i = 0; i < wanted.length; i++) {
    const byte = bytes[at + i]!
    const isUpper = isInAnyCase && byte >= 0x41 && byte <= 0x5a
    if ((isUpper ? byte | 0x20 : byte) !== wanted[i]) return false
  }
  return true
}
