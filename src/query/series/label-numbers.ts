/** The numbers that the values of a label write, for sums and quantiles. */

import type { SearchableColumn } from '../../columns/column.ts'
import { decimalOf, parseDecimals } from '../../columns/decimal.ts'
import type { Integers } from '../../columns/integers.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { messageLabel } from '../../record.ts'
import { isIndexedLabel } from '../tally/groups.ts'
import { labelCodes } from '../tally/label-codes.ts'

/**
 * One number for each record, NaN for one without the label or whose value is no number (see
 * `decimal.ts`). Those of records that are not selected mean nothing.
 */
export function labelNumbers(
  label: string,
  columns: RecordColumns,
  selected: Uint8Array,
): Float64Array {
  if (isIndexedLabel(label)) return indexedNumbers(label, columns, selected)
  if (label === messageLabel) return columnNumbers(columns.message)
  const attribute = columns.attribute(label)
  if (attribute === undefined) return new Float64Array(selected.length).fill(Number.NaN)
  const numbers = columnNumbers(attribute.column)
  return attribute.rows === undefined ? numbers : spread(numbers, attribute.rows, selected.length)
}

function columnNumbers(column: SearchableColumn): Float64Array {
  return column.numbers?.() ?? parseDecimals(column.toTextColumn())
}

function spread(numbers: Float64Array, rows: ArrayLike<number>, recordCount: number): Float64Array {
  const all = new Float64Array(recordCount).fill(Number.NaN)
  for (let i = 0; i < rows.length; i++) all[rows[i]!] = numbers[i]!
  return all
}

/** Services and environments may well be called by numbers. */
function indexedNumbers(label: string, columns: RecordColumns, selected: Uint8Array): Float64Array {
  const { codes, codeCount, textOf } = labelCodes(label, columns, selected)
  const ofCode = Float64Array.from({ length: codeCount }, (_, code) => decimalOf(textOf(code)))
  return numbersOfCodes(codes ?? new Uint8Array(selected.length), ofCode)
}

function numbersOfCodes(codes: Integers, ofCode: Float64Array): Float64Array {
  const numbers = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) numbers[row] = ofCode[codes[row]!]!
  return numbers
}
