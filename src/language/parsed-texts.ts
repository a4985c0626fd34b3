/**
 * What texts were parsed to, for those who ask the same again: a dashboard that refreshes, a page that
 * comes back. Trees are never changed, so whoever asks may have the same one.
 */

import { ParsedShapes } from './parsed-shapes.ts'

/** Texts that are kept, and their length, in characters. */
const textsMax = 128
const textLengthMax = 1_000
/**
 * One of so many is parsed even so, but at most every so many ms: code that nobody runs is thrown away by
 * V8, and the next new text would wait until it is compiled again. It goes when garbage was collected
 * several times, so who asks a thousand times a second needs no sixty parses for it, which took a tenth
 * of such a question.
 */
const askedPerParse = 16
const parseEveryMs = 100

export class ParsedTexts<Parsed> {
  readonly #parse: (text: string) => Parsed
  readonly #shapes: ParsedShapes<Parsed>
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Parsed>()
  readonly #now: () => number
  #asked = 0
  #parsedAt = Number.NEGATIVE_INFINITY

  /** `parse` gives the same plain data for the same text, at any time. What it throws is thrown each time. */
  constructor(parse: (text: string) => Parsed, now = () => performance.now()) {
    this.#parse = parse
    this.#now = now
    this.#shapes = new ParsedShapes(parse)
  }

  of(text: string): Parsed {
    const kept = this.#kept.get(text)
    const isParsed = this.#isParsedAnew()
    if (text.length > textLengthMax) return this.#parse(text)
    const parsed = isParsed
      ? this.#parse(text)
      : (kept ?? this.#shapes.of(text) ?? this.#parse(text))
    if (kept !== undefined) this.#kept.delete(text)
    this.#kept.set(text, parsed)
    if (this.#kept.size > textsMax) this.#kept.delete(this.#kept.keys().next().value!)
    return parsed
  }

  #isParsedAnew(): boolean {
    if (++this.#asked % askedPerParse !== 0) return false
    const now = this.#now()
    if (now - this.#parsedAt < parseEveryMs) return false
    this.#parsedAt = now
    return true
  }
}
