/**
 * Operators between values, as in PromQL: step by step, and between two vectors where series of both
 * match (`matching.ts`). A comparison keeps the points
 * for which it holds, or under `bool` gives 1 or 0. Numbers are IEEE's: dividing by zero gives an
 * infinity or NaN, and NaN equals nothing.
 */

import assert from 'node:assert/strict'
import type { ArithmeticOperator, Binary, ComparisonOperator } from '../../language/ast.ts'
import { isComparison, isOfSets } from '../../language/precedence.ts'
import { comparisons } from '../matcher-condition.ts'
import { type Combine, joinMatching } from './matching.ts'
import { combineSets } from './sets.ts'
import { mapPoints, type Scalar, type Value } from './vector.ts'

type Operation = Pick<Binary, 'operator' | 'isBool' | 'matching'>

const arithmetic: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right, // With the sign of the left side, as Go's math.Mod.
  '^': power,
}

/** As Go's math.Pow, which unlike JavaScript's says 1 where the base alone decides it. */
function power(base: number, exponent: number): number {
  const isUnit = base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)
  return isUnit ? 1 : base ** exponent
}

/** The value of `left operator right`. Throws ProblemError `query_ambiguous` as `joinMatching`. */
export function applyBinary(operation: Operation, left: Value, right: Value): Value {
  const { operator, isBool, matching } = operation
  if (isOfSets(operator)) {
    assert(left.kind === 'vector' && right.kind === 'vector') // The parser refuses numbers here.
    return combineSets(operator, matching, left, right)
  }
  const combine = combinerOf(operator, isBool)
  if (left.kind === 'vector') {
    return right.kind === 'vector'
      ? joinMatching({ operator, matching, combine }, left, right)
      : mapPoints(left, point => combine(point, right.value, point))
  }
  // A comparison keeps points of the vector, on whichever side it is.
  return right.kind === 'vector'
    ? mapPoints(right, point => combine(left.value, point, point))
    : betweenScalars(combine, left, right)
}

function combinerOf(operator: ArithmeticOperator | ComparisonOperator, isBool: boolean): Combine {
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
