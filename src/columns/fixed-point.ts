/**
 * Texts that are exactly numbers with a few decimals ("0.5", "12", "-3.75"), as durations, prices and
 * shares are written: each an integer when multiplied with the same power of ten. One that has a zero
 * behind its last decimal ("1.50") is none of them, nor is "1e3".
 */
import type { ChunkSource, EncodedColumn, SearchableColumn, TextColumn } from './column.ts'
import { powersOfTen } from './decimal.ts'
import { digitsMax, minus, parseInteger } from './digits.ts'
import { countDistinct, NumberColumn, type NumberForm } from './number-column.ts'
import { packNumbers } from './numbers.ts'
import { checkCount, checkShape } from './shape.ts'

const point = 0x2e
const zero = 0x30
const nine = 0x39

/** What texts of the form are made of. */
const formPattern = /^[-.\d]+$/

/**
 * Undefined unless every value is such a text, one of them with decimals, and all of them fit within
 * ±(2^53 - 1) when they are integers.
 */
export function encodeFixedPoint(values: TextColumn): EncodedColumn | undefined {
  const { offsets, bytes } = values
  const valueCount = offsets.length - 1
  let decimals = 0
  for (let i = 0; i < valueCount; i++) {
    const found = decimalsOf(bytes, offsets[i]!, offsets[i + 1]!)
    if (found === undefined) return undefined
    if (found > decimals) decimals = found
  }
  if (decimals === 0) return undefined
  const form = formOf(decimals)
  const integers = new Float64Array(valueCount)
  for (let i = 0; i < valueCount; i++) {
    const integer = form.parse(bytes, offsets[i]!, offsets[i + 1]!)
    if (Number.isNaN(integer)) return undefined
    integers[i] = integer
  }
  const { meta, chunks } = packNumbers(integers)
  const counted = countDistinct(integers, form)
  return {
    encoding: 'fixed-point',
    meta: [decimals, meta],
    chunks,
    ...(counted && { values: counted }),
  }
}

export function openFixedPoint(
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): SearchableColumn {
  checkCount('fixed-point', valueCount)
  checkShape(
    Array.isArray(meta) && meta.length === 2,
    'fixed-point column: its description is not a list of 2 fields',
  )
  const [decimals, numbers] = meta as [unknown, unknown]
  checkShape(
    Number.isInteger(decimals) && 1 <= Number(decimals) && Number(decimals) <= digitsMax,
    `fixed-point column: it cannot have ${decimals} decimals`,
  )
  return new NumberColumn(numbers, valueCount, chunk, formOf(Number(decimals)))
}

/** Texts with at most so many decimals. */
function formOf(decimals: number): NumberForm {
  const scale = powersOfTen[decimals]!
  const textOf = (integer: number) => textWith(decimals, integer)
  return {
    scale,
    textOf,
    parse: (bytes, start, end) => parseWith(decimals, bytes, start, end),
    containing(needle) {
      const text = needle.toString('latin1')
      return formPattern.test(text) ? integer => textOf(integer).includes(text) : undefined
    },
  }
}

function textWith(decimals: number, integer: number): string {
  const digits = String(Math.abs(integer)).padStart(decimals + 1, '0')
  let end = digits.length
  const wholeEnd = end - decimals
  while (end > wholeEnd && digits.charCodeAt(end - 1) === zero) end--
  const whole = (integer < 0 ? '-' : '') + digits.slice(0, wholeEnd)
  return end === wholeEnd ? whole : `${whole}.${digits.slice(wholeEnd, end)}`
}

/** How many decimals a text of the form may have: none for an integer; undefined for what is not of it. */
function decimalsOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  // A sign, a point, and digits that an integer holds.
  if (end === start || end - start > digitsMax + 2) return undefined
  let at = bytes[start] === minus ? start + 1 : start
  while (at < end && isDigit(bytes[at]!)) at++
  if (at === end) return 0
  if (bytes[at] !== point) return undefined
  const decimals = end - at - 1
  for (at++; at < end; at++) if (!isDigit(bytes[at]!)) return undefined
  return decimals
}

/** The integer that a text writes when its point is moved by `decimals`; NaN for what is not of the form. */
function parseWith(decimals: number, bytes: Uint8Array, start: number, end: number): number {
  let pointAt = start
  while (pointAt < end && bytes[pointAt] !== point) pointAt++
  const isNegative = bytes[start] === minus
  const isZero = pointAt === start + 2 && isNegative && bytes[start + 1] === zero // "-0.5"
  const whole = isZero ? 0 : parseInteger(bytes, start, pointAt)
  let integer = Math.abs(whole) * powersOfTen[decimals]!
  if (pointAt < end) {
    const count = end - pointAt - 1
    if (count < 1 || count > decimals || bytes[end - 1] === zero) return Number.NaN
    let fraction = 0
    for (let at = pointAt + 1; at < end; at++) {
      if (!isDigit(bytes[at]!)) return Number.NaN
      fraction = fraction * 10 + (bytes[at]! - zero)
    }
    integer += fraction * powersOfTen[decimals - count]!
  } else if (isZero) {
    return Number.NaN
  }
  // Beyond 2^53 it may be rounded, but never to below it.
  if (!(integer <= Number.MAX_SAFE_INTEGER)) return Number.NaN
  return isNegative ? -integer : integer
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine
}
