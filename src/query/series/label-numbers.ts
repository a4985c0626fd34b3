/** The numbers that the values of a label write, for sums and quantiles; and durations and sizes. */

import type { ScaledIntegers, SearchableColumn } from '../../columns/column.ts'
import { decimalOf, parseDecimals } from '../../columns/decimal.ts'
import type { Integers } from '../../columns/integers.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import type { Aggregate, UnwrapUnit } from '../../language/ast.ts'
import { readBytes, readDuration } from '../../language/quantity.ts'
import { messageLabel } from '../../record.ts'
import { isIndexedLabel } from '../collect/groups.ts'
import { labelCodes } from '../collect/label-codes.ts'

/** The label whose values are taken, and what they are read as. */
export interface Unwrapped extends Pick<Aggregate, 'unwrapUnit'> {
  readonly label: string
}

/** Seconds and bytes, never -0; NaN of a text that writes none. */
const readers: Readonly<Record<UnwrapUnit, (text: string) => number>> = {
  duration: text => (readDuration(text) ?? Number.NaN) / 1e9 + 0,
  bytes: text => readBytes(text) ?? Number.NaN,
}

/** How the texts of a label are read as numbers: NaN of one that writes none. */
export function numberReader(unit: UnwrapUnit | undefined): (text: string) => number {
  return unit === undefined ? decimalOf : readers[unit]
}

/**
 * One number for each record, NaN for one without the label or whose value is no number (see
 * `decimal.ts`, and for durations and sizes `quantity.ts`). Those of records that are not selected mean
 * nothing.
 */
export function labelNumbers(
  { label, unwrapUnit }: Unwrapped,
  columns: RecordColumns,
  selected: Uint8Array,
): Float64Array {
  // Services and environments may well be called by numbers.
  if (unwrapUnit !== undefined || isIndexedLabel(label)) {
    return numbersByText(numberReader(unwrapUnit), label, columns, selected)
  }
  if (label === messageLabel) return columnNumbers(columns.message)
  const attribute = columns.attribute(label)
  if (attribute === undefined) return new Float64Array(selected.length).fill(Number.NaN)
  const numbers = columnNumbers(attribute.column)
  return attribute.rows === undefined
    ? numbers
    : spreadNumbers(numbers, attribute.rows, selected.length)
}

/** The same where every record has one and they are kept as integers; undefined where not. */
export function labelIntegers(
  { label, unwrapUnit }: Unwrapped,
  columns: RecordColumns,
): ScaledIntegers | undefined {
  if (unwrapUnit !== undefined || isIndexedLabel(label) || label === messageLabel) return undefined
  const attribute = columns.attribute(label)
  return attribute?.rows === undefined ? attribute?.column.scaledIntegers?.() : undefined
}

function columnNumbers(column: SearchableColumn): Float64Array {
  return column.numbers?.() ?? parseDecimals(column.toTextColumn())
}

/** One for each record; NaN for those without one. */
export function spreadNumbers(
  numbers: Float64Array,
  rows: ArrayLike<number>,
  recordCount: number,
): Float64Array {
  const all = new Float64Array(recordCount).fill(Number.NaN)
  for (let i = 0; i < rows.length; i++) all[rows[i]!] = numbers[i]!
  return all
}

/** Each distinct text is read once. */
function numbersByText(
  read: (text: string) => number,
  label: string,
  columns: RecordColumns,
  selected: Uint8Array,
): Float64Array {
  const { codes, codeCount, textOf } = labelCodes(label, columns, selected)
  const ofCode = Float64Array.from({ length: codeCount }, (_, code) => read(textOf(code)))
  return numbersOfCodes(codes ?? new Uint8Array(selected.length), ofCode)
}

function numbersOfCodes(codes: Integers, ofCode: Float64Array): Float64Array {
  const numbers = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) numbers[row] = ofCode[codes[row]!]!
  return numbers
}
