/**
 * Finds a run of digits in the decimal form of integers without writing them out: an automaton
 * (Knuth, Morris, Pratt) that takes three digits in one step, from a table of a few kilobytes. A
 * million integers take 3 to 5 ms; written out as text they take 60.
 */
import type { Integers } from './integers.ts'

/** The values of three digits: one step. */
const stepValues = 1_000

/** Integers up to 2^53 have no more digits. */
const digitsMax = 16

export class DigitSearch {
  /**
   * State after three more digits, by `state * 1000 + digits`. A state counts the digits matched; one
   * more, the last, stands for "only zeros so far", which are not part of the number.
   */
  readonly #steps: Uint8Array
  readonly #found: number
  /** Where the steps from "only zeros so far" begin. */
  readonly #beginning: number
  /** Whether 0 is found, whose one digit the last state takes for no part of it. */
  readonly #findsZero: boolean

  /** `digits`: one or more. */
  constructor(digits: string) {
    const isPossible = digits.length <= digitsMax
    this.#found = digits.length
    this.#beginning = (digits.length + 1) * stepValues
    this.#steps = isPossible ? threeDigitSteps(digits) : new Uint8Array(0)
    this.#findsZero = digits === '0'
  }

  /**
   * Marks with 1 each integer, `base` added to it, that has the digits. `largest`: the largest of
   * them, with `base`. Returns whether any has.
   */
  mark(integers: Integers, base: number, largest: number, hits: Uint8Array): boolean {
    if (this.#steps.length === 0) return false
    let isAny = this.#findsZero && base === 0 && markZeros(integers, hits)
    // Each loop without a branch: digits are random, and guessing wrong costs more than a step.
    if (largest < 1e6) isAny = this.#markSmall(integers, base, hits) || isAny
    else if (largest < 1e9) isAny = this.#markMiddling(integers, base, hits) || isAny
    else isAny = this.#markLarge(integers, base, hits) || isAny
    return isAny
  }

  #markSmall(integers: Integers, base: number, hits: Uint8Array): boolean {
    const steps = this.#steps
    const found = this.#found
    const beginning = this.#beginning
    let any = 0
    for (let i = 0; i < integers.length; i++) {
      const value = (base + integers[i]!) | 0
      const thousands = (value / 1_000) | 0
      const state = steps[beginning + thousands]!
      const isFound = +(steps[state * stepValues + value - thousands * 1_000] === found)
      hits[i]! |= isFound
      any |= isFound
    }
    return any === 1
  }

  #markMiddling(integers: Integers, base: number, hits: Uint8Array): boolean {
    const steps = this.#steps
    const found = this.#found
    const beginning = this.#beginning
    let any = 0
    for (let i = 0; i < integers.length; i++) {
      const value = (base + integers[i]!) | 0
      const thousands = (value / 1_000) | 0
      const millions = (thousands / 1_000) | 0
      const first = steps[beginning + millions]!
      const second = steps[first * stepValues + thousands - millions * 1_000]!
      const isFound = +(steps[second * stepValues + value - thousands * 1_000] === found)
      hits[i]! |= isFound
      any |= isFound
    }
    return any === 1
  }

  #markLarge(integers: Integers, base: number, hits: Uint8Array): boolean {
    let isAny = false
    for (let i = 0; i < integers.length; i++) {
      if (this.#stateAfter(base + integers[i]!) !== this.#found) continue
      hits[i] = 1
      isAny = true
    }
    return isAny
  }

  #stateAfter(value: number): number {
    if (value < stepValues) return this.#steps[this.#beginning + value]!
    const above = Math.floor(value / stepValues)
    const digits = value - above * stepValues // By itself: a sum could pass 2^53.
    return this.#steps[this.#stateAfter(above) * stepValues + digits]!
  }
}

function markZeros(integers: Integers, hits: Uint8Array): boolean {
  let isAny = false
  for (let i = 0; i < integers.length; i++) {
    if (integers[i] !== 0) continue
    hits[i] = 1
    isAny = true
  }
  return isAny
}

function threeDigitSteps(digits: string): Uint8Array {
  const next = digitSteps(digits)
  const states = digits.length + 2
  const steps = new Uint8Array(states * stepValues)
  for (let state = 0; state < states; state++) {
    for (let value = 0; value < stepValues; value++) {
      const afterFirst = next[state * 10 + Math.floor(value / 100)]!
      const afterSecond = next[afterFirst * 10 + (Math.floor(value / 10) % 10)]!
      steps[state * stepValues + value] = next[afterSecond * 10 + (value % 10)]!
    }
  }
  return steps
}

/** The state after one more digit, by `state * 10 + digit`. Once all are found it stays there. */
function digitSteps(digits: string): Uint8Array {
  const found = digits.length
  const beginning = found + 1
  const next = new Uint8Array((found + 2) * 10)
  let fallback = 0 // The state for all digits so far but the first.
  for (let state = 0; state < found; state++) {
    const wanted = state * 10 + Number(digits[state])
    if (state > 0) next.copyWithin(state * 10, fallback * 10, fallback * 10 + 10)
    const afterFallback = next[wanted]!
    next[wanted] = state + 1
    if (state > 0) fallback = afterFallback
  }
  next.fill(found, found * 10, beginning * 10)
  next.copyWithin(beginning * 10, 0, 10) // As from the start, but for zeros.
  next[beginning * 10] = beginning
  return next
}
