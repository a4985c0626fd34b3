/**
 * How large an expression will be once compiled, told from its text alone.
 *
 * Compiling `(…1,300 letters…){1000}` takes 0.8 s and 90 MB, so an expression has to be refused
 * before it is compiled. The cost is an upper bound of the instructions of the compiled program
 * (a property test holds it to that), with surcharges for what takes the compiler far longer than
 * an instruction: Unicode classes, and wide ranges of letters in either case, 3 ms each.
 * It does not check the syntax: a broken expression gets some cost, and the compiler refuses it.
 */

import { matchAt } from './match-at.ts'

/** A program that matches nothing but the empty text: fail, do nothing, match. */
const emptyCost = 3

/** `\pL` and `[:alpha:]` are one instruction, and take as long as some twenty others. */
const namedClassCost = 20

/** Under `(?i)` the compiler looks at each character of a range; so many take as long as one
 *  instruction. */
const foldedPerInstruction = 64

/** A capturing group is two instructions, and an empty one needs one more. */
const groupCost = 3

/** One group under way. The last atom is kept apart: a repetition that follows multiplies it. */
interface Group {
  before: number
  lastAtom: number
}

/** One piece of an expression, and how many characters it takes up. */
type Piece = { readonly length: number } & (
  | { readonly kind: 'atom'; readonly cost: number }
  | { readonly kind: 'repeat'; readonly times: number; readonly extra: number }
  | { readonly kind: 'open' | 'close' }
)

/** Instructions that `source` compiles to, or somewhat more. Takes time in proportion to it. */
export function patternCost(source: string): number {
  const outer: Group[] = []
  let group: Group = { before: emptyCost, lastAtom: 0 }

  const isFolded = /\(\?[\w-]*i/.test(source) // Somewhere; where it ends makes no difference here.

  const addAtom = (cost: number) => {
    group.before += group.lastAtom
    group.lastAtom = cost
  }

  let offset = 0
  while (offset < source.length) {
    const piece = pieceAt(source, offset, isFolded)
    switch (piece.kind) {
      case 'atom':
        addAtom(piece.cost)
        break
      case 'repeat':
        group.lastAtom = group.lastAtom * piece.times + piece.extra
        break
      case 'open':
        outer.push(group)
        group = { before: 0, lastAtom: 0 }
        break
      case 'close': {
        const inner = group.before + group.lastAtom + groupCost
        group = outer.pop() ?? { before: 0, lastAtom: 0 }
        addAtom(inner)
        break
      }
    }
    offset += piece.length
  }
  const unclosed = outer.reduce((sum, { before, lastAtom }) => sum + before + lastAtom, 0)
  return unclosed + group.before + group.lastAtom
}

// Sticky, and each takes time in proportion to what it matches, never to what follows.
const flagsOnly = /\(\?[\w-]*\)/y
const groupHead = /\((?:\?(?:P?<\w*>|[\w-]*:)?)?/y
const countedRepeat = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y
const namedClass = /\[:\^?\w*:\]/y
const escaped = /\\(?:[px]\{\^?\w{0,64}\}|p.|.?)/isy

function pieceAt(source: string, offset: number, isFolded: boolean): Piece {
  switch (source[offset]) {
    case '(': {
      const flags = matchAt(flagsOnly, source, offset)
      return flags === null // Flags change what follows, and are nothing in themselves.
        ? { kind: 'open', length: matchAt(groupHead, source, offset)![0].length }
        : { kind: 'repeat', times: 1, extra: 0, length: flags[0].length }
    }
    case ')':
      return { kind: 'close', length: 1 }
    case '|':
      return { kind: 'atom', cost: 2, length: 1 } // One to branch, one if the branch is empty.
    case '*':
    case '+':
    case '?':
      return { kind: 'repeat', times: 1, extra: 2, length: 1 }
    case '{':
      return repeatAt(source, offset)
    case '[':
      return classPiece(source.slice(offset, classEnd(source, offset)), isFolded)
    case '\\':
      return source[offset + 1] === 'Q'
        ? quotedAt(source, offset)
        : classPiece(matchAt(escaped, source, offset)![0], isFolded)
    default:
      return { kind: 'atom', cost: 1, length: 1 }
  }
}

function repeatAt(source: string, offset: number): Piece {
  const match = matchAt(countedRepeat, source, offset)
  if (match === null) {
    return { kind: 'atom', cost: 1, length: 1 }
  }
  const [text, least, comma, most = least] = match
  const times = Math.max(1, Number(least), Number(most))
  const extra = comma === undefined ? 0 : 2 + Math.max(0, Number(most) - Number(least))
  return { kind: 'repeat', times, extra, length: text.length }
}

/** `\Q…\E`: every character stands for itself. */
function quotedAt(source: string, offset: number): Piece {
  const close = source.indexOf('\\E', offset)
  const length = (close < 0 ? source.length : close + 2) - offset
  return { kind: 'atom', cost: length, length }
}

/** A class or an escape: one instruction, and the tables that are made for it. */
function classPiece(text: string, isFolded: boolean): Piece {
  let cost = 1 + namedClassCost * (text.match(/\\p|\[:/gi)?.length ?? 0)
  if (isFolded) {
    for (const [, from, to] of text.matchAll(range)) {
      const width = Math.abs(codePointOf(to!) - codePointOf(from!))
      cost += Math.ceil(width / foldedPerInstruction)
    }
  }
  return { kind: 'atom', cost, length: text.length }
}

const range = /(\\x\{\w{0,8}\}|\\\W|\\x?\w{0,3}|.)-(\\x\{\w{0,8}\}|\\\W|\\x?\w{0,3}|.)/gsu

/** What a member of a class stands for; near enough 0 for octal digits, `\n`, `\w` and the like. */
function codePointOf(member: string): number {
  const digits = /^\\x\{?([0-9A-Fa-f]+)\}?$/.exec(member)?.[1]
  if (digits !== undefined) {
    return Number.parseInt(digits, 16)
  }
  const symbol = /^\\(\W)/su.exec(member)?.[1]
  return member.startsWith('\\') && symbol === undefined ? 0 : (symbol ?? member).codePointAt(0)!
}

/** The offset just after the class that begins at `start`, or the end when it is not closed. */
function classEnd(source: string, start: number): number {
  let offset = start + 1
  if (source[offset] === '^') {
    offset += 1
  }
  if (source[offset] === ']') {
    offset += 1 // In first place it is a member.
  }
  while (offset < source.length && source[offset] !== ']') {
    const member = source[offset]
    if (member === '\\') {
      offset += 2
    } else {
      offset += member === '[' ? (matchAt(namedClass, source, offset)?.[0].length ?? 1) : 1
    }
  }
  return Math.min(offset + 1, source.length)
}
