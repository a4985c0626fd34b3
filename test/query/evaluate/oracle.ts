/**
 * What an expression means, step by step in the plainest code that can say it, written from
 * PromQL's documentation and not after `src/query/evaluate/`. At one step a vector is a list of
 * labels with one number each.
 */

import type {
  Aggregate,
  Aggregation,
  Binary,
  Expression,
  Ranking,
} from '../../../src/language/ast.ts'
import type { Series, Value } from '../../../src/query/evaluate/series.ts'
import { sumOf } from '../series/plain.ts'

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

type AtStep = number | readonly Sample[]
type SeriesOf = (aggregate: Aggregate) => readonly Series[]

/** The value of `expression` at each step. */
export function evaluatePlainly(
  expression: Expression,
  seriesOf: SeriesOf,
  pointCount: number,
): AtStep[] {
  return Array.from({ length: pointCount }, (_, step) => valueAt(step, expression, seriesOf))
}

/** The same form of what `evaluate` gave. */
export function atSteps(value: Value, pointCount: number): AtStep[] {
  return Array.from({ length: pointCount }, (_, step) =>
    value.kind === 'scalar' ? value.value : samplesAt(step, value.series),
  )
}

/** Samples in an order that says nothing. */
export function inAnyOrder(value: AtStep): unknown {
  if (typeof value === 'number') return value
  return value.map(({ labels, value }) => ({ labels: textOf(labels), value })).sort(byLabels)
}

const byLabels = (a: { labels: string }, b: { labels: string }) => (a.labels < b.labels ? -1 : 1)

function textOf(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).filter(([, value]) => value.length > 0)
  return JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1)).flat())
}

function samplesAt(step: number, series: readonly Series[]): Sample[] {
  return series.flatMap(({ labels, points }) => {
    const value = points[step]
    return value === undefined ? [] : [{ labels, value }]
  })
}

function valueAt(step: number, expression: Expression, seriesOf: SeriesOf): AtStep {
  const at = (part: Expression) => valueAt(step, part, seriesOf)
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'aggregate':
      return samplesAt(step, seriesOf(expression))
    case 'range':
      throw new Error('ranges have a model of their own')
    case 'vector':
      return [{ labels: {}, value: at(expression.operand) as number }]
    case 'aggregation':
      return together(expression, at(expression.operand) as readonly Sample[])
    case 'negation': {
      const operand = at(expression.operand)
      if (typeof operand === 'number') return -operand
      return operand.map(({ labels, value }) => ({ labels, value: -value }))
    }
    case 'ranking':
      return ranked(expression, at(expression.operand) as readonly Sample[])
    case 'binary':
      return combined(expression, at(expression.left), at(expression.right))
  }
}

function together({ operation, grouping }: Aggregation, samples: readonly Sample[]): Sample[] {
  const { mode, labels } = grouping
  const groups = Map.groupBy(samples, sample => {
    const names = Object.keys(sample.labels)
      .filter(name => sample.labels[name] !== '')
      .sort()
    const kept = names.filter(name => (mode === 'by') === labels.includes(name))
    return JSON.stringify(kept.map(name => [name, sample.labels[name]]))
  })
  return Array.from(groups, ([key, members]) => ({
    labels: Object.fromEntries(JSON.parse(key)),
    value: figureOf(
      operation,
      members.map(({ value }) => value),
    ),
  }))
}

function figureOf(operation: Aggregation['operation'], values: readonly number[]): number {
  const sum = exactSum(values)
  const mean = sum / values.length
  const numbers = values.filter(value => !Number.isNaN(value))
  const variance = exactSum(values.map(value => (value - mean) ** 2)) / values.length
  switch (operation) {
    case 'count':
      return values.length
    case 'sum':
      return sum
    case 'avg':
      return mean
    case 'min':
      return numbers.length === 0 ? Number.NaN : Math.min(...numbers)
    case 'max':
      return numbers.length === 0 ? Number.NaN : Math.max(...numbers)
    case 'stdvar':
      return variance
    case 'stddev':
      return Math.sqrt(variance)
  }
}

function exactSum(values: readonly number[]): number {
  return values.every(Number.isFinite) ? sumOf(values) + 0 : values.reduce((a, b) => a + b)
}

function ranked({ operation, k, by }: Ranking, samples: readonly Sample[]): Sample[] {
  const sameGroup = (a: Sample, b: Sample) =>
    by.every(label => (a.labels[label] ?? '') === (b.labels[label] ?? ''))
  const isBetter = (a: Sample, b: Sample) => {
    if (Number.isNaN(a.value) && Number.isNaN(b.value)) return textOf(a.labels) < textOf(b.labels)
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return Number.isNaN(b.value)
    if (a.value === b.value) return textOf(a.labels) < textOf(b.labels)
    return operation === 'topk' ? a.value > b.value : a.value < b.value
  }
  return samples.filter(sample => {
    const better = samples.filter(other => sameGroup(sample, other) && isBetter(other, sample))
    return better.length < k
  })
}

function combined(binary: Binary, left: AtStep, right: AtStep): AtStep {
  const { operator, isBool } = binary
  const isFilter = /[=<>]/.test(operator) && !isBool
  if (typeof left === 'number' && typeof right === 'number') return figure(operator, left, right)
  if (typeof left === 'number') {
    return (right as readonly Sample[]).flatMap(({ labels, value }) => {
      const result = figure(operator, left, value)
      return isFilter ? (result === 1 ? [{ labels, value }] : []) : [{ labels, value: result }]
    })
  }
  return left.flatMap(({ labels, value }) => {
    const others =
      typeof right === 'number'
        ? [right]
        : right.filter(other => textOf(other.labels) === textOf(labels)).map(other => other.value)
    return others.flatMap(other => {
      const result = figure(operator, value, other)
      return isFilter ? (result === 1 ? [{ labels, value }] : []) : [{ labels, value: result }]
    })
  })
}

/** For a comparison 1 or 0. */
function figure(operator: Binary['operator'], a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a % b
    case '^':
      // PromQL's is Go's math.Pow.
      return a === 1 || (a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY) ? 1 : a ** b
    case '==':
      return Number(a === b)
    case '!=':
      return Number(a !== b)
    case '<':
      return Number(a < b)
    case '<=':
      return Number(a < b || a === b)
    case '>':
      return Number(b < a)
    case '>=':
      return Number(b < a || a === b)
  }
}
