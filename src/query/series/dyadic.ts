/** Whole multiples of powers of two: what sums and products of numbers are exactly. */

/** `units * 2^exponent`. */
export interface Dyadic {
  readonly units: bigint
  readonly exponent: number
}

const view = new DataView(new ArrayBuffer(8))
const fractionBits = 52
/** Of the smallest numbers, those without a leading bit. */
const exponentMin = -1074

/** `value`, finite, exactly. */
export function dyadicOf(value: number): Dyadic {
  if (value === 0) return { units: 0n, exponent: 0 }
  view.setFloat64(0, value)
  const high = view.getUint32(0)
  const biased = (high >>> 20) & 0x7ff
  const fraction = (high & 0xfffff) * 2 ** 32 + view.getUint32(4)
  const units = BigInt(biased === 0 ? fraction : fraction + 2 ** fractionBits)
  return { units: value < 0 ? -units : units, exponent: Math.max(0, biased - 1) + exponentMin }
}

/** `a + b`, exactly. */
export function sumOf(a: Dyadic, b: Dyadic): Dyadic {
  if (a.units === 0n) return b
  if (b.units === 0n) return a
  const [low, high] = a.exponent < b.exponent ? [a, b] : [b, a]
  const units = (high.units << BigInt(high.exponent - low.exponent)) + low.units
  return { units, exponent: low.exponent }
}

/** `factor`: a whole number. */
export function productOf({ units, exponent }: Dyadic, factor: bigint): Dyadic {
  return { units: units * factor, exponent }
}

/** Its square, exactly. */
export function squareOf({ units, exponent }: Dyadic): Dyadic {
  return { units: units * units, exponent: 2 * exponent }
}

/** Bits that stay of many: more than a number has, so that rounding them rounds right. */
const keptBits = 64

/** `value / divisor` as the nearest number, ties to even; `divisor`: 1 or more. */
export function roundedOf({ units, exponent }: Dyadic, divisor = 1n): number {
  if (units === 0n) return 0
  const size = units < 0n ? -units : units
  const shift = keptBits + bitsOf(divisor) - bitsOf(size)
  const dividend = shift > 0 ? size << BigInt(shift) : size
  const whole = shift > 0 ? divisor : divisor << BigInt(-shift)
  let quotient = dividend / whole
  // What is cut off counts as a last bit, so that it never looks like a tie.
  if (quotient * whole !== dividend) quotient |= 1n
  const value = timesPower(Number(quotient), exponent - shift)
  return units < 0n ? -value : value
}

/** Up to four more than there are. */
const bitsOf = (size: bigint) => 4 * size.toString(16).length

/** The power alone may be none of a number. */
function timesPower(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return value * 2 ** half * 2 ** (exponent - half)
}
