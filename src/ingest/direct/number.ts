/** Numbers in JSON whose text is what JavaScript would write for them. */

import { byte, isDigit } from '../bytes.ts'
import { exactDigitsMax } from '../numbers.ts'

/**
 * The end of the number at `start`, if JavaScript writes it as it is there; -1 if not, or if it is
 * none. Any decimal of up to 15 digits is the shortest that stands for its double; one of more digits is
 * kept as it came, see `numbers.ts`.
 */
export function numberEnd(body: Buffer, start: number): number {
  const first = body[start] === byte.minus ? start + 1 : start
  let offset = first
  while (isDigit(body[offset])) offset += 1
  const integerDigits = offset - first
  const isZero = body[first] === byte.zero
  if (integerDigits === 0 || (isZero && integerDigits > 1)) return -1
  let fractionDigits = 0
  if (body[offset] === byte.dot) {
    const fractionStart = offset + 1
    offset = fractionStart
    while (isDigit(body[offset])) offset += 1
    fractionDigits = offset - fractionStart
    if (fractionDigits === 0) return -1
  }
  const next = body[offset]! | 0x20
  if (next === byte.lowerE) return -1
  if (integerDigits + fractionDigits > exactDigitsMax) return offset
  return isUsualDecimal(body, first, integerDigits, fractionDigits) ? offset : -1
}

/** Whether JavaScript writes the decimal in this very form: no zero too many, no exponent. */
function isUsualDecimal(
  body: Buffer,
  first: number,
  integerDigits: number,
  fractionDigits: number,
): boolean {
  const isNegative = body[first - 1] === byte.minus
  if (fractionDigits === 0) return body[first] !== byte.zero || !isNegative
  const last = first + integerDigits + fractionDigits
  if (body[last] === byte.zero) return false
  if (body[first] !== byte.zero) return true
  // Below 1e-6 it would be written with an exponent.
  const fractionStart = first + 2
  for (let offset = fractionStart; offset < fractionStart + 6 && offset <= last; offset++) {
    if (body[offset] !== byte.zero) return true
  }
  return false
}
