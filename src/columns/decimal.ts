/**
 * Texts as the numbers that they write, for sums and quantiles: an optional sign, decimal digits with
 * an optional fraction, an optional exponent ("17", "-0.5", ".5", "1e3"), and nothing else: no white
 * space, no hexadecimal, no "Infinity", nothing that is too large for a number.
 */
import type { TextColumn } from './column.ts'
import { minus } from './digits.ts'

const plus = 0x2b
const point = 0x2e
const zero = 0x30

const decimalForm = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

/** Below it an integer and one digit more are still exact. */
const exactMax = (Number.MAX_SAFE_INTEGER - 9) / 10
/** Powers of ten that a number holds exactly: dividing an exact integer by one rounds once. */
export const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) =>
  Number(`1e${exponent}`),
)

/** Bytes of a text that may be a number. Longer ones are other things, or made to keep us busy. */
const decimalBytesMax = 1_024

/** The number that `bytes[start, end)` writes, never -0; NaN when it writes none. */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  const sign = bytes[start]
  let at = sign === minus || sign === plus ? start + 1 : start
  let value = 0
  let digitCount = 0
  let fractionStart = -1
  for (; at < end; at++) {
    const digit = bytes[at]! - zero
    if (digit >= 0 && digit <= 9 && value <= exactMax) {
      value = value * 10 + digit
      digitCount++
    } else if (bytes[at] === point && fractionStart === -1) {
      fractionStart = at + 1
    } else {
      return parseRarely(bytes, start, end)
    }
  }
  if (digitCount === 0) return Number.NaN
  if (fractionStart !== -1) {
    const power = powersOfTen[end - fractionStart]
    if (power === undefined) return parseRarely(bytes, start, end)
    value /= power
  }
  return sign === minus ? 0 - value : value
}

/** For exponents, and for more digits than a number holds exactly. */
function parseRarely(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > decimalBytesMax) return Number.NaN
  return decimalOf(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())
}

/** The number that `text` writes, never -0; NaN when it writes none. */
export function decimalOf(text: string): number {
  if (text.length > decimalBytesMax || !decimalForm.test(text)) return Number.NaN
  const value = Number(text) + 0
  return Number.isFinite(value) ? value : Number.NaN
}

/** The number that each text writes; NaN for those that write none. */
export function parseDecimals({ offsets, bytes }: TextColumn): Float64Array {
  const numbers = new Float64Array(offsets.length - 1)
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = parseDecimal(bytes, offsets[i]!, offsets[i + 1]!)
  }
  return numbers
}
