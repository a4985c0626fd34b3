/** Numbers summed up as one looks at them: ends, quantiles, and how many lie where. */

import { quantileOf, type Run } from '../series/number-runs.ts'

export interface NumberBucket {
  /** Inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly count: number
}

export interface NumberSummary {
  readonly count: number
  readonly least: number
  readonly greatest: number
  /** By the quantile: `0.5`, `0.9`, `0.95`, `0.99`; interpolated as PromQL does. */
  readonly quantiles: Readonly<Record<string, number>>
  /** One beside the other, the empty ones between included: all numbers are in them. */
  readonly buckets: readonly NumberBucket[]
}

const quantiles = ['0.5', '0.9', '0.95', '0.99'] as const

/** About so many buckets of equal width, and beyond so many decades the least ones are one bucket. */
const evenBuckets = 24
const decadesMax = 8
/** Numbers of which the greatest is so many medians have few in most buckets of equal width. */
const skewMin = 20
/** Near the end of what a number can be there are no further edges. */
const largestDrawn = 1e300

/** @param run At least one number. */
export function summaryOf({ values, counts }: Run): NumberSummary {
  const least = values[0]!
  const greatest = values.at(-1)!
  const valueAt = (place: number) => values[place]!
  const quantile = (text: string) => quantileOf(counts, valueAt, Number(text))
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    least,
    greatest,
    quantiles: Object.fromEntries(quantiles.map(text => [text, quantile(text)])),
    buckets: bucketsOf({ values, counts }, edgesOf(values, quantile('0.5'))),
  }
}

function edgesOf(values: Float64Array, median: number): number[] {
  const [least, greatest] = [values[0]!, values.at(-1)!]
  if (Math.max(-least, greatest) > largestDrawn) return [least, Number.MAX_VALUE]
  const isSkewed = least >= 0 && greatest > skewMin * median
  return isSkewed ? growingEdges(values, greatest) : evenEdges(values)
}

/** At multiples of a width such as 1, 2, 5 or 10; of whole numbers it is one at least. */
function evenEdges(values: Float64Array): number[] {
  const [least, greatest] = [values[0]!, values.at(-1)!]
  const isWhole = values.every(Number.isInteger)
  const span = least === greatest ? Math.abs(greatest) : greatest - least
  const wanted = Math.max(span / evenBuckets, Math.abs(greatest) * 1e-9, 1e-300)
  const width = Math.max(roundUp(wanted), isWhole ? 1 : 0)
  const first = Math.floor(least / width)
  const edges = [rounded(first * width)]
  for (let at = first + 1; edges.at(-1)! <= greatest; at++) edges.push(rounded(at * width))
  if (edges[0]! > least) edges.unshift(rounded((first - 1) * width))
  return edges
}

/** At 1, 2, 5, 10, 20 and so on; what is below the first of these, zero above all, is one bucket. */
function growingEdges(values: Float64Array, greatest: number): number[] {
  const positive = values.find(value => value > 0)!
  const begin = Math.max(roundDown(positive), roundDown(greatest) / 10 ** decadesMax)
  const edges = [roundUp(begin)]
  while (edges.at(-1)! <= greatest) edges.push(roundUp(edges.at(-1)! * 1.5))
  if (values[0]! < edges[0]!) edges.unshift(0)
  return edges
}

function bucketsOf({ values, counts }: Run, edges: readonly number[]): NumberBucket[] {
  let place = 0
  return edges.slice(1).map((to, at) => {
    let count = 0
    for (; place < values.length && values[place]! < to; place++) count += counts[place]!
    return { from: edges[at]!, to, count }
  })
}

/** The next of 1, 2 and 5 times a power of ten that is not smaller. */
function roundUp(value: number): number {
  const power = Math.floor(Math.log10(value))
  const found = [1, 2, 5, 10, 20].map(step => Number(`${step}e${power}`))
  return found.find(one => one >= value)!
}

/** And the one that is not larger. */
function roundDown(value: number): number {
  const power = Math.floor(Math.log10(value))
  const found = [5, 2, 1, 0.5].map(step => rounded(Number(`1e${power}`) * step))
  return found.find(one => one <= value)!
}

/** Without the digits that came of the multiplication. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
