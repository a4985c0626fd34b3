/**
 * Sums that do not depend on the order of what is added, so that an answer is the same however blocks
 * are spread over threads: nothing is ever rounded away, and the result is the exact sum rounded once.
 *
 * A sum is kept as two numbers, `high` and `low`: what rounding `high` loses goes into `low` (Knuth's
 * two-sum). Values of one kind, such as durations, fit that. What `low` would lose, and
 * numbers so large that sums could overflow, are counted in a bigint.
 */

import { withRoom } from '../../columns/growing-array.ts'
import { type Dyadic, dyadicOf, roundedOf, sumOf } from './dyadic.ts'

/** A number from here on goes to the bigint: 2^53 smaller ones stay below the largest number. */
const largeMin = 2 ** 970

/** Bits of the fraction below 1 that a number can have: a bigint counts units of 2^-1074. */
const unitBits = 1074

export class ExactSums {
  #high: Float64Array<ArrayBuffer>
  #low: Float64Array<ArrayBuffer>
  /** In units of 2^-1074, for those few sums that need it. */
  readonly #rest = new Map<number, bigint>()

  constructor(sumCount = 0) {
    this.#high = new Float64Array(sumCount)
    this.#low = new Float64Array(sumCount)
  }

  /** Makes room for sums 0 to `sumCount - 1`; new ones are 0. */
  grow(sumCount: number): void {
    this.#high = withRoom(this.#high, sumCount)
    this.#low = withRoom(this.#low, sumCount)
  }

  /** Adds a finite number to a sum for which there is room. */
  add(sum: number, value: number): void {
    if (value >= largeMin || value <= -largeMin) {
      this.#addUnits(sum, unitsOf(value))
      return
    }
    const before = this.#high[sum]!
    const high = before + value
    this.#high[sum] = high
    const lost = errorOf(before, value, high)
    if (lost === 0) return
    const lowBefore = this.#low[sum]!
    const low = lowBefore + lost
    this.#low[sum] = low
    const lostOfLow = errorOf(lowBefore, lost, low)
    if (lostOfLow !== 0) this.#addUnits(sum, unitsOf(lostOfLow))
  }

  /** The same as adding it `count` times. */
  addTimes(sum: number, value: number, count: number): void {
    if (Math.abs(value) * count >= largeMin) {
      this.#addUnits(sum, unitsOf(value) * BigInt(count))
      return
    }
    // Each power of two of it is exact, where the product need not be.
    let power = value
    for (let rest = count; rest > 0; rest = Math.floor(rest / 2), power *= 2) {
      if (rest % 2 === 1) this.add(sum, power)
    }
  }

  #addUnits(sum: number, units: bigint): void {
    this.#rest.set(sum, (this.#rest.get(sum) ?? 0n) + units)
  }

  /** The sum, rounded once; infinite when it is too large for a number. */
  at(sum: number): number {
    const rest = this.#rest.get(sum)
    const high = this.#high[sum]!
    const low = this.#low[sum]!
    return rest === undefined ? high + low : numberOf(unitsOf(high) + unitsOf(low) + rest)
  }

  /** The sum itself. */
  exactAt(sum: number): Dyadic {
    const found = sumOf(dyadicOf(this.#high[sum]!), dyadicOf(this.#low[sum]!))
    const rest = this.#rest.get(sum)
    return rest === undefined ? found : sumOf(found, { units: rest, exponent: -unitBits })
  }

  /** The first `sumCount` sums, as they travel between threads. */
  toPlain(sumCount: number): PlainSums {
    this.grow(sumCount)
    const high = this.#high.slice(0, sumCount)
    return { high, low: this.#low.slice(0, sumCount), rest: [...this.#rest] }
  }

  /** Adds sum i of another to the sum with number `numbers[i]`. */
  addPlain({ high, low, rest }: PlainSums, numbers: ArrayLike<number>): void {
    for (let i = 0; i < high.length; i++) {
      this.add(numbers[i]!, high[i]!)
      this.add(numbers[i]!, low[i]!)
    }
    for (const [i, units] of rest) this.#addUnits(numbers[i]!, units)
  }
}

export interface PlainSums {
  readonly high: Float64Array
  readonly low: Float64Array
  readonly rest: readonly (readonly [sum: number, units: bigint])[]
}

/** What `sum`, the rounded sum of `a` and `b`, lacks of the exact one: itself always a number. */
function errorOf(a: number, b: number, sum: number): number {
  const bRounded = sum - a
  return a - (sum - bRounded) + (b - bRounded)
}

/** A finite number in units of 2^-1074: always whole. */
function unitsOf(value: number): bigint {
  const { units, exponent } = dyadicOf(value)
  return units << BigInt(exponent + unitBits)
}

/** The number nearest to this many units of 2^-1074. */
const numberOf = (units: bigint) => roundedOf({ units, exponent: -unitBits })
