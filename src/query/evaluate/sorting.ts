/** `sort` and `sort_desc`: series in order of their values, where there is one step. NaN stands last. */

import type { Sorting } from '../../language/ast.ts'
import type { Vector } from './vector.ts'

/** Over several steps the order means nothing, and stays; as in PromQL. */
export function sort({ operation }: Pick<Sorting, 'operation'>, vector: Vector): Vector {
  if (vector.series[0]?.points.length !== 1) return vector
  const sign = operation === 'sort' ? 1 : -1
  const series = vector.series.toSorted(({ points: [a] }, { points: [b] }) =>
    comparePoints(a!, b!, sign),
  )
  return { kind: 'vector', series }
}

/** Ascending with 1, descending with -1; NaN stands last. */
export function comparePoints(a: number, b: number, sign: 1 | -1): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a === b ? 0 : a < b ? -sign : sign
}
