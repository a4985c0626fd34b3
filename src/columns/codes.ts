/**
 * The loops that run over every record of a block: codes of a dictionary, distances of integers.
 *
 * There is one of each per width of array, because a loop that has met two kinds of typed arrays takes
 * up to twice as long on both (0.9 ns a value against 1.6). None branches on the data.
 */
import type { Integers } from './integers.ts'

/** Codes of up to 65,536 different values. */
export type Codes = Uint8Array | Uint16Array

/** Marks with 1 the values that are `wanted`; marks that are there stay. */
export function markEqual(values: Integers, wanted: number, hits: Uint8Array): void {
  if (values instanceof Uint8Array) markEqual8(values, wanted, hits)
  else if (values instanceof Uint16Array) markEqual16(values, wanted, hits)
  else markEqualWide(values, wanted, hits)
}

function markEqual8(values: Uint8Array, wanted: number, hits: Uint8Array): void {
  for (let i = 0; i < values.length; i++) hits[i] = hits[i]! | (values[i] === wanted ? 1 : 0)
}

function markEqual16(values: Uint16Array, wanted: number, hits: Uint8Array): void {
  for (let i = 0; i < values.length; i++) hits[i] = hits[i]! | (values[i] === wanted ? 1 : 0)
}

function markEqualWide(values: Integers, wanted: number, hits: Uint8Array): void {
  for (let i = 0; i < values.length; i++) hits[i] = hits[i]! | (values[i] === wanted ? 1 : 0)
}

/** Marks with 1 the values whose code has the verdict 1; marks that are there stay. */
export function markVerdicts(codes: Integers, verdicts: Uint8Array, hits: Uint8Array): void {
  if (codes instanceof Uint8Array) markVerdicts8(codes, verdicts, hits)
  else if (codes instanceof Uint16Array) markVerdicts16(codes, verdicts, hits)
  else markVerdictsWide(codes, verdicts, hits)
}

function markVerdicts8(codes: Uint8Array, verdicts: Uint8Array, hits: Uint8Array): void {
  for (let i = 0; i < codes.length; i++) hits[i] = hits[i]! | verdicts[codes[i]!]!
}

function markVerdicts16(codes: Uint16Array, verdicts: Uint8Array, hits: Uint8Array): void {
  for (let i = 0; i < codes.length; i++) hits[i] = hits[i]! | verdicts[codes[i]!]!
}

function markVerdictsWide(codes: Integers, verdicts: Uint8Array, hits: Uint8Array): void {
  for (let i = 0; i < codes.length; i++) hits[i] = hits[i]! | verdicts[codes[i]!]!
}

/** How many values that `selected` marks with 1 have each of `codeCount` codes. */
export function countCodes(codes: Codes, selected: Uint8Array, codeCount: number): Uint32Array {
  const counts = new Uint32Array(codeCount)
  if (codes instanceof Uint8Array) countCodes8(codes, selected, counts)
  else countCodes16(codes, selected, counts)
  return counts
}

function countCodes8(codes: Uint8Array, selected: Uint8Array, counts: Uint32Array): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    counts[code] = counts[code]! + selected[i]!
  }
}

function countCodes16(codes: Uint16Array, selected: Uint8Array, counts: Uint32Array): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    counts[code] = counts[code]! + selected[i]!
  }
}

/** The largest value; 0 when there is none. */
export function largestOf(values: Integers): number {
  if (values instanceof Uint8Array) return largestOf8(values)
  return values instanceof Uint16Array ? largestOf16(values) : largestOfWide(values)
}

function largestOf8(values: Uint8Array): number {
  let largest = 0
  for (let i = 0; i < values.length; i++) if (values[i]! > largest) largest = values[i]!
  return largest
}

function largestOf16(values: Uint16Array): number {
  let largest = 0
  for (let i = 0; i < values.length; i++) if (values[i]! > largest) largest = values[i]!
  return largest
}

function largestOfWide(values: Integers): number {
  let largest = 0
  for (let i = 0; i < values.length; i++) if (values[i]! > largest) largest = values[i]!
  return largest
}
