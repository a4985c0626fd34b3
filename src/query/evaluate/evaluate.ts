/**
 * From an expression to its value: asks for the series of each aggregate, then applies operators
 * and rankings to them. Knows nothing of records; semantics are PromQL's.
 */

import assert from 'node:assert/strict'
import {
  type Aggregate,
  type Expression,
  operandsOf,
  type RangeAggregate,
} from '../../language/ast.ts'
import { printQuery } from '../../language/print.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import { aggregate } from './aggregation.ts'
import { applyBinary } from './binary.ts'
import { narrow } from './narrow.ts'
import { rank } from './ranking.ts'
import { replaceLabel } from './replace-label.ts'
import { sort } from './sorting.ts'
import { TimeSlice } from './time-slice.ts'
import { type Labels, mapPoints, type Series, type Value, type Vector, vectorOf } from './vector.ts'

/** The series of an aggregate, no two of the same labels, with `pointCount` points each. */
export type Leaf = (aggregate: Aggregate | RangeAggregate) => Promise<readonly Series[]>

/**
 * The value of an expression at `pointCount` steps.
 * @param leaf Is asked once for each different aggregate, one after the other: each scan has all
 *   threads to itself. What it throws is thrown.
 * @param signal Ends the evaluation between two aggregates or operators; its reason is thrown.
 * @throws ProblemError `query_too_large` for more series or points than `limits.ts` allows.
 */
export async function evaluate(
  whole: Expression,
  leaf: Leaf,
  pointCount: number,
  signal?: AbortSignal,
): Promise<Value> {
  const expression = narrow(whole)
  const size = new Size(pointCount)
  const vectors = new Map<string, Vector>()
  for (const [key, aggregate] of distinctAggregates(expression)) {
    signal?.throwIfAborted()
    const vector = vectorOf(await leaf(aggregate))
    size.takeSeries(vector.series.length)
    vectors.set(key, size.made(vector))
  }

  const slice = new TimeSlice(signal)
  const calculate = async (part: Expression): Promise<Value> => {
    await slice.yieldWhenOver()
    switch (part.kind) {
      case 'number':
        return { kind: 'scalar', value: part.value }
      case 'aggregate':
      case 'range':
        return vectors.get(printQuery(part))!
      case 'vector': {
        const number = await calculate(part.operand)
        assert(number.kind === 'scalar') // The parser refuses all else.
        const points = new Array<number>(pointCount).fill(number.value)
        return size.made(vectorOf([{ labels: noLabels, points }]))
      }
      case 'aggregation': {
        const operand = await calculate(part.operand)
        assert(operand.kind === 'vector') // The parser refuses numbers here.
        return size.made(aggregate(part, operand))
      }
      case 'negation':
        return size.made(negate(await calculate(part.operand)))
      case 'binary': {
        const [left, right] = [await calculate(part.left), await calculate(part.right)]
        return size.made(applyBinary(part, left, right))
      }
      case 'sorting': {
        const operand = await calculate(part.operand)
        assert(operand.kind === 'vector')
        return size.made(sort(part, operand))
      }
      case 'label_replace': {
        const operand = await calculate(part.operand)
        assert(operand.kind === 'vector')
        return size.made(replaceLabel(part, operand))
      }
      case 'ranking': {
        const operand = await calculate(part.operand)
        assert(operand.kind === 'vector') // The parser refuses to rank numbers.
        return size.made(await rank(part, operand, slice))
      }
    }
  }
  return await calculate(expression)
}

const noLabels: Labels = Object.create(null)

function distinctAggregates(expression: Expression): Map<string, Aggregate | RangeAggregate> {
  const found = new Map<string, Aggregate | RangeAggregate>()
  const visit = (part: Expression): void => {
    if (part.kind === 'aggregate' || part.kind === 'range') found.set(printQuery(part), part)
    else operandsOf(part).forEach(visit)
  }
  visit(expression)
  return found
}

function negate(value: Value): Value {
  return value.kind === 'scalar'
    ? { kind: 'scalar', value: -value.value }
    : mapPoints(value, point => -point)
}

/** Counts what one evaluation makes, and refuses when it is too much. */
class Size {
  readonly #pointCount: number
  #seriesCount = 0
  #pointsMade = 0

  constructor(pointCount: number) {
    this.#pointCount = pointCount
  }

  takeSeries(count: number): void {
    this.#seriesCount += count
    if (this.#seriesCount > limits.querySeriesMax) {
      throw tooLarge(`more than ${limits.querySeriesMax} series: group by fewer labels`)
    }
  }

  made<V extends Value>(value: V): V {
    if (value.kind === 'vector') {
      assert(value.series.every(({ points }) => points.length === this.#pointCount))
      this.#pointsMade += value.series.length * this.#pointCount
    }
    if (this.#pointsMade > limits.queryPointsMax) {
      const what = `more than ${limits.queryPointsMax} points in all`
      throw tooLarge(`${what}: take a longer step, a shorter range or fewer labels`)
    }
    return value
  }
}

function tooLarge(what: string): ProblemError {
  return new ProblemError('query_too_large', `the query makes ${what}`, { field: 'query' })
}
