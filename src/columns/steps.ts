/**
 * Integers as steps from one to the next, for `numbers.ts`. A block's timestamps are read by every
 * histogram: where steps take two planes or fewer, one pass leads from the planes to the sums.
 */
import type { ChunkSource } from './column.ts'
import { joinPlanes, planesOf, splitPlanes } from './planes.ts'

/** The smallest and the largest step. */
export interface Steps {
  readonly min: number
  readonly max: number
}

/** Packs, as distances from the smallest step, the steps between values. */
export function packSteps(values: Float64Array, { min, max }: Steps): Buffer[] {
  const steps = new Float64Array(values.length)
  for (let i = 1; i < values.length; i++) steps[i] = values[i]! - values[i - 1]! - min
  return splitPlanes(steps, max - min)
}

/** Sum 0 is `first`; each other is the one before and its step, from the planes of step - min. */
export function addUpSteps(
  count: number,
  first: number,
  { min, max }: Steps,
  chunk: ChunkSource,
): Float64Array {
  const sums = new Float64Array(count)
  if (count === 0) return sums
  sums[0] = first
  const span = max - min
  if (span > 0xffff) addUpWide(joinPlanes(count, span, chunk) as WideSteps, min, sums)
  else {
    const [low, high] = planesOf(count, span, chunk)
    if (low === undefined) addUpEqual(min, sums)
    else if (high === undefined) addUpBytes(low, min, sums)
    else addUpPairs(low, high, min, sums)
  }
  return sums
}

type WideSteps = Uint32Array | Float64Array

function addUpEqual(min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min
    sums[i] = sum
  }
}

function addUpBytes(low: Uint8Array, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + low[i]!
    sums[i] = sum
  }
}

function addUpPairs(low: Uint8Array, high: Uint8Array, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + (low[i]! | (high[i]! << 8))
    sums[i] = sum
  }
}

function addUpWide(steps: WideSteps, min: number, sums: Float64Array): void {
  let sum = sums[0]!
  for (let i = 1; i < sums.length; i++) {
    sum += min + steps[i]!
    sums[i] = sum
  }
}
