/**
 * Texts that each write one number, kept as integers (`numbers.ts`). Smallest and largest stand in the
 * description, so that most look-ups of one number end there. Tests compare numbers; text is made only
 * where arithmetic cannot tell. Which texts these are is said by a form: integers (`integer.ts`), or
 * numbers with a few decimals (`fixed-point.ts`).
 */
import type { Condition, Test } from '../match/condition.ts'
import type { MatchingNumbers, Pattern } from '../match/pattern.ts'
import { countWithin, markEqual, markWithin, type Within } from './codes.ts'
import {
  type ChunkSource,
  countedValuesMax,
  type ScaledIntegers,
  type SearchableColumn,
  type TextColumn,
  type ValueCodes,
  type ValueCounts,
} from './column.ts'
import { LazyNumbers } from './lazy-numbers.ts'
import { type NumberRange, type Numbers, rangeOf } from './numbers.ts'
import { offsetsFrom } from './plain.ts'

/** Numbers from smallest to largest up to which each is tested or counted once, in a table. */
const tableSizeMax = 65_536

/** How texts and integers stand for each other, one to one. */
export interface NumberForm {
  /** What the integers are divided by to get the numbers: a power of ten. */
  readonly scale: number
  textOf(integer: number): string
  /** NaN for a text that is not of the form. */
  parse(bytes: Uint8Array, start: number, end: number): number
  /** A test for the integers whose texts contain `needle` (not empty); undefined when none does. */
  containing(needle: Buffer, range: NumberRange): ((integer: number) => boolean) | undefined
}

/** The distinct values among integers of a form; undefined when they are too many to be counted. */
export function countDistinct(
  integers: Float64Array,
  { textOf }: NumberForm,
): ValueCounts | undefined {
  const counts = new Map<number, number>()
  for (let i = 0; i < integers.length; i++) {
    const integer = integers[i]!
    counts.set(integer, (counts.get(integer) ?? 0) + 1)
    if (counts.size > countedValuesMax) return undefined
  }
  const texts = Array.from(counts.keys(), textOf)
  const bytes = Buffer.from(texts.join(''))
  return {
    texts: { offsets: offsetsFrom(texts.map(text => text.length)), bytes },
    counts: Uint32Array.from(counts.values()),
  }
}

export class NumberColumn implements SearchableColumn {
  readonly valueCount: number
  /** Absent where the numbers lie too far apart for a table. */
  readonly countValues?: NonNullable<SearchableColumn['countValues']>
  readonly #range: NumberRange
  /** Numbers that a table over the range has. */
  readonly #rangeSize: number
  readonly #form: NumberForm
  readonly #lazy: LazyNumbers

  /** `meta` as `packNumbers` made it. */
  constructor(meta: unknown, valueCount: number, chunk: ChunkSource, form: NumberForm) {
    this.#form = form
    this.valueCount = valueCount
    this.#range = rangeOf(meta)
    this.#rangeSize = this.#range.max - this.#range.min + 1
    this.#lazy = new LazyNumbers(meta, valueCount, chunk)
    if (this.#rangeSize <= tableSizeMax) {
      this.countValues = (selected, visit) => {
        countNumbers(this.#numbers, this.#rangeSize, selected, (integer, count) => {
          visit(form.textOf(integer), count)
        })
      }
    }
  }

  get heldBytes(): number {
    return this.#lazy.heldBytes
  }

  textAt(index: number): string {
    return this.#form.textOf(this.#lazy.at(index))
  }

  markHits({ test }: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (!this.mayPass(test)) return
    if (test.kind === 'equals') this.#markEqual(test.bytes, hits)
    else if (test.kind === 'contains') this.#markContaining(test.bytes, hits, isWanted)
    else this.#markMatching(test.pattern, hits, isWanted)
  }

  countHits(test: Test): number | undefined {
    if (!this.mayPass(test)) return 0
    if (test.kind === 'equals') {
      const value = this.#form.parse(test.bytes, 0, test.bytes.length)
      return this.#countBetween({ least: value, greatest: value })
    }
    const numbers = test.kind === 'matches' ? test.pattern.numbers : undefined
    if (numbers === undefined) return undefined
    const between = this.#between(numbers)
    const count = between === undefined ? 0 : this.#countBetween(between)
    return numbers.isInside ? count : this.valueCount - count
  }

  mayPass(test: Test): boolean {
    const { min, max } = this.#range
    if (test.kind === 'contains') return true
    if (test.kind === 'matches') {
      const { scale } = this.#form
      return test.pattern.mayMatchNumbers?.(min / scale, max / scale) ?? true
    }
    const value = this.#form.parse(test.bytes, 0, test.bytes.length)
    return min <= value && value <= max // Never so for NaN.
  }

  codes(): ValueCodes | undefined {
    if (this.#rangeSize > tableSizeMax) return undefined
    const { base, distances } = this.#numbers
    const textOf = (code: number) => this.#form.textOf(base + code)
    return { codes: distances, codeCount: this.#rangeSize, textOf }
  }

  numbers(): Float64Array {
    const { base, distances } = this.#numbers
    const { scale } = this.#form
    const numbers = new Float64Array(distances.length)
    // Integer and power of ten are both exact, so that dividing rounds once: as reading the text would.
    for (let i = 0; i < distances.length; i++) numbers[i] = (base + distances[i]!) / scale
    return numbers
  }

  scaledIntegers(): ScaledIntegers {
    const { base, distances } = this.#numbers
    return { base, distances, scale: this.#form.scale, max: this.#range.max }
  }

  toTextColumn(): TextColumn {
    const texts = Array.from({ length: this.valueCount }, (_, i) => this.textAt(i))
    return {
      offsets: offsetsFrom(texts.map(text => text.length)),
      bytes: Buffer.from(texts.join(''), 'latin1'),
    }
  }

  #markEqual(wanted: Buffer, hits: Uint8Array): void {
    const value = this.#form.parse(wanted, 0, wanted.length)
    const { base, distances } = this.#numbers
    markEqual(distances, value - base, hits)
  }

  #markContaining(needle: Buffer, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (needle.length === 0) {
      hits.fill(1)
      return
    }
    const contains = this.#form.containing(needle, this.#range)
    if (contains !== undefined) this.#markWhere(contains, hits, isWanted)
  }

  #markMatching(pattern: Pattern, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (pattern.numbers !== undefined) this.#markNumbers(pattern.numbers, hits)
    else this.#markWhere(integer => pattern.matches(this.#form.textOf(integer)), hits, isWanted)
  }

  #markNumbers(numbers: MatchingNumbers, hits: Uint8Array): void {
    const { isInside } = numbers
    const between = this.#between(numbers)
    if (between === undefined || this.#isAll(between)) {
      if (isInside === (between !== undefined)) hits.fill(1)
      return
    }
    const { base, distances } = this.#numbers
    const { least, greatest } = between
    markWithin(distances, { least: least - base, greatest: greatest - base }, isInside, hits)
  }

  #countBetween(between: Within): number {
    if (this.#isAll(between)) return this.valueCount
    const { base, distances } = this.#numbers
    const within = { least: between.least - base, greatest: between.greatest - base }
    return countWithin(distances, within, this.#range.max - base)
  }

  /** Whether all values lie between, so that none has to be looked at. */
  #isAll({ least, greatest }: Within): boolean {
    return least <= this.#range.min && this.#range.max <= greatest
  }

  /** The integers of the range that are neither below nor above; undefined where there are none. */
  #between({ isBelow, isAbove }: MatchingNumbers): Within | undefined {
    const { scale } = this.#form
    const { min, max } = this.#range
    // Dividing rounds, but never makes more of what is less.
    const least = firstOf(min, max, integer => !isBelow(integer / scale))
    if (least === undefined || isAbove(least / scale)) return undefined
    const above = firstOf(least, max, integer => isAbove(integer / scale))
    return { least, greatest: above === undefined ? max : above - 1 }
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
    return this.#lazy.all()
  }
}

/**
 * The first integer from `min` to `max` of which `holds` is true, as it is of all that follow; undefined
 * where it is true of none.
 */
function firstOf(
  min: number,
  max: number,
  holds: (integer: number) => boolean,
): number | undefined {
  if (!holds(max)) return undefined
  let low = min
  let high = max
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const untested = 0
const failed = 1
const passed = 2

function countNumbers(
  { base, distances }: Numbers,
  rangeSize: number,
  selected: Uint8Array,
  visit: (integer: number, count: number) => void,
): void {
  const counts = new Uint32Array(rangeSize)
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i]!
    counts[distance] = counts[distance]! + selected[i]!
  }
  for (let distance = 0; distance < rangeSize; distance++) {
    if (counts[distance]! > 0) visit(base + distance, counts[distance]!)
  }
}
