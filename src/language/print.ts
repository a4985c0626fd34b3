/**
 * From the tree back to text, in the one canonical way: `parseQuery(printQuery(query))` is `query`
 * again, when no variables are given. Parentheses stand only where the tree needs them. Strings
 * that would need doubled backslashes are put in backticks, for a person to read.
 */

import type {
  Aggregate,
  Aggregation,
  Binary,
  Expression,
  Grouping,
  Query,
  RangeAggregate,
  Ranking,
  Selector,
} from './ast.ts'
import { printDuration } from './duration.ts'
import { printNumber } from './number-text.ts'
import { powerPrecedence, precedenceOf, primaryPrecedence, signPrecedence } from './precedence.ts'
import { printStages } from './print-stages.ts'
import { printFilter, printLabel, printString } from './print-words.ts'

/** The canonical text of `query`. Any text may be a label or a value; it is quoted as needed. */
export function printQuery(query: Query): string {
  return query.kind === 'selector' ? printSelector(query) : printExpression(query)
}

function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return printNumber(expression.value)
    case 'aggregate':
      return printAggregate(expression)
    case 'range':
      return printRange(expression)
    case 'aggregation':
      return printAggregation(expression)
    case 'vector':
      return `vector(${printExpression(expression.operand)})`
    case 'ranking':
      return printRanking(expression)
    case 'negation':
      return `-${printOperand(expression.operand, signPrecedence)}`
    case 'binary':
      return printBinary(expression)
  }
}

/** In parentheses when it binds less tightly than `minimum`. */
function printOperand(operand: Expression, minimum: number): string {
  const text = printExpression(operand)
  return precedence(operand) < minimum ? `(${text})` : text
}

function precedence(expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return precedenceOf(expression.operator)
    case 'negation':
      return signPrecedence
    default:
      return primaryPrecedence
  }
}

function printBinary({ operator, isBool, left, right }: Binary): string {
  const own = precedenceOf(operator)
  const [leftMinimum, rightMinimum] =
    own === powerPrecedence ? [primaryPrecedence, signPrecedence] : [own, own + 1]
  const infix = isBool ? `${operator} bool` : operator
  return `${printOperand(left, leftMinimum)} ${infix} ${printOperand(right, rightMinimum)}`
}

function printAggregate(aggregate: Aggregate): string {
  const { operation, by, selector, unwrap, quantile, offsetMs } = aggregate
  const parameter = quantile === undefined ? '' : `${printNumber(quantile)}, `
  const unwrapping = unwrap === undefined ? '' : ` | unwrap ${printLabel(unwrap)}`
  const source = `${printSelector(selector)}${unwrapping}${printOffset(offsetMs)}`
  return `${operation}${printBy(by)}(${parameter}${source})`
}

function printRange(aggregate: RangeAggregate): string {
  const { operation, grouping, selector, unwrap, quantile, rangeMs, offsetMs } = aggregate
  const parameter = quantile === undefined ? '' : `${printNumber(quantile)}, `
  const unwrapping = unwrap === undefined ? '' : ` | unwrap ${printLabel(unwrap)} `
  const range = `${unwrapping}[${printDuration(rangeMs)}]`
  const grouped = grouping === undefined ? '' : printGrouping(grouping)
  const source = `${printSelector(selector)}${range}${printOffset(offsetMs)}`
  return `${operation}${grouped}(${parameter}${source})`
}

function printAggregation({ operation, grouping, operand }: Aggregation): string {
  const grouped = grouping.labels.length === 0 ? '' : printGrouping(grouping)
  return `${operation}${grouped}(${printExpression(operand)})`
}

function printOffset(offsetMs: number): string {
  return offsetMs === 0 ? '' : ` offset ${printDuration(offsetMs)}`
}

function printRanking({ operation, k, by, operand }: Ranking): string {
  return `${operation}${printBy(by)}(${k}, ${printExpression(operand)})`
}

function printBy(labels: readonly string[]): string {
  return labels.length === 0 ? '' : printGrouping({ mode: 'by', labels })
}

function printGrouping({ mode, labels }: Grouping): string {
  return ` ${mode} (${labels.map(printLabel).join(', ')}) `
}

function printSelector({ matchers, filters, names, stages = [] }: Selector): string {
  const conditions = matchers.map(
    ({ label, operator, value }) => `${printLabel(label)}${operator}${printString(value)}`,
  )
  const braces = `{${conditions.join(', ')}}`
  const beginning = names === 'logql' ? braces : conditions.length === 0 ? 'logs' : `logs${braces}`
  return [beginning, ...filters.map(printFilter), ...printStages(stages)].join(' ')
}
