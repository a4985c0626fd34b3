/**
 * The numbers that the texts of a template column write, put together from their variables: "12.5" is the
 * number of its digits, 125, divided by a power of ten. No text is made, where the template allows it.
 */
import { parseDecimals, powersOfTen } from '../decimal.ts'
import type { TemplateColumn } from './open.ts'
import { textsOf } from './rebuild.ts'
import type { Variables } from './variables.ts'

/** Digits of a text as far as it is read: their number, and ten to the power of the last part's. */
export interface Digits {
  readonly numbers: Float64Array
  readonly powers: Float64Array
}

/** Templates that are a number whatever digits stand in them: a sign, digits, a fraction. */
const numberForm = /^([-+]?)0(\.0)?$/

/** One number for each text, NaN for one that writes none: what `parseDecimals` says of the texts. */
export function templateNumbers(column: TemplateColumn): Float64Array {
  const all = new Float64Array(column.valueCount)
  for (let id = 0; id < column.templates.length; id++) {
    const rows = column.rowsOf(id)
    const numbers = fromDigits(column, id) ?? parseDecimals(textsOf(column, id))
    for (let i = 0; i < rows.length; i++) all[rows[i]!] = numbers[i]!
  }
  return all
}

/** Undefined where a text of the template is no plain number, or one of too many digits. */
function fromDigits(column: TemplateColumn, id: number): Float64Array | undefined {
  const { text, count, firstSlot, slotCount } = column.templates.at(id)
  const form = numberForm.exec(text)
  if (form === null) return undefined
  const variables: Variables[] = []
  for (let slot = firstSlot; slot < firstSlot + slotCount; slot++) {
    variables.push(column.variablesOf(slot))
  }
  return numbersOfDigits(count, { isNegative: form[1] === '-', variables })
}

/** Variables that are the digits of numbers: those before the point, and maybe those behind it. */
export interface DigitsInTurn {
  readonly isNegative: boolean
  readonly variables: readonly Variables[]
}

/** The numbers that `count` texts write; undefined where one is something else, or of too many digits. */
export function numbersOfDigits(
  count: number,
  { isNegative, variables }: DigitsInTurn,
): Float64Array | undefined {
  const digits = { numbers: new Float64Array(count), powers: new Float64Array(count).fill(1) }
  for (const one of variables) if (!one.appendDigits(digits)) return undefined
  const { numbers, powers } = digits
  const powerMax = powersOfTen.at(-1)!
  for (let i = 0; i < count; i++) {
    // Both exact, so that dividing rounds once.
    if (numbers[i]! > Number.MAX_SAFE_INTEGER || powers[i]! > powerMax) return undefined
    if (variables.length > 1) numbers[i]! /= powers[i]!
    if (isNegative) numbers[i] = 0 - numbers[i]!
  }
  return numbers
}
