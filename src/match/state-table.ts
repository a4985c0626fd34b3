/**
 * An expression of `re2js` as a table: which state follows a state and a character. States are small
 * numbers, made when they are first reached, so that thousands of texts can be in one of them at once, and
 * that it can be said where all words of a kind lead. That is what columns ask that have texts in parts.
 *
 * `re2js` makes the states (its DFA); all that is added is their numbers and a bound. Expressions with more
 * states than are worth it have no table (`TooManyStates`).
 */
import type { RE2JS } from 're2js'
import type { PatternForm } from './pattern.ts'

/** No match follows. */
export const lost = 0
/** All that follows is a match. */
export const matched = 1

/** Words of one character or more. `word`: letters and digits of ASCII; `hex`: digits and "a" to "f". */
export type WordKind = 'digits' | 'hex' | 'word'

/** States of one expression; a few dozen as a rule. */
export const statesMax = 512
/** States times classes of characters, two bytes each. */
const cellsMax = 2 ** 18
/** Instructions looked at to make steps, 50 to 100 ns each. */
const instructionsMax = 2 ** 18
/** States that words may lead to, beyond which it is of no use to know them. */
const reachedMax = 64

/** Numbers of `re2js`, which does not export them. */
const anchors = { anywhere: 0, anchored: 2 } as const
const endOfText = -1
const unknown = -1

const characters: Readonly<Record<WordKind, string>> = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  word: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
}

/** A state of `re2js`. One that has taken a character too many is the match: it looks ahead by one. */
interface Re2State {
  readonly nfaStates: readonly number[]
  readonly isMatch: boolean
}

/** The expression has more states than are worth a table. */
export class TooManyStates extends Error {
  override readonly name = 'TooManyStates'

  constructor() {
    super('an expression has too many states for a table')
  }
}

/** All that takes steps throws TooManyStates. */
export class StateTable {
  readonly start: number
  readonly #dfa: ReturnType<RE2JS['re2']>['dfa']
  readonly #anchor: number
  /** Classes of characters; characters of a class are the same to the expression. */
  readonly #classCount: number
  /** State `next[state * classCount + class]`. */
  #next: Int16Array
  readonly #states: (Re2State | undefined)[] = [undefined, undefined]
  readonly #numbers = new Map<Re2State, number>()
  readonly #accepts: (boolean | undefined)[] = [false, true]
  readonly #reached: Record<WordKind, (readonly number[] | undefined)[]> = {
    digits: [],
    hex: [],
    word: [],
  }
  #instructionsLeft = instructionsMax

  constructor(expression: RE2JS, form: PatternForm) {
    this.#dfa = expression.re2().dfa
    this.#anchor = anchors[form]
    this.#classCount = this.#dfa.numClasses
    this.#next = new Int16Array(0)
    if (this.#dfa.failed) throw new TooManyStates()
    const everything = { context: () => -1 } // Of assertions: that a text begins is what counts.
    this.start = this.#numberOf(this.#dfa.start(everything, 0))
  }

  /** The state after a text. */
  overText(from: number, text: string): number {
    let state = from
    for (let at = 0; at < text.length && state > matched; ) {
      const rune = text.codePointAt(at)!
      at += rune > 0xffff ? 2 : 1
      state = this.#step(state, rune)
    }
    return state
  }

  /** The state after `bytes[start, end)`, which are ASCII. */
  overBytes(from: number, bytes: Uint8Array, start: number, end: number): number {
    let state = from
    const classes: Int32Array = this.#dfa.latin1Class
    for (let at = start; at < end && state > matched; at++) {
      const byte = bytes[at]!
      const next = this.#next[state * this.#classCount + classes[byte]!]!
      state = next === unknown ? this.#step(state, byte) : next
    }
    return state
  }

  /** Whether a text that ends in a state matches. */
  accepts(state: number): boolean {
    let accepts = this.#accepts[state]
    if (accepts === undefined) {
      const last = this.#re2Step(state, this.#classCount, endOfText)
      accepts = last.isMatch
      this.#accepts[state] = accepts
    }
    return accepts
  }

  /** The states that words of a kind lead to, each once; undefined: too many to say. */
  afterWords(state: number, kind: WordKind): readonly number[] | undefined {
    const known = this.#reached[kind]
    let reached = known[state]
    if (reached === undefined) {
      reached = this.#reach(state, kind)
      known[state] = reached
    }
    return reached.length > reachedMax ? undefined : reached
  }

  #reach(from: number, kind: WordKind): number[] {
    const runeOfClass = new Map<number, number>()
    for (const character of characters[kind]) {
      const rune = character.charCodeAt(0)
      runeOfClass.set(this.#dfa.runeClass(rune), rune)
    }
    const reached: number[] = []
    const isReached = new Set<number>()
    for (let at = -1; at < reached.length && reached.length <= reachedMax; at++) {
      const state = at === -1 ? from : reached[at]!
      for (const rune of runeOfClass.values()) {
        const next = this.#step(state, rune)
        if (isReached.has(next)) continue
        isReached.add(next)
        reached.push(next)
      }
    }
    return reached
  }

  #step(state: number, rune: number): number {
    if (state <= matched) return state
    const runeClass: number = this.#dfa.runeClass(rune)
    const cell = state * this.#classCount + runeClass
    const known = this.#next[cell]!
    if (known !== unknown) return known
    const next = this.#numberOf(this.#re2Step(state, runeClass, rune))
    this.#next[cell] = next
    return next
  }

  #re2Step(number: number, runeClass: number, rune: number): Re2State {
    const state = this.#states[number]!
    this.#instructionsLeft -= state.nfaStates.length + 1
    if (this.#instructionsLeft < 0) throw new TooManyStates()
    const next: Re2State | null = this.#dfa.step(state, runeClass, rune, this.#anchor)
    if (next === null) throw new TooManyStates()
    return next
  }

  #numberOf(state: Re2State | null): number {
    if (state === null) throw new TooManyStates()
    if (this.#anchor === anchors.anywhere && state.isMatch) return matched
    if (this.#anchor === anchors.anchored && state.nfaStates.length === 0) return lost
    const known = this.#numbers.get(state)
    if (known !== undefined) return known
    const number = this.#states.length
    if (number >= statesMax || (number + 1) * this.#classCount > cellsMax) throw new TooManyStates()
    this.#states.push(state)
    this.#numbers.set(state, number)
    this.#makeRoom()
    return number
  }

  #makeRoom(): void {
    const cells = this.#states.length * this.#classCount
    if (cells <= this.#next.length) return
    const next = new Int16Array(2 * cells).fill(unknown)
    next.set(this.#next)
    this.#next = next
  }
}

/** The table of an expression, made when it is first asked for, until it turns out to be too large. */
export class TableOfStates {
  readonly #expression: RE2JS
  readonly #form: PatternForm
  #table: StateTable | undefined
  #isTooLarge = false

  constructor(expression: RE2JS, form: PatternForm) {
    this.#expression = expression
    this.#form = form
  }

  /** What `use` returns; undefined when there are too many states, now or earlier. */
  use<Result>(use: (table: StateTable) => Result): Result | undefined {
    if (this.#isTooLarge) return undefined
    try {
      this.#table ??= new StateTable(this.#expression, this.#form)
      return use(this.#table)
    } catch (error) {
      if (!(error instanceof TooManyStates)) throw error
      this.#isTooLarge = true
      this.#table = undefined
      return undefined
    }
  }
}
