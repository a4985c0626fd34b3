/**
 * The literal texts without which a regular expression cannot match. They are cheap to look for, so
 * that only what has them is tried against the expression itself.
 *
 * Everything here errs on one side: a literal that is missing costs time, one too many loses records.
 * Only the outermost alternatives and their sequences are read. Groups, classes, optional parts,
 * escapes that are not known: none of them says anything. Neither does the whole of an expression
 * that ignores case, or one that is broken.
 */

import { matchAt } from './match-at.ts'

/** Texts that every match of an RE2 expression contains, the longest first; maybe none. */
export function requiredLiterals(source: string): string[] {
  const choices = literalChoices(source)
  return choices.length === 1 ? choices[0]! : []
}

/**
 * The same for each outermost alternative: every match contains all texts of one of the lists, the
 * longest first. A list may be empty, and says then that anything may match.
 */
export function literalChoices(source: string): string[][] {
  const choices: Sequence[] = [new Sequence()]
  let at = 0
  while (at < source.length) {
    const sequence = choices.at(-1)!
    const piece = pieceAt(source, at)
    if (piece.kind === 'literal') sequence.add(piece.text)
    else if (piece.kind === 'repeat') sequence.repeat(piece.isOptional)
    else if (piece.kind === 'opaque') sequence.interrupt()
    else if (piece.kind === 'alternative') choices.push(new Sequence())
    else if (piece.kind === 'unreadable') return [[]]
    at += piece.length
  }
  return choices.map(sequence => sequence.literals())
}

/** The literals of one alternative, gathered from left to right. */
class Sequence {
  readonly #finished = new Set<string>()
  /** Characters so far that follow each other directly. */
  #characters: string[] = []

  add(text: string): void {
    // What is not UTF-8 is read as U+FFFD, and has not these bytes. Surrogates have none at all.
    for (const character of text) {
      if (/[\ufffd\ud800-\udfff]/u.test(character)) this.interrupt()
      else this.#characters.push(character)
    }
  }

  /** Something follows that says nothing. */
  interrupt(): void {
    if (this.#characters.length > 0) this.#finished.add(this.#characters.join(''))
    this.#characters = []
  }

  /** The last character is repeated; an optional one may be missing. */
  repeat(isOptional: boolean): void {
    if (isOptional) this.#characters.pop()
    this.interrupt()
  }

  literals(): string[] {
    this.interrupt()
    return [...this.#finished].sort((a, b) => b.length - a.length)
  }
}

type Piece = { readonly length: number } & (
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'repeat'; readonly isOptional: boolean }
  /** `assertion` takes up no text: what is before and after it follow each other. */
  | { readonly kind: 'opaque' | 'assertion' | 'alternative' | 'unreadable' }
)

// Sticky, and each takes time in proportion to what it matches.
const flagsOnly = /\(\?[a-zA-Z-]*\)/y
const counted = /\{(\d+)(?:,\d*)?\}\??/y
const simpleRepeat = /[*+?]\??/y
const escaped = /\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|[pP].|[0-7]{1,3}|.)/suy
/** Escapes that stand for the character itself; RE2 has them for all ASCII punctuation. */
const escapedPunctuation = /^\\[!-/:-@[-`{-~]$/
const escapedAssertion = /^\\[bBAz]$/

function pieceAt(source: string, at: number): Piece {
  const character = source[at]!
  switch (character) {
    case '|':
      return { kind: 'alternative', length: 1 }
    case '^':
    case '$':
      return { kind: 'assertion', length: 1 }
    case '.':
      return { kind: 'opaque', length: 1 }
    case '*':
    case '+':
    case '?': {
      const { length } = matchAt(simpleRepeat, source, at)![0]
      return { kind: 'repeat', isOptional: character !== '+', length }
    }
    case '{': {
      const repeat = matchAt(counted, source, at)
      if (repeat === null) return { kind: 'literal', text: '{', length: 1 }
      return { kind: 'repeat', isOptional: Number(repeat[1]) === 0, length: repeat[0].length }
    }
    case '[':
      return opaqueUntil(source, at, classEnd(source, at))
    case '(':
      return groupAt(source, at)
    case ')':
      return { kind: 'unreadable', length: 1 }
    case '\\':
      return escapeAt(source, at)
    default: {
      const text = String.fromCodePoint(source.codePointAt(at)!)
      return { kind: 'literal', text, length: text.length }
    }
  }
}

function escapeAt(source: string, at: number): Piece {
  if (source.startsWith('\\Q', at)) {
    const close = source.indexOf('\\E', at + 2)
    const text = source.slice(at + 2, close === -1 ? source.length : close)
    return { kind: 'literal', text, length: text.length + (close === -1 ? 2 : 4) }
  }
  const match = matchAt(escaped, source, at)
  if (match === null) return { kind: 'unreadable', length: 1 }
  const [text] = match
  const { length } = text
  if (escapedPunctuation.test(text)) return { kind: 'literal', text: text.slice(1), length }
  return { kind: escapedAssertion.test(text) ? 'assertion' : 'opaque', length }
}

/** Flags for all that follows, or a group as a whole. */
function groupAt(source: string, at: number): Piece {
  const flags = matchAt(flagsOnly, source, at)
  if (flags !== null) {
    const ignoresCase = flags[0].includes('i')
    return { kind: ignoresCase ? 'unreadable' : 'opaque', length: flags[0].length }
  }
  let depth = 0
  let end = at
  while (end < source.length) {
    const character = source[end]!
    if (character === '\\') end += escapeAt(source, end).length
    else if (character === '[') end = classEnd(source, end)
    else {
      if (character === '(') depth++
      if (character === ')') depth--
      end++
      if (depth === 0) return opaqueUntil(source, at, end)
    }
  }
  return { kind: 'unreadable', length: 1 }
}

function opaqueUntil(source: string, start: number, end: number): Piece {
  return end > source.length
    ? { kind: 'unreadable', length: 1 }
    : { kind: 'opaque', length: end - start }
}

const namedClass = /\[:\^?\w*:\]/y

/** Where the class that begins at `start` ends; beyond the source when it does not. */
function classEnd(source: string, start: number): number {
  let at = start + 1
  if (source[at] === '^') at++
  if (source[at] === ']') at++ // In first place it is a member.
  while (at < source.length && source[at] !== ']') {
    if (source[at] === '\\') at += escapeAt(source, at).length
    else at += matchAt(namedClass, source, at)?.[0].length ?? 1
  }
  return at + 1
}
