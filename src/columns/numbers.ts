/**
 * Integers from -2^53 to 2^53: a block's timestamps and sequences, and what the encodings of texts
 * need (values, lengths).
 *
 * Two forms, each in byte planes: the distance from the smallest value; or, for what is sorted or
 * nearly so, each value's delta from the one before, as its distance from the smallest delta, so that
 * an unbroken sequence takes no bytes. Values too far apart for exact distances stay float64.
 *
 * Description: [min, max], and for deltas [min, max, first, deltaMin, deltaMax].
 */

import { keptArray } from '../threads/uncounted-memory.ts'
import { largestOf } from './codes.ts'
import type { ChunkSource, EncodedColumn } from './column.ts'
import { packDeltas, type Sums, sumDeltas, sumUpTo } from './deltas.ts'
import { estimateBytes } from './estimate.ts'
import type { Integers } from './integers.ts'
import { joinPlanes, planesOf, splitPlanes, valueOfPlanes } from './planes.ts'
import { checkCount, checkLength, checkShape, readIntegers } from './shape.ts'

/** Value i is `base + distances[i]`. */
export interface Numbers {
  readonly base: number
  readonly distances: Integers
}

export interface NumberRange {
  readonly min: number
  readonly max: number
}

export interface PackedNumbers {
  readonly meta: readonly number[]
  readonly chunks: readonly Buffer[]
}

const largestInteger = 2 ** 53

/** Fields of the two descriptions. */
const distanceFieldCount = 2
const deltaFieldCount = 5

/** Encodes integers, sorted or not. Throws RangeError for what is not an integer within ±2^53. */
export function encodeNumbers(values: Float64Array | readonly number[]): EncodedColumn {
  const { meta, chunks } = packNumbers(Float64Array.from(values))
  return { encoding: 'integer', meta, chunks }
}

/** Returns what `encodeNumbers` was given. Throws an Error naming what does not fit. */
export function openNumbers(meta: unknown, valueCount: number, chunk: ChunkSource): Float64Array {
  checkCount('integer', valueCount)
  if (hasDeltas(meta)) {
    const values = new Float64Array(valueCount)
    unpackDeltas(meta, values, chunk, 0)
    return values
  }
  const { base, distances } = unpackNumbers(meta, valueCount, chunk)
  const values = new Float64Array(valueCount)
  for (let i = 0; i < valueCount; i++) values[i] = base + distances[i]!
  return values
}

/** Packs integers. Throws RangeError for what is not an integer within ±2^53. */
export function packNumbers(values: Float64Array): PackedNumbers {
  const { min, max, deltas } = measure(values)
  const span = max - min
  if (!isExact(span)) {
    return { meta: [min, max], chunks: [Buffer.from(Float64Array.from(values).buffer)] }
  }
  const deltaSpan = deltas.max - deltas.min
  // Deltas lie further apart than values do, unless values mostly rise or mostly fall.
  const deltasMayWin = span > 0 && deltaSpan < span && isExact(2 * span)
  if (!deltasMayWin) return packDistances(values, min, max)
  const deltaCoded = {
    meta: [min, max, values[0]!, deltas.min, deltas.max],
    chunks: packDeltas(values, deltas),
  }
  if (deltaCoded.chunks.length === 0) return deltaCoded
  const distant = packDistances(values, min, max)
  return estimateBytes(deltaCoded.chunks) < estimateBytes(distant.chunks) ? deltaCoded : distant
}

/** Smallest and largest of packed integers, from their description alone. */
export function rangeOf(meta: unknown): NumberRange {
  checkShape(
    Array.isArray(meta) && (meta.length === distanceFieldCount || meta.length === deltaFieldCount),
    'integer column: its description is not a list of 2 or 5 fields',
  )
  const [min, max] = readIntegers('integer', meta.slice(0, 2), ['min', 'max'])
  checkShape(
    -largestInteger <= min! && min! <= max! && max! <= largestInteger,
    `integer column: cannot hold values from ${min} to ${max}`,
  )
  return { min: min!, max: max! }
}

/** Unpacks what `packNumbers` made. Throws an Error naming what does not fit. */
export function unpackNumbers(meta: unknown, valueCount: number, chunk: ChunkSource): Numbers {
  checkCount('integer', valueCount)
  const { min, max } = rangeOf(meta)
  const span = max - min
  if (!isExact(span)) return { base: 0, distances: unpackFloats(valueCount, chunk(0)) }
  if (hasDeltas(meta)) {
    const isNarrow = span < 2 ** 32 && onlyRises(meta)
    const distances = isNarrow ? keptArray(Uint32Array, valueCount) : new Float64Array(valueCount)
    unpackDeltas(meta, distances, chunk, min)
    return { base: min, distances }
  }
  const distances = joinPlanes(valueCount, span, chunk)
  checkShape(largestOf(distances) <= span, 'integer column: a value lies above its maximum')
  return { base: min, distances }
}

/**
 * Unpacks number `index` alone, from what `packNumbers` made. Undefined where that is no less work than to
 * unpack all. Throws an Error naming what does not fit; others may not fit either.
 */
export function numberAt(
  meta: unknown,
  valueCount: number,
  index: number,
  chunk: ChunkSource,
): number | undefined {
  checkCount('integer', valueCount)
  const { min, max } = rangeOf(meta)
  const span = max - min
  if (!isExact(span)) return undefined
  let value: number
  if (hasDeltas(meta)) {
    const { first, deltas } = readDeltas(meta)
    // Sums on the way are beyond the range where deltas are large and of both signs.
    const stepMax = Math.max(Math.abs(deltas.min), Math.abs(deltas.max), deltas.max - deltas.min)
    if (!isExact(2 * valueCount * stepMax + Math.abs(first))) return undefined
    value = sumUpTo(index, valueCount, first, deltas, chunk)
  } else {
    value = min + valueOfPlanes(planesOf(valueCount, span, chunk, true), index)
  }
  checkShape(min <= value && value <= max, 'integer column: a value lies outside of its range')
  return value
}

function isExact(distance: number): boolean {
  return distance <= Number.MAX_SAFE_INTEGER
}

interface Measures extends NumberRange {
  readonly deltas: NumberRange
}

function measure(values: Float64Array): Measures {
  if (values.length === 0) return { min: 0, max: 0, deltas: { min: 0, max: 0 } }
  let min = values[0]!
  let max = min
  let deltaMin = Number.POSITIVE_INFINITY
  let deltaMax = Number.NEGATIVE_INFINITY
  let previous = min
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (!Number.isInteger(value) || Math.abs(value) > largestInteger) {
      throw new RangeError(`${value} is not an integer within ±2^53`)
    }
    if (value < min) min = value
    if (value > max) max = value
    if (i > 0) {
      const delta = value - previous
      if (delta < deltaMin) deltaMin = delta
      if (delta > deltaMax) deltaMax = delta
    }
    previous = value
  }
  return { min, max, deltas: { min: deltaMin, max: deltaMax } }
}

function packDistances(values: Float64Array, min: number, max: number): PackedNumbers {
  const distances = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) distances[i] = values[i]! - min
  return { meta: [min, max], chunks: splitPlanes(distances, max - min) }
}

function hasDeltas(meta: unknown): meta is readonly unknown[] {
  return Array.isArray(meta) && meta.length === deltaFieldCount
}

/** Whether no delta is below zero: then the last value is the largest. */
function onlyRises([, , , deltaMin]: readonly unknown[]): boolean {
  return typeof deltaMin === 'number' && deltaMin >= 0
}

/** Fills `values` with the values less `base`. Those of 32 bits must have room for all between min and
 *  max that only rise. */
function unpackDeltas(
  meta: readonly unknown[],
  values: Sums,
  chunk: ChunkSource,
  base: number,
): void {
  const { min, max } = rangeOf(meta)
  const { first, deltas } = readDeltas(meta)
  if (values.length === 0) return
  const last = sumDeltas(values, first - base, deltas, chunk)
  const isInRange = onlyRises(meta)
    ? last <= max - base
    : liesWithin(values, min - base, max - base)
  checkShape(isInRange, 'integer column: a delta leaves the range')
}

function readDeltas(meta: readonly unknown[]): { first: number; deltas: NumberRange } {
  const fields = readIntegers('integer', meta, ['min', 'max', 'first', 'deltaMin', 'deltaMax'])
  const [min, max, first, deltaMin, deltaMax] = fields as [number, number, number, number, number]
  checkShape(
    min <= first && first <= max && deltaMin <= deltaMax && isExact(deltaMax - deltaMin),
    `integer column: cannot start at ${first} with deltas from ${deltaMin} to ${deltaMax}`,
  )
  return { first, deltas: { min: deltaMin, max: deltaMax } }
}

function liesWithin(values: Sums, min: number, max: number): boolean {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < min || values[i]! > max) return false
  }
  return true
}

function unpackFloats(valueCount: number, chunk: Buffer): Float64Array {
  checkLength('integer', chunk, valueCount * 8)
  const values = new Float64Array(valueCount)
  // A copy, because a Float64Array must be aligned and bytes inside a file are not.
  Buffer.from(values.buffer).set(chunk)
  return values
}
