/**
 * Integers as text: which texts they are exactly, and whether the text of a number contains another,
 * by arithmetic, without making the text.
 */

export const minus = 0x2d
const zero = 0x30
const nine = 0x39

/** Digits of 2^53, the largest that a number keeps exactly. */
export const digitsMax = 16

/** Whether `bytes[start, end)` are digits; `asWhole`: and the first is no zero before others. */
export function areDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
  asWhole: boolean,
): boolean {
  if (asWhole && bytes[start] === zero && end - start > 1) return false
  for (let at = start; at < end; at++) if (bytes[at]! < zero || bytes[at]! > nine) return false
  return true
}

/**
 * The integer that `bytes[start, end)` writes, or NaN when turning it back would give another text:
 * "007", "-0", "+1", "1e5", " 1", or anything beyond ±(2^53 - 1).
 */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = start < end && bytes[start] === minus
  const digits = isNegative ? start + 1 : start
  const count = end - digits
  if (count <= 0 || count > digitsMax) return Number.NaN
  if (bytes[digits] === zero && (count > 1 || isNegative)) return Number.NaN
  let value = 0
  for (let at = digits; at < end; at++) {
    const byte = bytes[at]!
    if (byte < zero || byte > nine) return Number.NaN
    value = value * 10 + (byte - zero)
  }
  // Beyond 2^53 the sum above may be rounded, but never to below it.
  if (value > Number.MAX_SAFE_INTEGER) return Number.NaN
  return isNegative ? -value : value
}

/** Digits in the text of an integer, its sign left aside. */
export function digitCount(value: number): number {
  const size = Math.abs(value)
  let count = 1
  for (let power = 10; size >= power; power *= 10) count++
  return count
}

/** Tells whether the text of a safe integer contains a given text. */
export type DigitTest = (value: number) => boolean

/**
 * A test for texts that contain `needle` (not empty), or undefined when no integer's text does.
 * A minus sign can only be the first character.
 */
export function containsDigits(needle: Uint8Array): DigitTest | undefined {
  const hasSign = needle[0] === minus
  const count = needle.length - (hasSign ? 1 : 0)
  if (count > digitsMax) return undefined
  let wanted = 0
  for (let at = needle.length - count; at < needle.length; at++) {
    const byte = needle[at]!
    if (byte < zero || byte > nine) return undefined
    wanted = wanted * 10 + (byte - zero)
  }
  if (wanted > Number.MAX_SAFE_INTEGER) return undefined
  if (count === 0) return value => value < 0
  const above = 10 ** count
  const lowest = above / 10 // The smallest number with this many digits; for one digit, all but 0.
  if (hasSign) return value => value < 0 && beginsWith(-value, wanted, lowest, above)
  if (wanted === 0 && count === 1) return value => value === 0 || hasInside(value, 0, 1, 10)
  return value => hasInside(value, wanted, lowest, above)
}

function beginsWith(value: number, wanted: number, lowest: number, above: number): boolean {
  let rest = value
  while (rest >= above) rest = Math.floor(rest / 10)
  return rest === wanted && rest >= lowest
}

/** Whether some run of digits is `wanted`; quotients of safe integers by powers of ten floor exactly. */
function hasInside(value: number, wanted: number, lowest: number, above: number): boolean {
  for (let rest = Math.abs(value); rest >= lowest; rest = Math.floor(rest / 10)) {
    if (rest - Math.floor(rest / above) * above === wanted) return true
  }
  return false
}
