/**
 * Aggregations over series, as in PromQL: at each step, the points of each group are put together.
 * A group has a point where any of its series has one. `avg`, `stddev` and `stdvar` are those of the
 * whole population; `min` and `max` give NaN only where there is nothing else.
 */

import type { Aggregation, AggregationOperation, Grouping } from '../../language/ast.ts'
import { ExactSums } from '../series/exact-sum.ts'
import { type Labels, labelsKey, type Series, type Vector, vectorOf } from './vector.ts'

/** The series of each group put together, in the order in which groups first occur. */
export function aggregate(
  { operation, grouping }: Pick<Aggregation, 'operation' | 'grouping'>,
  vector: Vector,
): Vector {
  const groups = new Map<string, { labels: Labels; members: Series[] }>()
  for (const series of vector.series) {
    const labels = keptLabels(grouping, series.labels)
    const key = labelsKey(labels)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { labels, members: [series] })
    else group.members.push(series)
  }
  const apply = functions[operation]
  const stepCount = vector.series[0]?.points.length ?? 0
  const made = Array.from(groups.values(), ({ labels, members }): Series => {
    const points = Array.from({ length: stepCount }, (_, step) => {
      const values = members.map(({ points }) => points[step]).filter(point => point !== undefined)
      return values.length === 0 ? undefined : apply(values)
    })
    return { labels, points }
  })
  return vectorOf(made)
}

/** The labels that a grouping leaves; those that are empty count as absent, and are left out. */
export function keptLabels({ mode, labels }: Grouping, all: Labels): Labels {
  const kept: Record<string, string> = Object.create(null)
  for (const [label, value] of Object.entries(all)) {
    if (value !== '' && labels.includes(label) === (mode === 'by')) kept[label] = value
  }
  return kept
}

/** Of one number or more. */
type AggregationFunction = (values: readonly number[]) => number

const functions: Readonly<Record<AggregationOperation, AggregationFunction>> = {
  sum: sumOf,
  avg: values => sumOf(values) / values.length,
  min: values => extremeOf(values, Math.min),
  max: values => extremeOf(values, Math.max),
  count: values => values.length,
  stddev: values => Math.sqrt(varianceOf(values)),
  stdvar: varianceOf,
}

/** Rounded once, so that the order of the series changes nothing. */
function sumOf(values: readonly number[]): number {
  if (!values.every(Number.isFinite)) return values.reduce((sum, value) => sum + value)
  const sums = new ExactSums(1)
  for (const value of values) sums.add(0, value)
  return sums.at(0)
}

function varianceOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length
  return sumOf(values.map(value => (value - mean) ** 2)) / values.length
}

function extremeOf(values: readonly number[], of: (a: number, b: number) => number): number {
  return values.reduce((a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : of(a, b)))
}
