/**
 * What texts were parsed to, for those who ask the same again: a dashboard that refreshes, a page that
 * comes back. Trees are never changed, so whoever asks may have the same one.
 */

import { ParsedShapes } from './parsed-shapes.ts'

/** Texts that are kept, and their length, in characters. */
const textsMax = 128
const textLengthMax = 1_000
/**
 * One of so many is parsed even so: code that nobody runs is thrown away by V8, and the next new text would
 * wait until it is compiled again.
 */
const askedPerParse = 16

export class ParsedTexts<Parsed> {
  readonly #parse: (text: string) => Parsed
  readonly #shapes: ParsedShapes<Parsed>
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Parsed>()
  #asked = 0

  /** `parse` gives the same plain data for the same text, at any time. What it throws is thrown each time. */
  constructor(parse: (text: string) => Parsed) {
    this.#parse = parse
    this.#shapes = new ParsedShapes(parse)
  }

  of(text: string): Parsed {
    const kept = this.#kept.get(text)
    const isParsed = ++this.#asked % askedPerParse === 0
    if (text.length > textLengthMax) return this.#parse(text)
    const parsed = isParsed
      ? this.#parse(text)
      : (kept ?? this.#shapes.of(text) ?? this.#parse(text))
    if (kept !== undefined) this.#kept.delete(text)
    this.#kept.set(text, parsed)
    if (this.#kept.size > textsMax) this.#kept.delete(this.#kept.keys().next().value!)
    return parsed
  }
}
