/**
 * An expression of `re2js` run as an automaton whose states are bits: all states that a text may be in are
 * advanced at once, 32 in one operation. (Glushkov's automaton, and bit parallelism after Navarro and
 * Raffinot, "Flexible Pattern Matching in Strings", 2002.)
 *
 * It takes over where states would have to be collected without end, as of `[a-z]{500}\d`: then `re2js`
 * takes 7 to 15 ns per character and instruction, this 1 ns per character and 10 instructions or so. What
 * it can say is only whether a text matches, which is all that is asked.
 *
 * A bit is an instruction that takes a character; the last bit is the match. Most instructions lead to the
 * next one or the one after it, and the bits of all these are shifted at once; the others lead to what
 * their row names.
 */
import type { RE2JS } from 're2js'
import { lookAtTurn } from '../threads/turn.ts'
import type { PatternForm } from './pattern.ts'

type Re2 = ReturnType<RE2JS['re2']>

/** How `re2js` hands a text over: by code points, each with its width in bits 0 to 2. */
export interface PatternInput {
  step(offset: number): number
  /** Which assertions hold at a place. */
  context(offset: number): number
  endPos(): number
}

/** Kinds of instructions; numbers of `re2js`, which does not export them. */
const op = { alt: 1, altMatch: 2, capture: 3, assertion: 4, match: 6, nop: 7 } as const
const runeOps = { first: 8, last: 11 } as const

/** Operations between two looks at the clock: 0.1 ms. */
const operationsPerLook = 2 ** 15
/** Bytes of the masks of characters that are kept. */
const maskBytesMax = 4 * 1024 * 1024
/** Words of all rows, per instruction, up to which this is worth it. */
const rowWordsPerBit = 4

/** Where instructions lead, under the assertions that hold after their character. */
interface Follow {
  /** Where a match may begin. */
  readonly start: Uint32Array
  /** Bits that lead to the next bit, and those that lead to the one after it; `others` left out. */
  readonly shifted: Uint32Array
  readonly shiftedTwice: Uint32Array
  /** All others that lead anywhere. */
  readonly others: Uint32Array
  /** By bit of `others`: words and what is set in them, in turns. Several bits share one. */
  readonly rows: readonly (Row | undefined)[]
}

interface Row {
  readonly words: Int32Array
  /** The step in which it was last set. */
  step: number
}

export class BitAutomaton {
  readonly #re2: Re2
  /** Instructions by bit, and bits by instruction. */
  readonly #pcs: number[] = []
  readonly #bits = new Map<number, number>()
  readonly #wordCount: number
  /** Assertions that the expression has. */
  readonly #assertions: number
  readonly #follows = new Map<number, Follow | undefined>()
  /** By class of characters: the instructions that take it. */
  #masks: Uint32Array[] = []
  #maskBytes = 0
  #active: Uint32Array
  #next: Uint32Array

  constructor(re2: Re2) {
    this.#re2 = re2
    let assertions = 0
    for (let pc = 0; pc < re2.prog.numInst(); pc++) {
      const instruction = re2.prog.getInst(pc)
      if (isRuneOp(instruction.op)) {
        this.#bits.set(pc, this.#pcs.length)
        this.#pcs.push(pc)
      }
      if (instruction.op === op.assertion) assertions |= instruction.arg
    }
    this.#assertions = assertions
    this.#wordCount = (this.#pcs.length >>> 5) + 1
    this.#active = new Uint32Array(this.#wordCount)
    this.#next = new Uint32Array(this.#wordCount)
  }

  /**
   * Whether the text matches; undefined when the instructions lead to too many others for this to be
   * quick. Takes time in proportion to the text and to the instructions. Throws TurnOver.
   */
  matches(input: PatternInput, form: PatternForm): boolean | undefined {
    const end = input.endPos()
    const isAnchored = form === 'anchored'
    const matchBit = this.#pcs.length
    const matchWord = matchBit >>> 5
    const matchMask = 1 << (matchBit & 31)
    let follow = this.#followAt(input, 0)
    if (follow === undefined) return undefined
    this.#active.set(follow.start)
    let operations = operationsPerLook
    for (let offset = 0; offset < end; ) {
      if (!isAnchored && (this.#active[matchWord]! & matchMask) !== 0) return true
      operations -= this.#wordCount
      if (operations < 0) {
        lookAtTurn()
        operations = operationsPerLook
      }
      const step = input.step(offset)
      offset += step & 7
      if (this.#assertions !== 0) follow = this.#followAt(input, offset)
      if (follow === undefined) return undefined
      const isAlive = this.#advance(this.#maskOf(step >> 3), follow, isAnchored)
      if (isAnchored && !isAlive) return false
    }
    return (this.#active[matchWord]! & matchMask) !== 0
  }

  /** Takes one character. Returns whether any state is left. */
  #advance(mask: Uint32Array, follow: Follow, isAnchored: boolean): boolean {
    const { shifted, shiftedTwice, others, rows } = follow
    const [active, next] = [this.#active, this.#next]
    const step = ++steps
    if (isAnchored) next.fill(0)
    else next.set(follow.start)
    let isAlive = false
    for (let word = 0; word < active.length; word++) {
      const taken = active[word]! & mask[word]!
      if (taken === 0) continue
      isAlive = true
      const moved = taken & shifted[word]!
      const movedTwice = taken & shiftedTwice[word]!
      next[word]! |= (moved << 1) | (movedTwice << 2)
      const carried = (moved >>> 31) | (movedTwice >>> 30)
      if (carried !== 0) next[word + 1]! |= carried
      for (let rest = taken & others[word]!; rest !== 0; rest &= rest - 1) {
        const row = rows[(word << 5) + 31 - Math.clz32(rest & -rest)]!
        if (row.step === step) continue
        row.step = step
        for (let i = 0; i < row.words.length; i += 2) next[row.words[i]!]! |= row.words[i + 1]!
      }
    }
    this.#active = next
    this.#next = active
    return isAlive
  }

  #maskOf(rune: number): Uint32Array {
    const { dfa, prog } = this.#re2
    const runeClass: number = dfa.runeClass(rune)
    const known = this.#masks[runeClass]
    if (known !== undefined) return known
    const mask = new Uint32Array(this.#wordCount)
    for (const [bit, pc] of this.#pcs.entries()) {
      if (prog.getInst(pc).matchRune(rune)) mask[bit >>> 5]! |= 1 << (bit & 31)
    }
    if (this.#maskBytes > maskBytesMax) {
      this.#masks = []
      this.#maskBytes = 0
    }
    this.#masks[runeClass] = mask
    this.#maskBytes += mask.byteLength
    return mask
  }

  #followAt(input: PatternInput, offset: number): Follow | undefined {
    const held = this.#assertions === 0 ? 0 : input.context(offset) & this.#assertions
    if (!this.#follows.has(held)) this.#follows.set(held, this.#followUnder(held))
    return this.#follows.get(held)
  }

  /** Undefined when there are too many ways. */
  #followUnder(held: number): Follow | undefined {
    const { prog } = this.#re2
    const start = new Uint32Array(this.#wordCount)
    for (const bit of this.#closure(prog.start, held)) start[bit >>> 5]! |= 1 << (bit & 31)
    const shifted = new Uint32Array(this.#wordCount)
    const shiftedTwice = new Uint32Array(this.#wordCount)
    const others = new Uint32Array(this.#wordCount)
    const rows: (Row | undefined)[] = []
    const rowsByPc = new Map<number, { readonly bits: readonly number[]; readonly row: Row }>()
    let rowWordsLeft = rowWordsPerBit * this.#pcs.length + rowWordsPerBit * 32
    for (const [bit, pc] of this.#pcs.entries()) {
      const next: number = prog.getInst(pc).out
      let led = rowsByPc.get(next)
      if (led === undefined) {
        const bits = this.#closure(next, held)
        rowWordsLeft -= bits.length
        if (rowWordsLeft < 0) return undefined
        led = { bits, row: rowOf(bits) }
        rowsByPc.set(next, led)
      }
      const { bits, row } = led
      const ownMask = 1 << (bit & 31)
      if (bits.length > 2 || bits.some(one => one !== bit + 1 && one !== bit + 2)) {
        others[bit >>> 5]! |= ownMask
        rows[bit] = row
        continue
      }
      if (bits.includes(bit + 1)) shifted[bit >>> 5]! |= ownMask
      if (bits.includes(bit + 2)) shiftedTwice[bit >>> 5]! |= ownMask
    }
    return { start, shifted, shiftedTwice, others, rows }
  }

  /** The bits that are reached from an instruction without taking a character. */
  #closure(from: number, held: number): number[] {
    const { prog } = this.#re2
    const bits: number[] = []
    const seen = new Set<number>()
    const open = [from]
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      if (seen.has(pc)) continue
      seen.add(pc)
      const instruction = prog.getInst(pc)
      if (isRuneOp(instruction.op)) bits.push(this.#bits.get(pc)!)
      else if (instruction.op === op.match) bits.push(this.#pcs.length)
      else if (instruction.op === op.alt || instruction.op === op.altMatch) {
        open.push(instruction.out, instruction.arg)
      } else if (instruction.op === op.nop || instruction.op === op.capture) {
        open.push(instruction.out)
      } else if (instruction.op === op.assertion && (instruction.arg & ~held) === 0) {
        open.push(instruction.out)
      }
    }
    return bits
  }
}

/** Counts the characters taken by all automata of this thread. */
let steps = 0

function isRuneOp(kind: number): boolean {
  return runeOps.first <= kind && kind <= runeOps.last
}

function rowOf(bits: readonly number[]): Row {
  const words = new Map<number, number>()
  for (const bit of bits) {
    words.set(bit >>> 5, (words.get(bit >>> 5) ?? 0) | (1 << (bit & 31)))
  }
  return { words: Int32Array.from([...words].flat()), step: 0 }
}
