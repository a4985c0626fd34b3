/**
 * Aggregates: `count by (a) (logs{…})`, `sum(logs{…} | unwrap b offset 1h)`. Which operation it is
 * decides whether an attribute must be named, so that a query without it is a syntax error.
 */

import P from 'parsimmon'
import type { Aggregate, CountOperation, UnwrapOperation } from './ast.ts'
import { type SelectorText, selector } from './grammar-selectors.ts'
import {
  duration,
  grouping,
  here,
  inParentheses,
  keyword,
  label,
  number,
  operator,
  symbol,
} from './grammar-tokens.ts'
import type { Leaf, Meaning } from './reading.ts'

/** The part of an aggregate in its parentheses. */
type Source = Pick<Aggregate, 'selector' | 'unwrap' | 'quantile' | 'offsetMs'>

interface SourceText {
  readonly selector: SelectorText
  readonly unwrap?: Leaf
  readonly quantile?: Leaf
  readonly offset: Leaf | undefined
}

function sourceOf({ selector, unwrap, quantile, offset }: SourceText): Meaning<Source> {
  return reading => {
    const isFraction = (value: number) => 0 <= value && value <= 1
    const quantileOf = (leaf: Leaf) => reading.number(leaf, 'a number from 0 to 1', isFraction)
    const source = {
      quantile: quantile && quantileOf(quantile),
      selector: selector.meaning(reading),
      unwrap: unwrap && reading.text(unwrap),
      offsetMs: offset === undefined ? 0 : reading.durationMs(offset),
    }
    reading.takeSelector({ ...source, offset: selector.offset })
    return source
  }
}

const offset: P.Parser<Leaf | undefined> = keyword('offset').then(duration).fallback(undefined)

const unwrap = operator('|').then(keyword('unwrap')).then(label)

const records = P.seqMap(selector, offset, (selector, offset) => sourceOf({ selector, offset }))

const values = P.seqMap(selector, unwrap, offset, (selector, unwrap, offset) =>
  sourceOf({ selector, unwrap, offset }),
)

const quantileOfValues = P.seqMap(
  number.desc('a number from 0 to 1').skip(symbol(',')),
  selector,
  unwrap,
  offset,
  (quantile, selector, unwrap, offset) => sourceOf({ quantile, selector, unwrap, offset }),
)

/** A grouping before or after an argument in parentheses, or none. */
export const grouped = <T>(
  argument: P.Parser<T>,
): P.Parser<{ by: Meaning<readonly string[]>; argument: T }> => {
  const ungrouped: Meaning<readonly string[]> = () => []
  return P.alt(
    P.seqMap(grouping, inParentheses(argument), (by, argument) => ({ by, argument })),
    P.seqMap(inParentheses(argument), grouping.fallback(ungrouped), (argument, by) => ({
      by,
      argument,
    })),
  )
}

/** The name of an operation. One description for all: a list of ten helps nobody. */
export const operationName = <T extends string>(...names: readonly T[]): P.Parser<T> =>
  P.alt(...names.map(name => keyword(name))).desc('an operation')

const aggregateOf = <T extends CountOperation | UnwrapOperation>(
  operation: P.Parser<T>,
  source: P.Parser<Meaning<Source>>,
): P.Parser<Meaning<Aggregate>> =>
  P.seqMap(here, operation, grouped(source), (offset, operation, { by, argument }) => reading => {
    reading.takeAggregate(offset)
    return { kind: 'aggregate', operation, by: by(reading), ...argument(reading) }
  })

export const aggregate: P.Parser<Meaning<Aggregate>> = P.alt(
  aggregateOf(operationName<CountOperation>('count', 'rate'), records),
  aggregateOf(operationName<UnwrapOperation>('sum', 'avg', 'min', 'max', 'count_distinct'), values),
  aggregateOf(operationName<UnwrapOperation>('quantile'), quantileOfValues),
)
