/** The values that records of a group have of one label, in the form in which they are at hand. */

import type { Integers } from '../../columns/integers.ts'
import type { Numbers } from '../../columns/numbers.ts'
import type { AttributeColumn, RecordColumns } from '../../columns/record-columns.ts'
import { type DigitsInTurn, numbersOfDigits } from '../../columns/template/numbers.ts'
import type { TemplateColumn } from '../../columns/template/open.ts'
import type { Variables } from '../../columns/template/variables.ts'
import { levelLabel } from '../../record.ts'
import { spreadCodes } from '../collect/label-codes.ts'
import { spreadNumbers } from '../series/label-numbers.ts'
import type { RowLabels } from './row-labels.ts'
import type { Part } from './shaped-line.ts'

/** Records are numbered within their group. */
export type LabelValues =
  | { readonly kind: 'same'; readonly text: string }
  | {
      readonly kind: 'codes'
      /** Codes of other records than those asked for mean nothing, but are below `codeCount`. */
      readonly codes: Integers
      readonly codeCount: number
      textOf(code: number): string
    }
  | {
      readonly kind: 'texts'
      textAt(index: number): string
      /** What the texts write (see `decimal.ts`), NaN where that is to be asked of the text. */
      readonly numbers?: () => Float64Array
      /** Whether each text writes a number, so that none is NaN. Absent: some may not. */
      readonly areNumbers?: boolean
    }

/** Codes whatever the number of records: with more, a table of them takes longer than the records. */
const codesFree = 256

/** Of all texts of a template. */
export function valuesOfParts(column: TemplateColumn, parts: readonly Part[]): LabelValues {
  const words = parts.map(part => (typeof part === 'string' ? part : column.constantOf(part)))
  if (words.every(word => word !== undefined)) return { kind: 'same', text: words.join('') }
  const [part, ...others] = parts
  if (others.length > 0 || typeof part !== 'number') return joined(column, parts)
  const variables = column.variablesOf(part)
  const coded = variables.codes()
  const isWorthIt = coded !== undefined && coded.codeCount <= codesFree + coded.codes.length
  if (isWorthIt) return { kind: 'codes', ...coded }
  const integers = variables.integers()
  const textAt = (index: number) => variables.textAt(index)
  if (integers === undefined) return { kind: 'texts', textAt }
  return { kind: 'texts', textAt, numbers: () => numbersOf(integers), areNumbers: true }
}

function joined(column: TemplateColumn, parts: readonly Part[]): LabelValues {
  const variables = parts.map(one => (typeof one === 'string' ? one : column.variablesOf(one)))
  const textAt = (index: number) => {
    let text = ''
    for (const one of variables) text += typeof one === 'string' ? one : one.textAt(index)
    return text
  }
  const digits = digitsOf(variables)
  const first = parts.find(part => typeof part === 'number')!
  const numbers = digits && numbersOfDigits(column.textCountOf(first), digits)
  if (numbers === undefined) return { kind: 'texts', textAt }
  return { kind: 'texts', textAt, numbers: () => numbers, areNumbers: true }
}

/** Of a number with a fraction, its variables; undefined for any other text. */
function digitsOf(parts: readonly (string | Variables)[]): DigitsInTurn | undefined {
  const isNegative = parts[0] === '-'
  const [whole, point, fraction, ...more] = isNegative ? parts.slice(1) : parts
  const isNumber =
    typeof whole === 'object' && point === '.' && typeof fraction === 'object' && more.length === 0
  return isNumber ? { isNegative, variables: [whole, fraction] } : undefined
}

function numbersOf({ base, distances }: Numbers): Float64Array {
  const numbers = new Float64Array(distances.length)
  for (let i = 0; i < numbers.length; i++) numbers[i] = base + distances[i]!
  return numbers
}

/** What records came with under a name; `rows`: which of the block's records, undefined for all. */
export function ownValues(
  name: string,
  columns: RecordColumns,
  labels: RowLabels,
  rows: ArrayLike<number> | undefined,
): LabelValues {
  if (name === levelLabel) {
    const { levels, levelCodes } = columns
    const codes = chosen(levelCodes, rows)
    return { kind: 'codes', codes, codeCount: levels.length, textOf: code => levels[code]! }
  }
  const textAt = (index: number) => {
    labels.row = rows === undefined ? index : rows[index]!
    return labels.text(name)
  }
  const [only, ...others] = labels.labelNames(name)
  const attribute = only === undefined || others.length > 0 ? undefined : columns.attribute(only)
  if (attribute === undefined) return { kind: 'texts', textAt }
  const coded = attribute.column.codes?.()
  if (coded === undefined) return numbered(attribute, columns.recordCount, rows, textAt)
  const all = spreadCodes(coded, attribute, columns.recordCount)
  return { kind: 'codes', ...all, codes: chosen(all.codes, rows) }
}

function numbered(
  { column, rows: present }: AttributeColumn,
  recordCount: number,
  rows: ArrayLike<number> | undefined,
  textAt: (index: number) => string,
): LabelValues {
  if (column.numbers === undefined) return { kind: 'texts', textAt }
  const numbers = () => {
    const known = column.numbers!()
    if (present === undefined) return chosen(known, rows)
    return chosen(spreadNumbers(known, present, recordCount), rows)
  }
  return { kind: 'texts', textAt, numbers }
}

function chosen<Values extends Integers>(
  values: Values,
  rows: ArrayLike<number> | undefined,
): Values {
  if (rows === undefined) return values
  const picked = new (values.constructor as new (length: number) => Values)(rows.length)
  for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i]!]!
  return picked
}
