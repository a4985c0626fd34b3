/**
 * Numbers that a double cannot hold, kept as they were written.
 *
 * Ids must not change: 9007199254740993 read into a double is another id. A number is *exact* when
 * JavaScript writes the double back as a number of the same value; every other one is read as a
 * `RawNumber`, which `JSON.stringify` writes out digit by digit, wherever in the payload it stands.
 *
 * - Up to 15 digits and no exponent: always exact (a double holds any 15 digits). The text is
 *   JavaScript's, so `1.0` becomes `1`, and `-0` becomes `0`.
 * - 16 digits or more: exact when JavaScript writes the very same text, as for most fractions that
 *   another program printed from a double; otherwise kept, integers and fractions alike.
 * - With an exponent and up to 15 digits: exact when finite and far from the smallest double, so
 *   `1e3` becomes `1000`, while `1e400` and `1e-400` are kept.
 */

import { byte, isDigit } from './bytes.ts'

/** What `JSON.rawJSON` makes: a number in the text it came with. */
export interface RawNumber {
  readonly rawJSON: string
}

/** Node 22 has these (ECMAScript's "JSON.parse source text access"); TypeScript's library not yet. */
interface JsonWithSource {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
}
const json = JSON as unknown as JsonWithSource

/** Digits that a double holds whatever they are (C's DBL_DIG). */
export const exactDigitsMax = 15

/** Below this, doubles thin out and then end: digits are lost long before 5e-324. */
const exactMagnitudeMin = 1e-300

/** `text` must be a number in JSON. */
export function rawNumber(text: string): RawNumber {
  return json.rawJSON(text)
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value)
}

/** Whether the JSON number `source`, read into a double, still says what it said. */
export function isExact(source: string): boolean {
  const hasExponent = source.includes('e') || source.includes('E')
  const isShort = digitCount(source) <= exactDigitsMax
  if (isShort && !hasExponent) {
    return true
  }
  const value = Number(source)
  const isInRange = Number.isFinite(value) && Math.abs(value) >= exactMagnitudeMin
  return (isShort && isInRange) || String(value) === source
}

/** `JSON.parse`, six times slower, with a RawNumber in place of every number that is not exact. */
export function parseWithRawNumbers(text: string): unknown {
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isExact(context.source)
      ? json.rawJSON(context.source)
      : value,
  )
}

/** Digits before any exponent; leading zeros count, which errs on the careful side. */
function digitCount(source: string): number {
  let count = 0
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index)
    if (isDigit(code)) {
      count += 1
    } else if ((code | 0x20) === byte.lowerE) {
      break
    }
  }
  return count
}
