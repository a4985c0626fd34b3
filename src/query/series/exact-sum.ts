/**
 * Sums that do not depend on the order of what is added, so that an answer is the same however blocks
 * are spread over threads: nothing is ever rounded away, and the result is the exact sum rounded once.
 *
 * A sum is kept as two numbers, `high` and `low`: what rounding `high` loses goes into `low` (Knuth's
 * two-sum). Figures of one kind, such as durations, fit that. What `low` would lose, and
 * numbers so large that sums could overflow, are counted in a bigint.
 */

/** A number from here on goes to the bigint: 2^53 smaller ones stay below the largest number. */
const largeMin = 2 ** 970

/** Bits of the fraction below 1 that a number can have: a bigint counts units of 2^-1074. */
const unitBits = 1074

export class ExactSums {
  #high: Float64Array
  #low: Float64Array
  /** In units of 2^-1074, for those few sums that need it. */
  readonly #rest = new Map<number, bigint>()

  constructor(sumCount = 0) {
    this.#high = new Float64Array(sumCount)
    this.#low = new Float64Array(sumCount)
  }

  /** Makes room for sums 0 to `sumCount - 1`; new ones are 0. */
  grow(sumCount: number): void {
    if (sumCount <= this.#high.length) return
    const [high, low] = [this.#high, this.#low]
    this.#high = new Float64Array(Math.max(64, 2 * sumCount))
    this.#low = new Float64Array(this.#high.length)
    this.#high.set(high)
    this.#low.set(low)
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

const view = new DataView(new ArrayBuffer(8))
const fractionBits = 52n
const fractionMask = (1n << fractionBits) - 1n

/** A finite number in units of 2^-1074: always whole. */
function unitsOf(value: number): bigint {
  view.setFloat64(0, Math.abs(value))
  const bits = view.getBigUint64(0)
  const exponent = bits >> fractionBits
  const fraction = bits & fractionMask
  const units = exponent === 0n ? fraction : (fraction | (1n << fractionBits)) << (exponent - 1n)
  return value < 0 ? -units : units
}

/** Bits that stay of a large bigint: more than a number has, so that rounding them rounds right. */
const keptBits = 64

/** The number nearest to so many units, ties to even. */
function numberOf(units: bigint): number {
  const size = units < 0n ? -units : units
  const shift = Math.max(0, size.toString(2).length - keptBits)
  let kept = size >> BigInt(shift)
  // What is cut off counts as a last bit, so that it never looks like a tie.
  if (kept << BigInt(shift) !== size) kept |= 1n
  const value = Number(kept) * 2 ** (shift - unitBits)
  return units < 0n ? -value : value
}
