/**
 * Integers as deltas from one to the next, for `numbers.ts`. A block's timestamps are read by every
 * histogram: where deltas take two planes or fewer, one pass leads from the planes to the sums.
 */
import type { ChunkSource } from './column.ts'
import { joinPlanes, planesOf, splitPlanes, sumOfPlanes } from './planes.ts'

/** The smallest and the largest delta. */
export interface Deltas {
  readonly min: number
  readonly max: number
}

/** Packs, as distances from the smallest delta, the deltas between values. */
export function packDeltas(values: Float64Array, { min, max }: Deltas): Buffer[] {
  const deltas = new Float64Array(values.length)
  for (let i = 1; i < values.length; i++) deltas[i] = values[i]! - values[i - 1]! - min
  return splitPlanes(deltas, max - min)
}

/**
 * Sum 0 is `first`; each other is the one before and its delta, from the planes of delta - min. Returns the
 * last of at least one, also when there is no room for it in `sums`.
 */
export function sumDeltas(
  sums: Sums,
  first: number,
  { min, max }: Deltas,
  chunk: ChunkSource,
): number {
  const count = sums.length
  sums[0] = first
  const span = max - min
  if (span > 0xffff) return sumWide(joinPlanes(count, span, chunk) as WideDeltas, first, min, sums)
  const [low, high] = planesOf(count, span, chunk, true)
  if (low === undefined) return sumEqual(first, min, sums)
  return high === undefined
    ? sumBytes(low, first, min, sums)
    : sumPairs(low, high, first, min, sums)
}

/**
 * Sum `index` alone, of `count`: the sums of each plane by itself. It and twice all deltas together must be
 * exact.
 */
export function sumUpTo(
  index: number,
  count: number,
  first: number,
  { min, max }: Deltas,
  chunk: ChunkSource,
): number {
  const planes = planesOf(count, max - min, chunk, true)
  // The delta of the first value is none, and its place in the planes is 0.
  return first + index * min + sumOfPlanes(planes, index + 1)
}

/** 32 bits where that is enough: half of what is made is fresh memory otherwise, to be thrown away. */
export type Sums = Float64Array | Uint32Array
type WideDeltas = Uint32Array | Float64Array

function sumEqual(first: number, min: number, sums: Sums): number {
  let sum = first
  for (let i = 1; i < sums.length; i++) {
    sum += min
    sums[i] = sum
  }
  return sum
}

function sumBytes(low: Uint8Array, first: number, min: number, sums: Sums): number {
  let sum = first
  for (let i = 1; i < sums.length; i++) {
    sum += min + low[i]!
    sums[i] = sum
  }
  return sum
}

function sumPairs(
  low: Uint8Array,
  high: Uint8Array,
  first: number,
  min: number,
  sums: Sums,
): number {
  let sum = first
  for (let i = 1; i < sums.length; i++) {
    sum += min + (low[i]! | (high[i]! << 8))
    sums[i] = sum
  }
  return sum
}

function sumWide(deltas: WideDeltas, first: number, min: number, sums: Sums): number {
  let sum = first
  for (let i = 1; i < sums.length; i++) {
    sum += min + deltas[i]!
    sums[i] = sum
  }
  return sum
}
