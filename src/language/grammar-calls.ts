/** Calls of operations, and what stands in their parentheses: common to all that aggregates. */

import P from 'parsimmon'
import type { Expression, Grouping, UnwrapUnit } from './ast.ts'
import { QueryFault } from './fault.ts'
import type { SelectorText } from './grammar-selectors.ts'
import {
  duration,
  type GroupingText,
  grouping,
  here,
  inParentheses,
  keyword,
  label,
  number,
  operator,
  symbol,
  token,
} from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Leaf, Meaning } from './reading.ts'

/** An operation as it is written. */
export interface Call<Operation> {
  readonly operation: Operation
  readonly offset: number
  readonly grouping: GroupingText | undefined
}

/** An attribute whose values are taken, and as what. */
export interface UnwrapText {
  readonly label: Leaf
  readonly unit?: UnwrapUnit
}

/** What is in the parentheses of an aggregate, before its operation and its grouping are known. */
export interface SourceText {
  readonly selector: SelectorText
  readonly unwrap?: UnwrapText | undefined
  readonly quantile?: Leaf
  readonly offset: Leaf | undefined
}

export function fractionOf(leaf: Leaf): Meaning<number> {
  return reading => reading.number(leaf, 'a number from 0 to 1', value => 0 <= value && value <= 1)
}

/** The fault for a number where a series is required. */
export function seriesFault(offset: number, what: string, example: string): QueryFault {
  return new QueryFault('query_syntax', offset, `expected series to ${what} but found a number`, {
    members: { expected: ['series'], found: 'a number' },
    remedy: `as in ${example}`,
  })
}

/** The grouping under our names of labels. */
export function groupingOf({ mode, labels }: GroupingText): Meaning<Grouping> {
  return reading => ({ mode, labels: [...new Set(labels(reading).map(ownName))] })
}

/** The labels of a grouping that can only name those to keep. */
export function labelsBy(grouping: GroupingText | undefined): Meaning<readonly string[]> {
  return reading => {
    if (grouping === undefined) return []
    if (grouping.mode === 'by') return grouping.labels(reading)
    throw new QueryFault('query_syntax', grouping.offset, 'expected "by" but found "without"', {
      members: { expected: ['"by"'], found: 'without' },
      remedy: 'name the labels to keep: by (…)',
    })
  }
}

export const offset: P.Parser<Leaf | undefined> = keyword('offset')
  .then(duration)
  .fallback(undefined)

export const range: P.Parser<Leaf> = duration.wrap(symbol('['), symbol(']'))

export const fraction = number.desc('a number from 0 to 1').skip(symbol(','))

const pipeOfUnwrap = operator('|').then(keyword('unwrap'))

/** Of plain numbers. */
export const unwrapOfTexts: P.Parser<UnwrapText> = pipeOfUnwrap
  .then(label)
  .map(label => ({ label }))

/** LogQL's conversions; only with a parenthesis, so that labels may be called so. */
const conversion: P.Parser<UnwrapUnit> = token(
  P.regexp(/(?:duration_seconds|duration|bytes)(?=\s*\()/),
)
  .map((written): UnwrapUnit => (written === 'bytes' ? 'bytes' : 'duration'))
  .desc('a label')

export const unwrap: P.Parser<UnwrapText> = pipeOfUnwrap.then(
  P.alt<UnwrapText>(
    P.seqMap(conversion, inParentheses(label), (unit, label) => ({ unit, label })),
    label.map(label => ({ label })),
  ),
)

/** A grouping before or after an argument in parentheses, or none. */
export const grouped = <T>(
  argument: P.Parser<T>,
): P.Parser<{ grouping: GroupingText | undefined; argument: T }> =>
  P.alt(
    P.seqMap(grouping, inParentheses(argument), (grouping, argument) => ({ grouping, argument })),
    P.seqMap(inParentheses(argument), grouping.fallback(undefined), (argument, grouping) => ({
      grouping,
      argument,
    })),
  )

/** The name of an operation. One description for all: a list of ten helps nobody. */
export const operationName = <T extends string>(...names: readonly T[]): P.Parser<T> =>
  P.alt(...names.map(name => keyword(name))).desc('an operation')

/** A call whose argument is made `meaning` of, once it is known which operation it is of. */
export const callOf = <Operation extends string, Argument>(
  names: readonly Operation[],
  argument: P.Parser<Argument>,
  meaningOf: (call: Call<Operation>, argument: Argument) => Meaning<Expression>,
): P.Parser<Meaning<Expression>> =>
  P.seqMap(here, operationName(...names), grouped(argument), (offset, operation, rest) =>
    meaningOf({ operation, offset, grouping: rest.grouping }, rest.argument),
  )
