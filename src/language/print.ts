/**
 * From the tree back to text, in the one canonical way: `parseQuery(printQuery(query))` is `query`
 * again, when no variables are given. Parentheses stand only where the tree needs them. Strings
 * that would need doubled backslashes are put in backticks, for a person to read.
 */

import type { Aggregate, Binary, Expression, Query, Ranking, Selector } from './ast.ts'
import { printDuration } from './duration.ts'
import { printNumber } from './number-text.ts'
import { powerPrecedence, precedenceOf, primaryPrecedence, signPrecedence } from './precedence.ts'

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
  const offset = offsetMs === 0 ? '' : ` offset ${printDuration(offsetMs)}`
  const argument = `${parameter}${printSelector(selector)}${unwrapping}${offset}`
  return `${operation}${printGrouping(by)}(${argument})`
}

function printRanking({ operation, k, by, operand }: Ranking): string {
  return `${operation}${printGrouping(by)}(${k}, ${printExpression(operand)})`
}

function printGrouping(by: readonly string[]): string {
  return by.length === 0 ? '' : ` by (${by.map(printLabel).join(', ')}) `
}

function printSelector({ matchers, filters }: Selector): string {
  const conditions = matchers.map(
    ({ label, operator, value }) => `${printLabel(label)}${operator}${printString(value)}`,
  )
  const braces = conditions.length === 0 ? '' : `{${conditions.join(', ')}}`
  return [
    `logs${braces}`,
    ...filters.map(({ operator, text }) => `${operator} ${printString(text)}`),
  ].join(' ')
}

/** The parser takes letters of any script in a bare label; here those that no font confuses. */
const bareLabel = /^[A-Za-z0-9_.:/-]+$/

function printLabel(label: string): string {
  return bareLabel.test(label) ? label : printString(label)
}

function printString(text: string): string {
  const isClearestRaw = text.includes('\\') && !/[`\p{Cc}]/u.test(text)
  return isClearestRaw ? `\`${text}\`` : JSON.stringify(text)
}
