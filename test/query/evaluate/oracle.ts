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
  LabelReplacement,
  Ranking,
} from '../../../src/language/ast.ts'
import type { Series, Value } from '../../../src/query/evaluate/vector.ts'
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
    case 'sorting':
      return at(expression.operand)
    case 'label_replace':
      return relabelled(expression, at(expression.operand) as readonly Sample[])
    case 'ranking':
      return ranked(expression, at(expression.operand) as readonly Sample[])
    case 'binary':
      return combined(expression, at(expression.left), at(expression.right))
  }
}

/** Whatever objects have of that name by nature. */
function labelOf(labels: Sample['labels'], name: string): string {
  return (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? ''
}

/** The labels that are named, or all others, as pairs in order. */
function pairsOf({ labels }: Sample, named: readonly string[], areKept: boolean): string {
  const names = Object.keys(labels).filter(name => labels[name] !== '')
  const kept = names.filter(name => areKept === named.includes(name)).sort()
  return JSON.stringify(kept.map(name => [name, labels[name]]))
}

function together({ operation, grouping }: Aggregation, samples: readonly Sample[]): Sample[] {
  const { mode, labels } = grouping
  const groups = Map.groupBy(samples, sample => pairsOf(sample, labels, mode === 'by'))
  return Array.from(groups, ([key, members]) => ({
    labels: Object.fromEntries(JSON.parse(key)),
    value: resultOf(
      operation,
      members.map(({ value }) => value),
    ),
  }))
}

function resultOf(operation: Aggregation['operation'], values: readonly number[]): number {
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

function ranked({ operation, k, grouping }: Ranking, samples: readonly Sample[]): Sample[] {
  const sameGroup = (a: Sample, b: Sample) =>
    pairsOf(a, grouping.labels, grouping.mode === 'by') ===
    pairsOf(b, grouping.labels, grouping.mode === 'by')
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
  if (typeof left !== 'number' && typeof right !== 'number') return matched(binary, left, right)
  const isFilter = /[=<>]/.test(operator) && !isBool
  if (typeof left === 'number' && typeof right === 'number') return compute(operator, left, right)
  if (typeof left === 'number') {
    return (right as readonly Sample[]).flatMap(({ labels, value }) => {
      const result = compute(operator, left, value)
      return isFilter ? (result === 1 ? [{ labels, value }] : []) : [{ labels, value: result }]
    })
  }
  return left.flatMap(({ labels, value }) => {
    const result = compute(operator, value, right as number)
    return isFilter ? (result === 1 ? [{ labels, value }] : []) : [{ labels, value: result }]
  })
}

/** That a query's series cannot be told apart. */
export class Ambiguous extends Error {}

/** PromQL's vector matching, sample by sample. */
function matched(
  { operator, isBool, matching }: Binary,
  left: readonly Sample[],
  right: readonly Sample[],
): Sample[] {
  const { mode = 'ignoring', labels = [], many, include = [] } = matching ?? {}
  const isSame = (a: Sample, b: Sample) =>
    pairsOf(a, labels, mode === 'on') === pairsOf(b, labels, mode === 'on')
  const has = (side: readonly Sample[], sample: Sample) => side.some(one => isSame(one, sample))
  if (operator === 'and') return left.filter(sample => has(right, sample))
  if (operator === 'unless') return left.filter(sample => !has(right, sample))
  if (operator === 'or') return [...left, ...right.filter(sample => !has(left, sample))]
  const [manySide, oneSide] = many === 'right' ? [right, left] : [left, right]
  if (oneSide.some((a, i) => oneSide.slice(i + 1).some(b => isSame(a, b)))) throw new Ambiguous()
  const isFilter = /[=<>]/.test(operator) && !isBool
  const results = manySide.flatMap((sample): Sample[] => {
    const one = oneSide.find(other => isSame(sample, other))
    if (one === undefined) return []
    const [a, b] = many === 'right' ? [one, sample] : [sample, one]
    const value = compute(operator, a.value, b.value)
    if (isFilter && value !== 1) return []
    const kept =
      many === undefined
        ? Object.fromEntries(JSON.parse(pairsOf(sample, labels, mode === 'on')))
        : Object.fromEntries([
            ...Object.entries(sample.labels),
            ...include.map(name => [name, labelOf(one.labels, name)]),
          ])
    return [{ labels: kept, value: isFilter ? a.value : value }]
  })
  return noneTwice(results)
}

function noneTwice(samples: Sample[]): Sample[] {
  if (new Set(samples.map(({ labels }) => textOf(labels))).size < samples.length) {
    throw new Ambiguous()
  }
  return samples
}

function relabelled(
  { target, replacement, source, pattern }: LabelReplacement,
  samples: readonly Sample[],
): Sample[] {
  const expression = new RegExp(`^(?:${pattern.replace('?P<', '?<')})$`)
  const made = samples.map(({ labels, value }) => {
    const found = expression.exec(labelOf(labels, source))
    if (found === null) return { labels, value }
    const text = replacement
      .replace(/\$1|\$\{1\}/, found[1] ?? '')
      .replace(`\${name}`, found.groups?.name ?? '')
      .replace('$$', '$')
    return { labels: Object.fromEntries([...Object.entries(labels), [target, text]]), value }
  })
  return noneTwice(made)
}

/** For a comparison 1 or 0. */
function compute(operator: Binary['operator'], a: number, b: number): number {
  switch (operator) {
    case 'and':
    case 'or':
    case 'unless':
      throw new Error('sets are not computed')
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
