/**
 * What all column encodings have in common: how a column is handed to the writer of a segment, and
 * what a query may ask of it once it is read back.
 *
 * An encoding turns texts into a small description (`meta`) and any number of chunks of bytes; the
 * writer compresses and checksums the chunks, the reader hands them back on demand. A column that is
 * asked little reads little.
 */

import type { Condition, Test } from '../match/condition.ts'
import type { Integers } from './integers.ts'
import type { Kept } from './kept.ts'
import type { Numbers } from './numbers.ts'
import type { PatternCodes } from './patterns/column-patterns.ts'
import type { PatternTable } from './patterns/told-patterns.ts'

/** Texts end to end: value i is `bytes[offsets[i], offsets[i + 1])`, in UTF-8. */
export interface TextColumn {
  readonly offsets: Uint32Array
  readonly bytes: Buffer
}

export type Encoding =
  | 'constant'
  | 'dictionary'
  | 'integer'
  | 'fixed-point'
  | 'hex'
  | 'template'
  | 'text'

/** A template of texts, and how many of them have it. */
export interface TemplateCount {
  /** Latin1, "0" for each variable. */
  readonly text: string
  readonly count: number
}

/** Places in bytes: number i is `bytes[starts[i], ends[i])`. */
export interface TextPlaces {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** Texts as templates and variables. */
export interface Templated {
  /** In the order of their numbers. */
  readonly templates: readonly TemplateCount[]
  /** Of all texts, in no particular order. */
  readonly variables: TextPlaces
}

/** Distinct values up to which they are counted when a column is encoded. */
export const countedValuesMax = 64

/** Distinct values, and how many there are of each. */
export interface ValueCounts {
  readonly texts: TextColumn
  readonly counts: Uint32Array
}

/** What is told of a column's values without reading it. */
export interface ToldValues {
  /** Each once; some may have no record here. */
  readonly texts: Pick<SearchableColumn, 'valueCount' | 'textAt'>
  /** How many records have each. */
  readonly counts: Uint32Array
}

/** A column ready to be written. */
export interface EncodedColumn {
  readonly encoding: Encoding
  /** Whatever the encoding needs to find its way in the chunks; msgpack takes it, and it is small. */
  readonly meta: unknown
  readonly chunks: readonly Buffer[]
  /** What the texts were made into, where they have templates. */
  readonly templated?: Templated
  /** Its values, where there are few of them. */
  readonly values?: ValueCounts
}

/**
 * Returns chunk `index` of a column as it was handed to the writer: read, checked, decompressed. `isLent`:
 * the memory need not be the caller's; it may be used for the next chunk of that index, of any column.
 */
export type ChunkSource = (index: number, isLent?: boolean) => Buffer

/** Values by number: value i is `textOf(codes[i])`. */
export interface ValueCodes {
  /** Not to be changed. */
  readonly codes: Integers
  /** All codes are below it; not all of them need occur. */
  readonly codeCount: number
  textOf(code: number): string
}

/** Number i is `(base + distances[i]) / scale`, rounded once. */
export interface ScaledIntegers extends Numbers {
  /** A power of ten. */
  readonly scale: number
  /** No `base + distances[i]` is larger. */
  readonly max: number
}

/** A column as a query sees it. Values are numbered from 0 in the order in which they were encoded. */
export interface SearchableColumn {
  readonly valueCount: number
  textAt(index: number): string
  /** The same as a string of JSON, where that is quicker than to turn the text into one. */
  jsonAt?(index: number): string
  /**
   * Marks with 1, in `hits` (one byte a value), each value that passes the condition's test; the
   * negation is the caller's. Only values that `isWanted` marks with 1 matter (undefined: all); the
   * others may be marked or not.
   */
  markHits(condition: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void
  /**
   * How many values pass a test, where they are counted faster than they are marked. Undefined, or absent,
   * where they are not.
   */
  countHits?(test: Test): number | undefined
  /**
   * Marks with 1, in `hits`, each value that begins with a well-formed text of one character or more.
   * Absent where nothing is faster than marking what contains it.
   */
  markBeginning?(prefix: string, hits: Uint8Array): void
  /** False when no value can pass the test, known without looking at values. Absent: cannot tell. */
  mayPass?(test: Test): boolean
  /**
   * Counts per distinct value where the encoding knows them (dictionary, constant): calls `visit` for
   * each distinct text with the number of values marked in `selected` that have it. Absent where
   * it does not.
   */
  countValues?(selected: Uint8Array, visit: (text: string, count: number) => void): void
  /**
   * A small number for each value, the same for the same text, where the encoding has such numbers
   * (dictionary, constant, integers close together). Undefined or absent where it does not.
   */
  codes?(): ValueCodes | undefined
  /** The kind of each value as a message, where that takes no texts; `told`: of those of its templates that
   *  have one. Absent: see `patternCodes`. */
  patternCodes?(told?: PatternTable): PatternCodes
  /** The number that each value writes (see `decimal.ts`), NaN where it writes none. Absent: to be
   *  parsed from `toTextColumn`. */
  numbers?(): Float64Array
  /** The same as they are kept, where every value is an integer divided by one power of ten. Not to be
   *  changed. */
  scaledIntegers?(): ScaledIntegers
  /** All values in their exact bytes, also those that are not UTF-8: for compaction. May share memory. */
  toTextColumn(): TextColumn
  /** Bytes of memory that the column holds on to, for the cache's budget. */
  readonly heldBytes: number
  /** Releases what is large and seldom needed; it is read again when it is. Absent: all or none. */
  shed?(): void
  /** What it keeps, in parts that can be had back one by one. Absent: all or none. */
  readonly kept?: readonly Kept[]
}
