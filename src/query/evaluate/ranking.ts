/**
 * `topk` and `bottomk`: at each step, the `k` largest or smallest points of each group. A series is
 * in the answer with the steps at which it was among them, so a range may show more than `k`
 * series. NaN ranks last both ways. Equal points are distinguished by labels, so that the answer is
 * always the same.
 */

import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { Grouping, Ranking } from '../../language/ast.ts'
import { keptLabels } from './aggregation.ts'
import type { TimeSlice } from './time-slice.ts'
import { labelsKey, type Series, type Vector } from './vector.ts'

type Asked = Pick<Ranking, 'operation' | 'k' | 'grouping'>

/** Whether `a` ranks before `b`. */
type IsBefore = (a: number, b: number) => boolean

const isBefore: Readonly<Record<Ranking['operation'], IsBefore>> = {
  topk: (a, b) => a > b || (Number.isNaN(b) && !Number.isNaN(a)),
  bottomk: (a, b) => a < b || (Number.isNaN(b) && !Number.isNaN(a)),
}

/** The best of `vector`, in the order in which they were first found: at one step, best first. */
export async function rank(
  { operation, k, grouping }: Asked,
  vector: Vector,
  slice: TimeSlice,
): Promise<Vector> {
  const groups = groupBy(grouping, inOrderOfLabels(vector.series))
  const stepCount = vector.series[0]?.points.length ?? 0
  const chosen = new Map<Series, (number | undefined)[]>()
  for (let step = 0; step < stepCount; step++) {
    await slice.yieldWhenOver()
    for (const group of groups) {
      for (const series of bestAt(step, group, k, isBefore[operation])) {
        const points = getOrInsertComputed(chosen, series, () =>
          new Array<undefined>(stepCount).fill(undefined),
        )
        points[step] = series.points[step]
      }
    }
  }
  const series = [...chosen].map(([{ labels }, points]) => ({ labels, points }))
  return { kind: 'vector', series }
}

function inOrderOfLabels(series: readonly Series[]): Series[] {
  const keyed = series.map(one => ({ key: labelsKey(one.labels), one }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one)
}

function groupBy(grouping: Grouping, series: readonly Series[]): (readonly Series[])[] {
  const keyOf = ({ labels }: Series) => labelsKey(keptLabels(grouping, labels))
  return [...Map.groupBy(series, keyOf).values()]
}

/** At most `k` of `group`, best first; of equal ones the first. */
function bestAt(step: number, group: readonly Series[], k: number, isBefore: IsBefore): Series[] {
  const best: Series[] = []
  const values: number[] = []
  for (const series of group) {
    const value = series.points[step]
    if (value === undefined) continue
    if (values.length === k && !isBefore(value, values[k - 1]!)) continue
    const place = placeOf(value, values, isBefore)
    values.splice(place, 0, value)
    best.splice(place, 0, series)
    if (values.length > k) {
      values.pop()
      best.pop()
    }
  }
  return best
}

/** Where `value` belongs in `values`, which are best first: after all that it is not before. */
function placeOf(value: number, values: readonly number[], isBefore: IsBefore): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(value, values[middle]!)) {
      high = middle
    } else {
      low = middle + 1
    }
  }
  return low
}
