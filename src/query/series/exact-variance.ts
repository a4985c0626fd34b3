/**
 * Variances that do not depend on the order of what is added: the exact one, rounded once. What is kept of
 * a set of numbers is how many they are, their exact sum and the exact sum of their squares, so that
 * nothing cancels out that should not.
 */

import { withRoom } from '../../columns/growing-array.ts'
import { type Dyadic, dyadicOf, productOf, roundedOf, squareOf, sumOf } from './dyadic.ts'
import { ExactSums, type PlainSums } from './exact-sum.ts'

/** Within these sizes a square and what rounding it loses are both numbers. */
const usualMin = 2 ** -450
const usualMax = 2 ** 450

/** Splits a number into two of 26 bits each (Dekker). */
const splitter = 2 ** 27 + 1

export interface PlainVariances {
  readonly counts: Float64Array
  readonly sums: PlainSums
  readonly squares: PlainSums
  readonly odd: readonly (readonly [place: number, squares: Dyadic])[]
}

export class ExactVariances {
  #counts = new Float64Array(0)
  readonly #sums = new ExactSums()
  readonly #squares = new ExactSums()
  /** Sums of squares of numbers of no usual size. */
  readonly #odd = new Map<number, Dyadic>()

  /** Makes room for the variances 0 to `count - 1`. */
  grow(count: number): void {
    this.#sums.grow(count)
    this.#squares.grow(count)
    this.#counts = withRoom(this.#counts, count)
  }

  /** Adds a finite number to a set for which there is room. */
  add(place: number, value: number): void {
    this.addTimes(place, value, 1)
  }

  /** The same, `count` times: a whole number, 1 or more. */
  addTimes(place: number, value: number, count: number): void {
    this.#counts[place]! += count
    this.#sums.addTimes(place, value, count)
    const size = Math.abs(value)
    if (size > usualMin && size < usualMax) {
      const square = value * value
      this.#squares.addTimes(place, square, count)
      const lost = lostOfSquare(value, square)
      if (lost !== 0) this.#squares.addTimes(place, lost, count)
    } else if (size !== 0) {
      this.#addOdd(place, productOf(squareOf(dyadicOf(value)), BigInt(count)))
    }
  }

  #addOdd(place: number, square: Dyadic): void {
    const before = this.#odd.get(place)
    this.#odd.set(place, before === undefined ? square : sumOf(before, square))
  }

  /** The variance of the whole population; undefined of no numbers, infinite when it is too large. */
  at(place: number): number | undefined {
    const count = this.#counts[place] ?? 0
    if (count === 0) return undefined
    if (count === 1) return 0
    const odd = this.#odd.get(place)
    const usual = this.#squares.exactAt(place)
    const n = BigInt(count)
    const squares = productOf(odd === undefined ? usual : sumOf(usual, odd), n)
    const squareOfSum = productOf(squareOf(this.#sums.exactAt(place)), -1n)
    return roundedOf(sumOf(squares, squareOfSum), n * n)
  }

  /** The first `count` sets, as they travel between threads. */
  toPlain(count: number): PlainVariances {
    this.grow(count)
    return {
      counts: this.#counts.slice(0, count),
      sums: this.#sums.toPlain(count),
      squares: this.#squares.toPlain(count),
      odd: [...this.#odd],
    }
  }

  /** Adds set i of another to the set `places[i]`, for which there is room. */
  addPlain({ counts, sums, squares, odd }: PlainVariances, places: ArrayLike<number>): void {
    for (let i = 0; i < counts.length; i++) this.#counts[places[i]!]! += counts[i]!
    this.#sums.addPlain(sums, places)
    this.#squares.addPlain(squares, places)
    for (const [i, square] of odd) this.#addOdd(places[i]!, square)
  }
}

/** What `square`, the rounded square of a number of usual size, lacks of the exact one. */
function lostOfSquare(value: number, square: number): number {
  const large = splitter * value
  const high = large - (large - value)
  const low = value - high
  return low * low - (square - high * high - 2 * high * low)
}
