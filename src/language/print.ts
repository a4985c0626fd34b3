/**
 * From the tree back to text, in the one canonical way: `parseQuery(printQuery(query))` is `query`
 * again, when no variables are given. Parentheses stand only where the tree needs them. Strings
 * that would need doubled backslashes are put in backticks, for a person to read.
 */

import type {
  Aggregate,
  Aggregation,
  Binary,
  Conditions,
  Expression,
  Grouping,
  LabelReplacement,
  Matching,
  Query,
  RangeAggregate,
  Ranking,
  Selector,
  UnwrapUnit,
} from './ast.ts'
import { printDuration } from './duration.ts'
import { printNumber } from './number-text.ts'
import { powerPrecedence, precedenceOf, primaryPrecedence, signPrecedence } from './precedence.ts'
import { printStages } from './print-stages.ts'
import { printFilter, printLabel, printMatcher, printSearch, printString } from './print-words.ts'

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
    case 'sorting':
      return `${expression.operation}(${printExpression(expression.operand)})`
    case 'label_replace':
      return printReplacement(expression)
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

function printBinary({ operator, isBool, matching, left, right }: Binary): string {
  const own = precedenceOf(operator)
  const [leftMinimum, rightMinimum] =
    own === powerPrecedence ? [primaryPrecedence, signPrecedence] : [own, own + 1]
  const infix = [operator, ...(isBool ? ['bool'] : []), ...printMatching(matching)].join(' ')
  return `${printOperand(left, leftMinimum)} ${infix} ${printOperand(right, rightMinimum)}`
}

/** Without its parentheses `group_left` would take those of the right side. */
function printMatching(matching: Matching | undefined): string[] {
  if (matching === undefined) return []
  const { mode, labels, many, include = [] } = matching
  const listed = (labels: readonly string[]) => `(${labels.map(printLabel).join(', ')})`
  const grouped = many === undefined ? [] : [`group_${many} ${listed(include)}`]
  return [`${mode} ${listed(labels)}`, ...grouped]
}

function printAggregate(aggregate: Aggregate): string {
  const { operation, by, selector, unwrap, unwrapUnit, quantile, offsetMs } = aggregate
  const parameter = quantile === undefined ? '' : `${printNumber(quantile)}, `
  const unwrapping = unwrap === undefined ? '' : printUnwrap(unwrap, unwrapUnit)
  const source = `${printSelector(selector)}${unwrapping}${printOffset(offsetMs)}`
  return `${operation}${printBy(by)}(${parameter}${source})`
}

function printRange(aggregate: RangeAggregate): string {
  const { operation, grouping, selector, unwrap, unwrapUnit, quantile } = aggregate
  const parameter = quantile === undefined ? '' : `${printNumber(quantile)}, `
  const unwrapping = unwrap === undefined ? '' : `${printUnwrap(unwrap, unwrapUnit)} `
  const range = `${unwrapping}[${printDuration(aggregate.rangeMs)}]`
  const grouped = grouping === undefined ? '' : printGrouping(grouping)
  const source = `${printSelector(selector)}${range}${printOffset(aggregate.offsetMs)}`
  return `${operation}${grouped}(${parameter}${source})`
}

function printUnwrap(label: string, unit: UnwrapUnit | undefined): string {
  const printed = printLabel(label)
  return ` | unwrap ${unit === undefined ? printed : `${unit}(${printed})`}`
}

function printAggregation({ operation, grouping, operand }: Aggregation): string {
  const grouped = grouping.labels.length === 0 ? '' : printGrouping(grouping)
  return `${operation}${grouped}(${printExpression(operand)})`
}

function printOffset(offsetMs: number): string {
  return offsetMs === 0 ? '' : ` offset ${printDuration(offsetMs)}`
}

function printRanking({ operation, k, grouping, operand }: Ranking): string {
  const grouped = grouping.labels.length === 0 ? '' : printGrouping(grouping)
  return `${operation}${grouped}(${k}, ${printExpression(operand)})`
}

function printReplacement(replacement: LabelReplacement): string {
  const { operand, target, source, pattern } = replacement
  const texts = [target, replacement.replacement, source, pattern].map(printString)
  return `label_replace(${[printExpression(operand), ...texts].join(', ')})`
}

function printBy(labels: readonly string[]): string {
  return labels.length === 0 ? '' : printGrouping({ mode: 'by', labels })
}

function printGrouping({ mode, labels }: Grouping): string {
  return ` ${mode} (${labels.map(printLabel).join(', ')}) `
}

function printSelector({ alternatives = [], names, stages = [], ...first }: Selector): string {
  const conditions = [first, ...alternatives].map(one => printConditions(one, names))
  return [conditions.join(' or '), ...printStages(stages)].join(' ')
}

function printConditions(
  { matchers, filters, searches = [] }: Conditions,
  names: Selector['names'],
): string {
  const braces = `{${matchers.map(printMatcher).join(', ')}}`
  const beginning = names === 'logql' ? braces : matchers.length === 0 ? 'logs' : `logs${braces}`
  const searched = searches.length === 0 ? [] : [`| search ${searches.map(printSearch).join(' ')}`]
  return [beginning, ...searched, ...filters.map(printFilter)].join(' ')
}
