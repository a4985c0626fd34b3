/**
 * The loops that run over every record of a block: codes of a dictionary, distances of integers.
 *
 * There is one of each per width of array, because a loop that has met two kinds of typed arrays takes
 * up to twice as long on both (0.9 ns a value against 1.6). None branches on the data.
 */
import type { Integers } from './integers.ts'
import type { RowRange } from './record-columns.ts'

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

/** Integers from `least` to `greatest`, both of them in it. */
export interface Within {
  readonly least: number
  readonly greatest: number
}

/**
 * Marks with 1 the values that lie within, or all others where `isInside` is false; marks that are there
 * stay. Of a value that lies within, neither difference to an end is negative: a comparison as a condition
 * takes four times as long.
 */
export function markWithin(
  values: Integers,
  { least, greatest }: Within,
  isInside: boolean,
  hits: Uint8Array,
): void {
  const inside = isInside ? 1 : 0
  if (values instanceof Uint8Array) markWithin8(values, least, greatest, inside, hits)
  else if (values instanceof Uint16Array) markWithin16(values, least, greatest, inside, hits)
  else markWithinWide(values, least, greatest, inside, hits)
}

function markWithin8(
  values: Uint8Array,
  least: number,
  greatest: number,
  inside: number,
  hits: Uint8Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    hits[i] = hits[i]! | ((((value - least) | (greatest - value)) >>> 31) ^ inside)
  }
}

function markWithin16(
  values: Uint16Array,
  least: number,
  greatest: number,
  inside: number,
  hits: Uint8Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    hits[i] = hits[i]! | ((((value - least) | (greatest - value)) >>> 31) ^ inside)
  }
}

function markWithinWide(
  values: Integers,
  least: number,
  greatest: number,
  inside: number,
  hits: Uint8Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    hits[i] = hits[i]! | (((value < least ? 1 : 0) | (value > greatest ? 1 : 0)) ^ inside)
  }
}

/** How many values lie within. `largest`: no value is larger, nor an end of what lies within. */
export function countWithin(values: Integers, within: Within, largest: number): number {
  const isPaired = values instanceof Uint16Array && largest < 0x8000 && values.byteOffset % 4 === 0
  return isPaired ? countPairsWithin(values, within) : countEachWithin(values, within)
}

function countEachWithin(values: Integers, { least, greatest }: Within): number {
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    count += value >= least && value <= greatest ? 1 : 0
  }
  return count
}

/** Pairs whose two counts together fit into one integer. */
const pairsMax = 0x7fff

/**
 * Two values at a time, of 15 bits each: one more bit of each says, after an addition, whether it is large
 * enough, after another one, whether it is too large. Takes a quarter of the time.
 */
function countPairsWithin(values: Uint16Array, { least, greatest }: Within): number {
  const pairs = new Int32Array(values.buffer, values.byteOffset, values.length >> 1)
  const toLeast = Math.imul(0x8000 - least, 0x10001)
  const toGreatest = Math.imul(0x7fff - greatest, 0x10001)
  let count = countEachWithin(values.subarray(2 * pairs.length), { least, greatest })
  for (let from = 0; from < pairs.length; from += pairsMax) {
    const to = Math.min(from + pairsMax, pairs.length)
    let counts = 0
    for (let i = from; i < to; i++) {
      const pair = pairs[i]!
      const isWithin = ((pair + toLeast) | 0) & ~((pair + toGreatest) | 0)
      counts = (counts + ((isWithin >>> 15) & 0x10001)) | 0
    }
    count += (counts & 0xffff) + (counts >>> 16)
  }
  return count
}

/** Node's searches for a byte as `memchr` does, V8's own looks at each (of 20,000: 0.4 µs, 6 to 12). */
const { indexOf: indexOfByte } = Buffer.prototype

/** Whether any is marked with 1. */
export function hasMark(marks: Uint8Array): boolean {
  return indexOfByte.call(marks, 1) !== -1
}

/** The first row from `from` on that is marked with 1; -1 when there is none. For rows of which few are. */
export function nextMark(marks: Uint8Array, from: number): number {
  return indexOfByte.call(marks, 1, from)
}

/** From the first row that is marked with 1 to after the last: a part of a time is one of a block. */
export function markedRange(marks: Uint8Array): RowRange {
  const from = indexOfByte.call(marks, 1)
  return from === -1 ? { from: 0, to: 0 } : { from, to: marks.lastIndexOf(1) + 1 }
}

/** So many are looked for one by one, before all rows are looked at: an id has one. */
const fewMarks = 4

/** How many are marked with 1. */
export function countOnes(marks: Uint8Array): number {
  let few = 0
  for (let row = nextMark(marks, 0); few < fewMarks; few++) {
    if (row === -1) return few
    row = nextMark(marks, row + 1)
  }
  const { from, to } = markedRange(marks)
  const hole = marks.indexOf(0, from)
  if (hole === -1 || hole >= to) return to - from
  let count = 0
  for (let row = from; row < to; row++) count += marks[row]!
  return count
}

/** How many values that `selected` marks with 1 have each of `codeCount` codes. */
export function countCodes(codes: Codes, selected: Uint8Array, codeCount: number): Uint32Array {
  const counts = new Uint32Array(codeCount)
  const range = markedRange(selected)
  if (codes instanceof Uint8Array) countCodes8(codes, selected, range, counts)
  else countCodes16(codes, selected, range, counts)
  return counts
}

function countCodes8(
  codes: Uint8Array,
  selected: Uint8Array,
  { from, to }: RowRange,
  counts: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    const code = codes[i]!
    counts[code] = counts[code]! + selected[i]!
  }
}

function countCodes16(
  codes: Uint16Array,
  selected: Uint8Array,
  { from, to }: RowRange,
  counts: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
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
