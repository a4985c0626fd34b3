/**
 * Time since 1970 as decimal text. The unit is told by the size of its integer part, sign aside: below
 * 1e11 seconds (to the year 5138), below 1e14 milliseconds (from March 1973), below 1e17 microseconds,
 * below 1e20 nanoseconds. The fraction counts. Digits are moved as text, so no rounding comes in.
 */

import { type Moment, nanosecondsPerMs, subMsDigits } from './moment.ts'

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Digits of the integer part, at most, and the places by which nanoseconds are away. */
const epochUnits = [
  { digitsMax: 11, shift: 9 },
  { digitsMax: 14, shift: 6 },
  { digitsMax: 17, shift: 3 },
  { digitsMax: 20, shift: 0 },
] as const

/** Digits of integers that are milliseconds. */
export const msDigitsMin = epochUnits[0].digitsMax + 1
export const msDigitsMax = epochUnits[1].digitsMax

/** Undefined when `text` is no decimal number, or too large a one. */
export function readEpoch(text: string): Moment | undefined {
  const match = decimal.exec(text)
  if (match === null) return undefined
  const [, sign, integer = '', fraction = '', exponent = '0'] = match
  const written = integer + fraction
  const digits = written.replace(/^0+/, '')
  const integerDigits = integer.length + Number(exponent) - (written.length - digits.length)
  const unit = epochUnits.find(({ digitsMax }) => integerDigits <= digitsMax)
  if (digits === '') return { timestamp: 0, nanoseconds: undefined }
  if (unit === undefined) return undefined
  const nsDigits = integerDigits + unit.shift
  const ms = firstDigits(digits, nsDigits - subMsDigits)
  const isCut = restDigits(digits, nsDigits - subMsDigits) !== ''
  const timestamp = sign === '-' ? -(Number(ms) + (isCut ? 1 : 0)) + 0 : Number(ms)
  return { timestamp, nanoseconds: isCut ? nanoseconds(sign!, digits, nsDigits) : undefined }
}

/** Whole nanoseconds; undefined when they are whole milliseconds, which the timestamp says already. */
function nanoseconds(sign: string, digits: string, nsDigits: number): string | undefined {
  const magnitude = BigInt(firstDigits(digits, nsDigits))
  const isCut = restDigits(digits, nsDigits) !== ''
  const value = sign === '-' ? -(magnitude + (isCut ? 1n : 0n)) : magnitude
  return value % nanosecondsPerMs === 0n ? undefined : String(value)
}

/** The first `count` of digits that continue with zeros. */
function firstDigits(digits: string, count: number): string {
  return count <= 0 ? '0' : digits.slice(0, count).padEnd(count, '0')
}

/** What comes after them, without zeros at the end. */
function restDigits(digits: string, count: number): string {
  const rest = count < 0 ? digits : digits.slice(count)
  return /[1-9]/.test(rest) ? rest : ''
}
