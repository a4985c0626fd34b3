/**
 * Expressions: numbers, aggregates, functions of series, and operators between them. The parser makes flat
 * runs of operands, `precedence.ts` the tree; so only what is in parentheses recurses.
 */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import type {
  ArithmeticOperator,
  Binary,
  ComparisonOperator,
  Expression,
  NumberLiteral,
} from './ast.ts'
import { QueryFault } from './fault.ts'
import { aggregatesOver } from './grammar-aggregates.ts'
import { functionsOver } from './grammar-functions.ts'
import {
  here,
  inParentheses,
  keyword,
  label,
  listOf,
  number,
  symbol,
  token,
} from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import { type Infix, type MatchingText, type Sign, treeOf } from './precedence.ts'
import type { Leaf, Meaning } from './reading.ts'

const literal: P.Parser<Meaning<Expression>> = number.map(leaf => reading => {
  const value = reading.number(leaf, 'a number', () => true)
  const magnitude: NumberLiteral = { kind: 'number', value: Math.abs(value) }
  // Only the value of a variable has a sign of its own. It binds as if in parentheses.
  const isNegative = value < 0 || Object.is(value, -0)
  return isNegative ? { kind: 'negation', operand: magnitude } : magnitude
})

const sign: P.Parser<Sign> = P.seqMap(
  here,
  token(P.regexp(/[-+]/)).desc('"-"'),
  (offset, written) => ({ sign: written === '-' ? '-' : '+', offset }),
)

const isBool = keyword('bool').result(true).fallback(false)

const oneOf = <T extends string>(form: RegExp): P.Parser<T> =>
  token(P.regexp(form) as P.Parser<T>).desc('an operator')

const labelList = listOf(label).fallback([]).wrap(symbol('('), symbol(')'))

/** The labels that stand there, under our names where LogQL's are used. */
function labelsOf(leaves: readonly Leaf[], names: 'ours' | 'logql'): Meaning<readonly string[]> {
  const superfluous = leaves[limits.queryGroupLabelsMax]
  if (superfluous !== undefined) {
    const what = `more than ${limits.queryGroupLabelsMax} labels to match`
    throw new QueryFault('query_too_large', superfluous.offset, what)
  }
  const nameOf = names === 'logql' ? ownName : (name: string) => name
  return reading => [...new Set(leaves.map(leaf => nameOf(reading.text(leaf))))]
}

/** A parenthesis behind `group_left` always begins its labels. */
const included = P.alt(labelList, P.lookahead(/(?!\()/).result<Leaf[]>([]))

const matching: P.Parser<MatchingText> = P.seqMap(
  here,
  P.alt(keyword('on'), keyword('ignoring')).desc('an operation'),
  labelList,
  P.seq(
    P.alt(keyword('group_left'), keyword('group_right')).desc('an operation'),
    included,
  ).fallback(undefined),
  (offset, mode, labels, grouped) => ({
    offset,
    meaning: (reading, names) => ({
      mode,
      labels: labelsOf(labels, names)(reading),
      ...(grouped && {
        many: grouped[0] === 'group_left' ? ('left' as const) : 'right',
        include: labelsOf(grouped[1], names)(reading),
      }),
    }),
  }),
)

const mayMatch = matching.fallback(undefined)

const setOperator = P.alt(keyword('and'), keyword('or'), keyword('unless')).desc('an operator')

const infix: P.Parser<Infix> = P.alt(
  P.seqMap(
    here,
    oneOf<ComparisonOperator>(/(?:[=!<>]=|[<>])(?![=~])/),
    isBool,
    mayMatch,
    (offset, operator, isBool, matching) => ({ operator, isBool, matching, offset }),
  ),
  P.seqMap(
    here,
    P.alt<Binary['operator']>(oneOf<ArithmeticOperator>(/[-+*/%^]/), setOperator),
    mayMatch,
    (offset, operator, matching) => ({ operator, isBool: false, matching, offset }),
  ),
)

const tooDeep: P.Parser<never> = P((_, offset) => {
  const what = `nested deeper than ${limits.queryNestingMax}`
  throw new QueryFault('query_too_large', offset, what)
})

/** An expression that is inside `depth` others. One parser per depth, made when needed. */
function expressionAt(depth: number): P.Parser<Meaning<Expression>> {
  if (depth > limits.queryNestingMax) return tooDeep
  const nested = P.lazy(() => expressionAt(depth + 1))
  const primary = P.alt<Meaning<Expression>>(
    literal,
    aggregatesOver(nested),
    functionsOver(nested),
    inParentheses(nested),
  )
  const operand = P.seqMap(sign.many(), primary, (signs, primary) => ({ signs, primary }))
  const rest = P.seqMap(infix, operand, (infix, operand) => ({ infix, operand })).many()
  return P.seqMap(operand, rest, (first, rest) => reading => treeOf({ first, rest }, reading))
}

export const expression = expressionAt(0)
