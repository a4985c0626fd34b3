/**
 * Expressions: numbers, aggregates, rankings, and operators between them. The parser makes flat
 * runs of operands, `precedence.ts` the tree; so only what stands in parentheses recurses.
 */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  type ConstantVector,
  type Expression,
  hasLogqlNames,
  isScalar,
  type NumberLiteral,
  type Ranking,
} from './ast.ts'
import { QueryFault } from './fault.ts'
import {
  aggregatesOver,
  grouped,
  labelsBy,
  operationName,
  seriesFault,
} from './grammar-aggregates.ts'
import { here, inParentheses, keyword, number, symbol, token } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import { type Infix, type Sign, treeOf } from './precedence.ts'
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

const infix: P.Parser<Infix> = P.alt(
  P.seqMap(
    here,
    oneOf<ComparisonOperator>(/(?:[=!<>]=|[<>])(?![=~])/),
    isBool,
    (offset, operator, isBool) => ({ operator, isBool, offset }),
  ),
  P.seqMap(here, oneOf<ArithmeticOperator>(/[-+*/%^]/), (offset, operator) => ({
    operator,
    isBool: false,
    offset,
  })),
)

const rankingOf = (operand: P.Parser<Meaning<Expression>>): P.Parser<Meaning<Ranking>> => {
  const argument = P.seqMap(
    number.desc('a whole number').skip(symbol(',')),
    here,
    operand,
    (k, offset, operand) => ({ k, offset, operand }),
  )
  return P.seqMap(
    operationName('topk', 'bottomk'),
    grouped(argument),
    (operation, { grouping, argument }) =>
      reading => {
        const k = rankOf(argument.k)(reading)
        const operand = argument.operand(reading)
        if (isScalar(operand)) {
          const example = `${operation}(${k}, count by (service.name) (logs))`
          throw seriesFault(argument.offset, 'rank', example)
        }
        const by = labelsBy(grouping)(reading)
        const own = hasLogqlNames(operand) ? [...new Set(by.map(ownName))] : by
        return { kind: 'ranking', operation, k, by: own, operand }
      },
  )
}

const constantVectorOf = (
  operand: P.Parser<Meaning<Expression>>,
): P.Parser<Meaning<ConstantVector>> =>
  P.seqMap(
    here,
    operationName('vector').then(inParentheses(P.seq(here, operand))),
    (offset, [operandOffset, operand]) =>
      reading => {
        reading.takeOperator(offset)
        const number = operand(reading)
        if (isScalar(number)) return { kind: 'vector', operand: number }
        throw new QueryFault('query_syntax', operandOffset, 'expected a number but found series', {
          members: { expected: ['a number'], found: 'series' },
          remedy: 'vector(…) makes a series of a number, as in vector(0)',
        })
      },
  )

function rankOf(leaf: Leaf): Meaning<number> {
  const { queryRankMax } = limits
  const isRank = (k: number) => Number.isInteger(k) && 1 <= k && k <= queryRankMax
  return reading => reading.number(leaf, `a whole number from 1 to ${queryRankMax}`, isRank)
}

const tooDeep: P.Parser<never> = P((_, offset) => {
  const what = `nested deeper than ${limits.queryNestingMax}`
  throw new QueryFault('query_too_large', offset, what)
})

/** An expression that stands inside `depth` others. One parser per depth, made when needed. */
function expressionAt(depth: number): P.Parser<Meaning<Expression>> {
  if (depth > limits.queryNestingMax) return tooDeep
  const nested = P.lazy(() => expressionAt(depth + 1))
  const primary = P.alt<Meaning<Expression>>(
    literal,
    aggregatesOver(nested),
    rankingOf(nested),
    constantVectorOf(nested),
    inParentheses(nested),
  )
  const operand = P.seqMap(sign.many(), primary, (signs, primary) => ({ signs, primary }))
  const rest = P.seqMap(infix, operand, (infix, operand) => ({ infix, operand })).many()
  return P.seqMap(operand, rest, (first, rest) => reading => treeOf({ first, rest }, reading))
}

export const expression = expressionAt(0)
