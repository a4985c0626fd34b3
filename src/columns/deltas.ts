/**
 * Integers as deltas from one to the next, for `numbers.ts`. A block's timestamps are read by every
 * histogram: where deltas take two planes or fewer, one pass leads from the planes to the sums.
 */
import type { ChunkSource } from './column.ts'
import { joinPlanes, planesOf, splitPlanes } from './planes.ts'

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

/** Sum 0 is `first`; each other is the one before and its delta, from the planes of delta - min. */
export function sumDeltas(
  count: number,
  first: number,
  { min, max }: Deltas,
  chunk: ChunkSource,
): Float64Array {
  const sums = new Float64Array(count)
  if (count === 0) return sums
  sums[0] = first
  const span = max - min
  if (span > 0xffff) sumWide(joinPlanes(count, span, chunk) as WideDeltas, min, sums)
  else {
    const [low, high] = planesOf(count, span, chunk)
    if (low === undefined) sumEqual(min, sums)
    else if (high === undefined) sumBytes(low, min, sums)
    else sumPairs(low, high, min, sums)
  }
  return sums
}

type WideDeltas = Uint32Array | Float64Array

function sumEqual(min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min
    sums[i] = sum
  }
}

function sumBytes(low: Uint8Array, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + low[i]!
    sums[i] = sum
  }
}

function sumPairs(low: Uint8Array, high: Uint8Array, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + (low[i]! | (high[i]! << 8))
    sums[i] = sum
  }
}

function sumWide(deltas: WideDeltas, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + deltas[i]!
    sums[i] = sum
  }
}
