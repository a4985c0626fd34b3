/**
 * Texts that are exactly integers ("0", "17", "-5"): status codes, durations, sizes, ids. Stored as
 * `numbers.ts` does; smallest and largest stand in the description, so that most look-ups of one
 * number end there. Tests compare numbers; text is made only for regular expressions.
 */
import { type Condition, passes } from '../match/condition.ts'
import { markEqual } from './codes.ts'
import {
  type ChunkSource,
  countedValuesMax,
  type EncodedColumn,
  type SearchableColumn,
  type TextColumn,
  type ValueCodes,
  type ValueCounts,
} from './column.ts'
import { containsDigits, digitCount, minus, parseInteger } from './digits.ts'
import { type NumberRange, type Numbers, packNumbers, rangeOf, unpackNumbers } from './numbers.ts'
import { offsetsFrom } from './plain.ts'
import { checkCount } from './shape.ts'

/** Numbers from smallest to largest up to which each is tested or counted once, in a table. */
const tableSizeMax = 65_536

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
  const counted = countDistinct(numbers)
  return { encoding: 'integer', meta, chunks, ...(counted && { values: counted }) }
}

/** Undefined when they are too many. */
function countDistinct(numbers: Float64Array): ValueCounts | undefined {
  const counts = new Map<number, number>()
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    counts.set(number, (counts.get(number) ?? 0) + 1)
    if (counts.size > countedValuesMax) return undefined
  }
  const texts = Array.from(counts.keys(), String)
  const bytes = Buffer.from(texts.join(''))
  return {
    texts: { offsets: offsetsFrom(texts.map(text => text.length)), bytes },
    counts: Uint32Array.from(counts.values()),
  }
}

export function openInteger(
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): SearchableColumn {
  checkCount('integer', valueCount)
  return new IntegerColumn(meta, valueCount, chunk)
}

class IntegerColumn implements SearchableColumn {
  readonly valueCount: number
  /** Absent where the numbers lie too far apart for a table. */
  readonly countValues?: (selected: Uint8Array, visit: CountVisitor) => void
  readonly #meta: unknown
  readonly #range: NumberRange
  /** Numbers that a table over the range has. */
  readonly #rangeSize: number
  readonly #chunk: ChunkSource
  #opened: Numbers | undefined

  constructor(meta: unknown, valueCount: number, chunk: ChunkSource) {
    this.valueCount = valueCount
    this.#meta = meta
    this.#range = rangeOf(meta)
    this.#rangeSize = this.#range.max - this.#range.min + 1
    this.#chunk = chunk
    if (this.#rangeSize <= tableSizeMax) {
      this.countValues = (selected, visit) => {
        countNumbers(this.#numbers, this.#rangeSize, selected, visit)
      }
    }
  }

  get heldBytes(): number {
    return this.#opened?.distances.byteLength ?? 0
  }

  textAt(index: number): string {
    const { base, distances } = this.#numbers
    return String(base + distances[index]!)
  }

  markHits({ test }: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (test.kind === 'equals') this.#markEqual(test.bytes, hits)
    else if (test.kind === 'contains') this.#markContaining(test.bytes, hits, isWanted)
    else this.#markWhere(value => passes(test, String(value)), hits, isWanted)
  }

  codes(): ValueCodes | undefined {
    if (this.#rangeSize > tableSizeMax) return undefined
    const { base, distances } = this.#numbers
    const textOf = (code: number) => String(base + code)
    return { codes: distances, codeCount: this.#rangeSize, textOf }
  }

  numbers(): Float64Array {
    const { base, distances } = this.#numbers
    const numbers = new Float64Array(distances.length)
    for (let i = 0; i < distances.length; i++) numbers[i] = base + distances[i]!
    return numbers
  }

  toTextColumn(): TextColumn {
    const texts = Array.from({ length: this.valueCount }, (_, i) => this.textAt(i))
    return {
      offsets: offsetsFrom(texts.map(text => text.length)),
      bytes: Buffer.from(texts.join(''), 'latin1'),
    }
  }

  #markEqual(wanted: Buffer, hits: Uint8Array): void {
    const value = parseInteger(wanted, 0, wanted.length)
    const isInRange = this.#range.min <= value && value <= this.#range.max // Never so for NaN.
    if (!isInRange) return
    const { base, distances } = this.#numbers
    markEqual(distances, value - base, hits)
  }

  #markContaining(needle: Buffer, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (needle.length === 0) {
      hits.fill(1)
      return
    }
    const { min, max } = this.#range
    const longest = Math.max(digitCount(min), digitCount(max)) + (min < 0 ? 1 : 0)
    const needsSign = needle[0] === minus
    if (needle.length > longest || (needsSign && min >= 0)) return
    const contains = containsDigits(needle)
    if (contains !== undefined) this.#markWhere(contains, hits, isWanted)
  }

  /** Marks the numbers that pass, each tested once where a table has room for them. */
  #markWhere(
    passes: (value: number) => boolean,
    hits: Uint8Array,
    isWanted: Uint8Array | undefined,
  ): void {
    const { base, distances } = this.#numbers
    if (this.#rangeSize > tableSizeMax) {
      for (let i = 0; i < distances.length; i++) {
        const isAsked = isWanted === undefined || isWanted[i] === 1
        if (isAsked && passes(base + distances[i]!)) hits[i] = 1
      }
      return
    }
    const verdicts = new Uint8Array(this.#rangeSize)
    for (let i = 0; i < distances.length; i++) {
      if (isWanted !== undefined && isWanted[i] !== 1) continue
      const distance = distances[i]!
      if (verdicts[distance] === untested) {
        verdicts[distance] = passes(base + distance) ? passed : failed
      }
      if (verdicts[distance] === passed) hits[i] = 1
    }
  }

  get #numbers(): Numbers {
    this.#opened ??= unpackNumbers(this.#meta, this.valueCount, this.#chunk)
    return this.#opened
  }
}

const untested = 0
const failed = 1
const passed = 2

type CountVisitor = (text: string, count: number) => void

function countNumbers(
  { base, distances }: Numbers,
  rangeSize: number,
  selected: Uint8Array,
  visit: CountVisitor,
): void {
  const counts = new Uint32Array(rangeSize)
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i]!
    counts[distance] = counts[distance]! + selected[i]!
  }
  for (let distance = 0; distance < rangeSize; distance++) {
    if (counts[distance]! > 0) visit(String(base + distance), counts[distance]!)
  }
}
