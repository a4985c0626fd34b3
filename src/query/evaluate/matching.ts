/**
 * Which series of two vectors belong together, and what becomes of them, as in PromQL. Series whose
 * labels are equal, in some of them or in all, are of one signature. At each step one series of a
 * signature may have a point on the one side; on the other, too, unless `group_left` or `group_right`
 * says that there may be many.
 */

import type { Binary, Matching } from '../../language/ast.ts'
import { ProblemError } from '../../problems.ts'
import { keptLabels } from './aggregation.ts'
import { type Labels, labelsKey, type Series, type Vector, vectorOf } from './vector.ts'

/** The result for two points; undefined when there is none. `kept` is what a comparison keeps. */
export type Combine = (left: number, right: number, kept: number) => number | undefined

interface Join {
  readonly operator: Binary['operator']
  readonly matching: Matching | undefined
  readonly combine: Combine
}

/** The same for series that belong together, and for no others. */
export function signatureOf(matching: Matching | undefined): (labels: Labels) => string {
  if (matching === undefined) return labelsKey
  const grouping = groupingOf(matching)
  return labels => labelsKey(keptLabels(grouping, labels))
}

const groupingOf = ({ mode, labels }: Matching) =>
  ({ mode: mode === 'on' ? 'by' : 'without', labels }) as const

/**
 * The results for points that belong together.
 * @throws ProblemError `query_ambiguous` where more of them do than `matching` allows.
 */
export function joinMatching(
  { operator, matching, combine }: Join,
  left: Vector,
  right: Vector,
): Vector {
  const isSwapped = matching?.many === 'right'
  const [manySide, oneSide] = isSwapped ? [right, left] : [left, right]
  const keyOf = signatureOf(matching)
  const ofSide = { operator, side: isSwapped ? 'left' : 'right' } as const
  const bySignature = Map.groupBy(oneSide.series, ({ labels }) => keyOf(labels))
  const onesOf = new Map(Array.from(bySignature, ([key, alike]) => [key, atSteps(alike, ofSide)]))
  const made = new MadeSeries(right.series[0]?.points.length ?? 0)
  for (const many of manySide.series) {
    const labelsWith = resultLabels(many.labels, matching)
    onesOf.get(keyOf(many.labels))?.forEach((one, step) => {
      const [a, b] = isSwapped ? [one, many] : [many, one]
      const [leftPoint, rightPoint] = [a?.points[step], b?.points[step]]
      if (one === undefined || leftPoint === undefined || rightPoint === undefined) return
      const point = combine(leftPoint, rightPoint, leftPoint)
      if (point === undefined || made.set(labelsWith(one.labels), step, point)) return
      throw notAlone(operator, matching)
    })
  }
  return made.toVector()
}

/** Of series of one signature, on the side of which one matches, the one that has a point at each step. */
function atSteps(
  alike: readonly Series[],
  { operator, side }: { operator: Binary['operator']; side: 'left' | 'right' },
): readonly (Series | undefined)[] {
  const [first, ...others] = alike
  const found = first!.points.map(point => (point === undefined ? undefined : first))
  for (const series of others) {
    series.points.forEach((point, step) => {
      if (point === undefined) return
      const earlier = found[step]
      if (earlier !== undefined) {
        const both = `${inWords(earlier.labels)} and ${inWords(series.labels)}`
        throw ambiguous(
          `the ${side} side of ${operator} has several series for the same one of the other: ${both}; ` +
            'name more labels in on (…), or group by fewer',
        )
      }
      found[step] = series
    })
  }
  return found
}

function notAlone(operator: Binary['operator'], matching: Matching | undefined): ProblemError {
  return matching?.many === undefined
    ? ambiguous(
        `the left side of ${operator} has several series for the same one of the right side: ` +
          'write group_left behind on (…) or ignoring (…) if they are to share it',
      )
    : ambiguous(
        `group_${matching.many} of ${operator} makes several results of the same labels: ` +
          'take away none by which the series differ',
      )
}

/** A query whose series cannot be told apart. */
export function ambiguous(detail: string): ProblemError {
  return new ProblemError('query_ambiguous', detail, { field: 'query' })
}

const inWords = (labels: Labels) =>
  `{${Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`

/** Of one and one the labels by which they match; of many those that they have, and what is included. */
function resultLabels(many: Labels, matching: Matching | undefined): (one: Labels) => Labels {
  if (matching === undefined) return () => many
  if (matching.many === undefined) {
    const kept = keptLabels(groupingOf(matching), many)
    return () => kept
  }
  const { include = [] } = matching
  if (include.length === 0) return () => many
  const known = new Map<Labels, Labels>()
  return one => {
    let labels = known.get(one)
    if (labels === undefined) {
      const taken = include.map(name => [name, one[name] ?? ''])
      labels = Object.assign(Object.create(null), many, Object.fromEntries(taken)) as Labels
      known.set(one, labels)
    }
    return labels
  }
}

/** Series that are made point by point, those of equal labels together. */
export class MadeSeries {
  readonly #pointCount: number
  readonly #made = new Map<string, { labels: Labels; points: (number | undefined)[] }>()

  constructor(pointCount: number) {
    this.#pointCount = pointCount
  }

  /** Whether the point was free. */
  set(labels: Labels, step: number, point: number): boolean {
    const key = labelsKey(labels)
    let series = this.#made.get(key)
    if (series === undefined) {
      series = { labels, points: new Array<undefined>(this.#pointCount).fill(undefined) }
      this.#made.set(key, series)
    }
    if (series.points[step] !== undefined) return false
    series.points[step] = point
    return true
  }

  toVector(): Vector {
    return vectorOf([...this.#made.values()])
  }
}
