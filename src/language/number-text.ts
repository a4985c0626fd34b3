/** Numbers as PromQL writes them: `10`, `0.5`, `.5`, `1e3`, `0x1f`, and `Inf`, `NaN` in any case. */

const hexadecimal = '0[xX][0-9a-fA-F]+'
const decimal = '(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?'
const form = `${hexadecimal}|${decimal}|[iI][nN][fF]|[nN][aA][nN]`

/** A number without a sign, which is not the beginning of a longer word. */
export const unsignedNumber = new RegExp(`(?:${form})(?![\\p{L}\\p{M}\\p{N}_.])`, 'u')

const signedNumber = new RegExp(`^([-+]?)(${form})$`)

/** The value of `text`, with or without a sign; undefined if it is no number or too large. */
export function parseNumber(text: string): number | undefined {
  const [, sign, digits] = signedNumber.exec(text) ?? []
  if (digits === undefined) return undefined
  const value = /^inf$/i.test(digits) ? Number.POSITIVE_INFINITY : Number(digits)
  const isTooLarge = value === Number.POSITIVE_INFINITY && !/^inf$/i.test(digits)
  if (isTooLarge) return undefined
  return sign === '-' ? -value : value
}

/** A number of 0 or more, or `NaN`, as `parseNumber` reads it back to the last bit. */
export function printNumber(value: number): string {
  return value === Number.POSITIVE_INFINITY ? 'Inf' : String(value)
}
