/**
 * Operators between values, as in PromQL: step by step, and between two vectors only where both
 * have a series of the same labels, with a point at the same step. A comparison keeps the points
 * for which it holds, or under `bool` gives 1 or 0. Numbers are IEEE's: dividing by zero gives an
 * infinity or NaN, and NaN equals nothing.
 */

import type { ArithmeticOperator, Binary, ComparisonOperator } from '../../language/ast.ts'
import { isComparison } from '../../language/precedence.ts'
import {
  labelsKey,
  mapPoints,
  type Scalar,
  type Series,
  type Value,
  type Vector,
  vectorOf,
} from './series.ts'

type Operation = Pick<Binary, 'operator' | 'isBool'>

const arithmetic: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right, // With the sign of the left side, as Go's math.Mod.
  '^': power,
}

const comparisons: Readonly<Record<ComparisonOperator, (left: number, right: number) => boolean>> =
  {
    '==': (left, right) => left === right,
    '!=': (left, right) => left !== right,
    '<': (left, right) => left < right,
    '<=': (left, right) => left <= right,
    '>': (left, right) => left > right,
    '>=': (left, right) => left >= right,
  }

/** As Go's math.Pow, which unlike JavaScript's says 1 where the base alone decides it. */
function power(base: number, exponent: number): number {
  const isUnit = base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)
  return isUnit ? 1 : base ** exponent
}

/** The value of `left operator right`. */
export function applyBinary(operation: Operation, left: Value, right: Value): Value {
  const combine = combinerOf(operation)
  if (left.kind === 'vector') {
    return right.kind === 'vector'
      ? betweenVectors(combine, left, right)
      : mapPoints(left, point => combine(point, right.value, point))
  }
  // A comparison keeps points of the vector, on whichever side it is.
  return right.kind === 'vector'
    ? mapPoints(right, point => combine(left.value, point, point))
    : betweenScalars(combine, left, right)
}

/** The point of two; undefined when there is none. `kept` is what a comparison keeps. */
type Combine = (left: number, right: number, kept: number) => number | undefined

function combinerOf({ operator, isBool }: Operation): Combine {
  if (!isComparison(operator)) return arithmetic[operator]
  const holds = comparisons[operator]
  return isBool
    ? (left, right) => (holds(left, right) ? 1 : 0)
    : (left, right, kept) => (holds(left, right) ? kept : undefined)
}

function betweenScalars(combine: Combine, left: Scalar, right: Scalar): Scalar {
  const value = combine(left.value, right.value, left.value)
  if (value === undefined) throw new Error('two scalars were compared without bool')
  return { kind: 'scalar', value }
}

function betweenVectors(combine: Combine, left: Vector, right: Vector): Vector {
  const rightByLabels = new Map(right.series.map(series => [labelsKey(series.labels), series]))
  const made: Series[] = []
  for (const { labels, points } of left.series) {
    const match = rightByLabels.get(labelsKey(labels))
    if (match === undefined) continue
    const combined = points.map((point, step) => {
      const other = match.points[step]
      return point === undefined || other === undefined ? undefined : combine(point, other, point)
    })
    made.push({ labels, points: combined })
  }
  return vectorOf(made)
}
