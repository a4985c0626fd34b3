/**
 * Which of RE2's expressions JavaScript's own engine may match: it is some ten times as fast.
 *
 * Taken is a small part of the syntax in which the two languages are the same (flag `u`, no `i`),
 * given back as JavaScript's source; anything else returns undefined and stays with `re2js`.
 *
 * JavaScript's engine backtracks. So that it cannot stall, the most steps that an expression can
 * take are computed: a sequence multiplies the ways through its parts, an alternation adds them, a
 * repetition without end has one for each character, and all that may begin at any place. A
 * repetition that a character follows which it does not take has one way only: to the end of its run.
 * What begins with a text is tried at all places where that text stands, which cannot be closer to each
 * other than its period. From this follows the length of text up to which the expression is matched
 * natively.
 *
 * Texts must be well-formed UTF-16 (ours are decoded from UTF-8): on lone surrogates they may differ.
 */

import type { PatternForm } from './pattern.ts'

export interface NativePattern {
  /** For `new RegExp(source, 'u')`. */
  readonly source: string
  /** The longest text, in UTF-16 units, that surely takes at most `stepsMax`. */
  readonly textLengthMax: number
}

/** Steps for one text. The worst texts of the worst expressions were measured to take 1.2 ms. */
const stepsMax = 2 ** 20
const longestText = 4_096
/** An expression that is safe only for shorter texts than this is not worth two engines. */
const shortestText = 64
/** V8 refuses very large expressions, and only when they are first used. */
const sourceLengthMax = 1_000
const alternativesMax = 64
const countMax = 50

/** The native form of `source`, which RE2 must have taken already; undefined to use RE2. */
export function nativePattern(source: string, form: PatternForm): NativePattern | undefined {
  if (source.length > sourceLengthMax) {
    return undefined
  }
  for (let length = longestText; length >= shortestText; length = Math.floor(length * 0.75)) {
    const scanner = new Scanner(source, form, length)
    const whole = scanner.alternation()
    if (whole === undefined || !scanner.isAtEnd()) {
      return undefined
    }
    if (stepsFromAnywhere(whole, form, length) <= stepsMax) {
      const native = form === 'anchored' ? `^(?:${whole.native})$` : whole.native
      return { source: native, textLengthMax: length }
    }
  }
  return undefined
}

/** Steps taken to try a part from all places where it may begin. */
function stepsFromAnywhere({ steps, prefix }: Part, form: PatternForm, length: number): number {
  if (form === 'anchored') return steps
  const startCount = length + 1
  if (prefix.length < 2) return startCount * steps
  const foundMax = Math.floor(length / periodOf(prefix)) + 1
  return startCount * (prefix.length + 1) + foundMax * steps
}

/** How far apart two places of a text at least are: the shortest distance at which it goes over itself. */
function periodOf(text: string): number {
  let period = 1
  while (!text.endsWith(text.slice(0, -period))) period++
  return period
}

interface Part {
  readonly native: string
  /** In how many ways it can match from one place: how often what follows may be tried. */
  readonly ways: number
  /** Steps taken to try all of them. */
  readonly steps: number
  /** Characters that every match begins with; maybe none. */
  readonly prefix: string
}

interface Term extends Part {
  readonly repeats: 'freely' | 'optionally' | 'never'
  /** Matches most characters, as `.` does. */
  readonly isWide: boolean
  /** Of what matches one character: whether it matches this one. */
  readonly takes: ((character: string) => boolean) | undefined
  /** The one character that it matches, not repeated. */
  readonly literal: string | undefined
}

const onePlace = {
  ways: 1,
  steps: 1,
  prefix: '',
  isWide: false,
  takes: undefined,
  literal: undefined,
} as const

/** Whether a piece of an expression is one character that stands for itself. */
function isLiteral(written: string): boolean {
  literalToken.lastIndex = 0
  return literalToken.exec(written)?.[0] === written
}

interface Repetition {
  readonly native: string
  readonly min: number
  readonly max: number
}

const repetitionToken = /(?:([?*+])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/y
const groupToken = /\((?!\?)|\(\?:/y
/** Not `\B`, which V8 finds between the halves of a surrogate pair, even with flag `u`. */
const assertionToken = /[$^]|\\b/y
const literalToken = /[^\\^$.*+?()[\]{}|]|\\[!-/:-@[-`{-~]/uy
const escapeToken = /\\[dDwWsSnrtfv]/y
const classToken = /\[(\^|(?!\^))((?:[^\\[\]]|\\[!-/:-@[-`{-~dDwWsnrtfv])+)\]/uy
const classItemToken = /\\?./gsu

/** One pass over an expression. The steps hold for texts of up to `length` units. */
class Scanner {
  readonly #source: string
  readonly #form: PatternForm
  readonly #length: number
  #offset = 0
  #alternativeCount = 0
  #repetitionCount = 0

  constructor(source: string, form: PatternForm, length: number) {
    this.#source = source
    this.#form = form
    this.#length = length
  }

  isAtEnd(): boolean {
    return this.#offset === this.#source.length
  }

  alternation(): Part | undefined {
    const natives: string[] = []
    const prefixes: string[] = []
    let ways = 0
    let steps = 0
    do {
      this.#alternativeCount += 1
      const sequence = this.#sequence()
      if (sequence === undefined || this.#alternativeCount > alternativesMax) {
        return undefined
      }
      natives.push(sequence.native)
      prefixes.push(sequence.prefix)
      ways += sequence.ways
      steps += 1 + sequence.steps
    } while (this.#take(/\|/y) !== undefined)
    const prefix = prefixes.length === 1 ? prefixes[0]! : ''
    return { native: natives.join('|'), ways, steps, prefix }
  }

  #sequence(): Part | undefined {
    let native = ''
    let prefix = ''
    let isPrefix = true
    let ways = 1
    let steps = 0
    /** Of a repetition just before: what it takes, and the ways up to it. */
    let run: { readonly takes: Term['takes']; readonly waysBefore: number } | undefined
    while (!this.isAtEnd() && !/[|)]/.test(this.#source[this.#offset]!)) {
      const term = this.#term()
      const repeated = term && this.#repeated(term, native === '')
      if (term === undefined || repeated === undefined) {
        return undefined
      }
      const { literal } = repeated
      native += repeated.native
      steps += ways * repeated.steps
      if (literal !== undefined && run?.takes?.(literal) === false) ways = run.waysBefore
      const isRepeated = repeated !== term
      run = isRepeated ? { takes: term.takes, waysBefore: ways } : undefined
      ways *= repeated.ways
      isPrefix &&= literal !== undefined
      if (isPrefix) prefix += literal
    }
    return { native, ways, steps, prefix }
  }

  #repeated(
    term: Term,
    isFirst: boolean,
  ): Pick<Term, 'native' | 'ways' | 'steps' | 'literal'> | undefined {
    const token = this.#take(repetitionToken)
    if (token === undefined) {
      return term
    }
    this.#repetitionCount += 1
    const { native, min, max } = repetitionOf(token)
    if (max === 1 && min === 0 && term.repeats === 'optionally') {
      const [ways, steps] = [1 + term.ways, 1 + term.steps]
      return { native: `${term.native}${native}`, ways, steps, literal: undefined }
    }
    const isEndless = max === Number.POSITIVE_INFINITY
    if (term.repeats !== 'freely' || (isEndless ? min : max) > countMax) {
      return undefined
    }
    // From every place to the end of the text and back: bounded, but RE2 is faster at it.
    if (isEndless && term.isWide && isFirst && this.#form === 'anywhere') {
      return undefined
    }
    const most = Math.min(max, this.#length)
    return {
      native: `${term.native}${native}`,
      ways: Math.max(1, most - min + 1),
      steps: most + 1,
      literal: undefined,
    }
  }

  #term(): Term | undefined {
    if (this.#take(groupToken) !== undefined) {
      return this.#groupBody()
    }
    const assertion = this.#take(assertionToken)
    if (assertion !== undefined) {
      return { ...onePlace, native: assertion, repeats: 'never' }
    }
    const from = this.#offset
    const native = this.#character()
    if (native === undefined) return undefined
    const isWide = /^(?:\[\^|\\[DWS])/.test(native)
    const written = this.#source.slice(from, this.#offset)
    const literal = isLiteral(written) ? written.replace(/^\\/, '') : undefined
    const expression = new RegExp(`^${native}$`, 'u')
    const takes = (character: string) => expression.test(character)
    return { ...onePlace, native, repeats: 'freely', isWide, takes, literal }
  }

  #groupBody(): Term | undefined {
    const countBefore = this.#repetitionCount
    const inner = this.alternation()
    if (inner === undefined || this.#take(/\)/y) === undefined) {
      return undefined
    }
    const repeats = this.#repetitionCount === countBefore ? 'optionally' : 'never'
    return { ...onePlace, ...inner, native: `(?:${inner.native})`, repeats }
  }

  #character(): string | undefined {
    const literal = this.#take(literalToken)
    if (literal !== undefined) {
      return nativeLiteral(literal)
    }
    if (this.#take(/\./y) !== undefined) {
      return '[^\\n]'
    }
    const escaped = this.#take(escapeToken)
    if (escaped !== undefined) {
      return escaped.replace('\\s', '[\\t\\n\\f\\r ]').replace('\\S', '[^\\t\\n\\f\\r ]')
    }
    const set = this.#take(classToken)
    return set && nativeClass(set)
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#offset
    const text = token.exec(this.#source)?.[0]
    this.#offset += text?.length ?? 0
    return text
  }
}

function repetitionOf(token: string): Repetition {
  repetitionToken.lastIndex = 0
  const [, sign, min, comma, max] = repetitionToken.exec(token)!
  const endless = Number.POSITIVE_INFINITY
  if (sign !== undefined) {
    return { native: token, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : endless }
  }
  const least = Number(min)
  if (comma === undefined) {
    return { native: token, min: least, max: least }
  }
  return { native: token, min: least, max: max === '' ? endless : Number(max) }
}

/** With flag `u`, only what has a meaning may be escaped; RE2 lets any punctuation be. */
function nativeLiteral(literal: string): string {
  const character = literal.length > 1 && literal.startsWith('\\') ? literal.slice(1) : literal
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character
}

/** Items are characters, ranges and `\d`, `\w`, `\s`; a bare `-` elsewhere only first or last. */
function nativeClass(set: string): string | undefined {
  classToken.lastIndex = 0
  const [, negation, body] = classToken.exec(set)!
  const items = body!.match(classItemToken)!
  let native = ''
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]!
    const isInside = index > 0 && index < items.length - 1
    if (item === '-' && isInside) {
      const [before, after] = [items[index - 1]!, items[index + 1]!]
      const isRange = index <= 2 || items[index - 2] !== '-' // The first is only itself.
      if (!isRange || [before, after].some(end => end === '-' || /^\\[dDwWs]$/.test(end))) {
        return undefined
      }
      native += '-'
    } else {
      native += nativeClassItem(item)
    }
  }
  return `[${negation}${native}]`
}

function nativeClassItem(item: string): string {
  if (item === '\\s') {
    return '\\t\\n\\f\\r '
  }
  if (/^\\[dDwWnrtfv]$/.test(item)) {
    return item
  }
  const character = item.length > 1 && item.startsWith('\\') ? item.slice(1) : item
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character
}
