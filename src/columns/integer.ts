/** Texts that are exactly integers ("0", "17", "-5"): status codes, durations, sizes, ids. */
import type { ChunkSource, EncodedColumn, SearchableColumn, TextColumn } from './column.ts'
import { containsDigits, digitCount, minus, parseInteger } from './digits.ts'
import { countDistinct, NumberColumn, type NumberForm } from './number-column.ts'
import { packNumbers } from './numbers.ts'
import { checkCount } from './shape.ts'

const integerForm: NumberForm = {
  scale: 1,
  textOf: String,
  parse: parseInteger,
  containing(needle, { min, max }) {
    const longest = Math.max(digitCount(min), digitCount(max)) + (min < 0 ? 1 : 0)
    const needsSign = needle[0] === minus
    if (needle.length > longest || (needsSign && min >= 0)) return undefined
    return containsDigits(needle)
  },
}

/** Undefined unless every value is the text that an integer within ±(2^53 - 1) gives. */
export function encodeInteger(values: TextColumn): EncodedColumn | undefined {
  const { offsets, bytes } = values
  const valueCount = offsets.length - 1
  if (valueCount === 0) return undefined
  const numbers = new Float64Array(valueCount)
  for (let i = 0; i < valueCount; i++) {
    const value = parseInteger(bytes, offsets[i]!, offsets[i + 1]!)
    if (Number.isNaN(value)) return undefined
    numbers[i] = value
  }
  const { meta, chunks } = packNumbers(numbers)
  const counted = countDistinct(numbers, integerForm)
  return { encoding: 'integer', meta, chunks, ...(counted && { values: counted }) }
}

export function openInteger(
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): SearchableColumn {
  checkCount('integer', valueCount)
  return new NumberColumn(meta, valueCount, chunk, integerForm)
}
