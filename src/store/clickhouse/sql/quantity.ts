/** Numbers that texts write, compared: read by ClickHouse as JavaScript reads them. */
import type { QuantityMatcher } from '../../../language/ast.ts'
import type { Bound } from './bound.ts'
import { atLeast, exactly, type Truth } from './truth.ts'

/** Of every statement with conditions: else ClickHouse reads numbers quickly, and some of them wrong. */
export const exactNumbers = { precise_float_parsing: 1 } as const

const digits = '(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)'
/** As `language/quantity.ts` has it. */
const numberForm = `'\\\\A[-+]?${digits}(?:[eE][-+]?[0-9]+)?\\\\z'`

/** The number that a text writes; NULL where it writes none, infinite where it is too large. */
export function numberIn(text: string): string {
  return `if(match(${text}, ${numberForm}), toFloat64OrNull(${text}), NULL)`
}

/** Durations and sizes are read by us, where a text has a digit. */
export function comparesQuantity(
  text: string,
  { unit, operator, value }: Pick<QuantityMatcher, 'unit' | 'operator' | 'value'>,
  bound: Bound,
): Truth {
  if (unit !== 'number') return atLeast(`match(${text}, '[0-9]')`)
  const number = numberIn(text)
  const compared = `${number} ${operator} ${bound.number(value)}`
  return exactly(`(isFinite(${number}) = 1 AND ifNull(${compared}, 0))`)
}
