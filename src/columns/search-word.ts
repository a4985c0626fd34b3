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

/** Whether a variable's text holds a word in the way asked. */
export function fits(written: string, fit: Fit, word: Word): boolean {
  const text = word.isInAnyCase ? written.toLowerCase() : written
  if (fit === 'equals') return text === word.text
  if (fit === 'prefix') return text.startsWith(word.text)
  return fit === 'suffix' ? text.endsWith(word.text) : text.includes(word.text)
}
