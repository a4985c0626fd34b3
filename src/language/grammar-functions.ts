/** What is done with series as a whole: rankings, orders, labels made anew, numbers made series. */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import { type Expression, type Grouping, hasLogqlNames, isScalar } from './ast.ts'
import { QueryFault } from './fault.ts'
import { grouped, operationName, seriesFault } from './grammar-calls.ts'
import { type GroupingText, here, inParentheses, number, string, symbol } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Leaf, Meaning } from './reading.ts'

type ExpressionText = P.Parser<Meaning<Expression>>

/** LogQL's approx_topk may be wrong, and therefore may be exact, too. */
const ranking = P.alt(
  operationName('topk', 'bottomk'),
  operationName('approx_topk').result('topk' as const),
)

const rankingOf = (operand: ExpressionText): ExpressionText => {
  const argument = P.seqMap(
    number.desc('a whole number').skip(symbol(',')),
    here,
    operand,
    (k, offset, operand) => ({ k, offset, operand }),
  )
  return P.seqMap(ranking, grouped(argument), (operation, { grouping, argument }) => reading => {
    const k = rankOf(argument.k)(reading)
    const operand = argument.operand(reading)
    if (isScalar(operand)) {
      const example = `${operation}(${k}, count by (service.name) (logs))`
      throw seriesFault(argument.offset, 'rank', example)
    }
    const groups = grouping ? groupsOf(grouping, operand)(reading) : noLabels
    return { kind: 'ranking', operation, k, grouping: groups, operand }
  })
}

const noLabels: Grouping = { mode: 'by', labels: [] }

function groupsOf({ mode, labels }: GroupingText, operand: Expression): Meaning<Grouping> {
  return reading => {
    const names = labels(reading)
    const own = hasLogqlNames(operand) ? [...new Set(names.map(ownName))] : names
    return { mode, labels: own }
  }
}

function rankOf(leaf: Leaf): Meaning<number> {
  const { queryRankMax } = limits
  const isRank = (k: number) => Number.isInteger(k) && 1 <= k && k <= queryRankMax
  return reading => reading.number(leaf, `a whole number from 1 to ${queryRankMax}`, isRank)
}

const sortingOf = (operand: ExpressionText): ExpressionText =>
  P.seqMap(
    here,
    operationName('sort_desc', 'sort'),
    inParentheses(P.seq(here, operand)),
    (offset, operation, [operandOffset, operand]) =>
      reading => {
        reading.take('operators', offset)
        const made = operand(reading)
        if (!isScalar(made)) return { kind: 'sorting', operation, operand: made }
        throw seriesFault(operandOffset, 'sort', `${operation}(rate(logs[5m]))`)
      },
  )

const nextString = symbol(',').then(string)

const replacementOf = (operand: ExpressionText): ExpressionText =>
  P.seqMap(
    here,
    operationName('label_replace'),
    inParentheses(P.seq(here, operand, nextString, nextString, nextString, nextString)),
    (offset, _, [operandOffset, operand, target, replacement, source, pattern]) =>
      reading => {
        reading.take('operators', offset)
        const made = operand(reading)
        if (isScalar(made)) {
          const example = 'label_replace(rate(logs[5m]), "to", "$1", "from", "(.*)")'
          throw seriesFault(operandOffset, 'label', example)
        }
        const nameOf = hasLogqlNames(made) ? ownName : (name: string) => name
        return {
          kind: 'label_replace',
          operand: made,
          target: nameOf(reading.text(target)),
          replacement: reading.text(replacement),
          source: nameOf(reading.text(source)),
          pattern: reading.term(pattern, true),
        }
      },
  )

const constantVectorOf = (operand: ExpressionText): ExpressionText =>
  P.seqMap(
    here,
    operationName('vector').then(inParentheses(P.seq(here, operand))),
    (offset, [operandOffset, operand]) =>
      reading => {
        reading.take('operators', offset)
        const number = operand(reading)
        if (isScalar(number)) return { kind: 'vector', operand: number }
        throw new QueryFault('query_syntax', operandOffset, 'expected a number but found series', {
          members: { expected: ['a number'], found: 'series' },
          remedy: 'vector(…) makes a series of a number, as in vector(0)',
        })
      },
  )

/** All of these over `nested` expressions. */
export const functionsOver = (nested: ExpressionText): ExpressionText =>
  P.alt(rankingOf(nested), sortingOf(nested), replacementOf(nested), constantVectorOf(nested))
