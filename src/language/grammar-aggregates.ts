/**
 * Aggregates of records: `count by (a) (logs{…})`, `sum(logs{…} | unwrap b offset 1h)`, and as in LogQL
 * `rate({…}[5m])`. Which operation it is decides whether an attribute must be named, so that a query
 * without it is a syntax error.
 */

import P from 'parsimmon'
import {
  type Aggregate,
  type Aggregation,
  type AggregationOperation,
  type CountOperation,
  type Expression,
  type Grouping,
  isScalar,
  type RangeAggregate,
  type RangeOperation,
  type Selector,
  type UnwrapOperation,
} from './ast.ts'
import { QueryFault } from './fault.ts'
import { type SelectorText, selector } from './grammar-selectors.ts'
import { stage } from './grammar-stages.ts'
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
} from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Leaf, Meaning, Reading } from './reading.ts'
import type { Stage } from './stage.ts'

/** What stands in the parentheses of an aggregate, before its operation and its grouping are known. */
interface SourceText {
  readonly selector: SelectorText
  readonly range?: Leaf | undefined
  readonly unwrap?: Leaf | undefined
  readonly quantile?: Leaf
  /** Stages behind `unwrap`. */
  readonly later?: readonly Meaning<Stage>[]
  readonly offset: Leaf | undefined
}

/** Series to put together, in the same place. */
interface SeriesText {
  readonly series: Meaning<Expression>
  readonly at: number
}

type Argument = SourceText | SeriesText

/** An operation as it is written. */
interface Call<Operation> {
  readonly operation: Operation
  readonly offset: number
  readonly grouping: GroupingText | undefined
}

function aggregateOf(
  { operation, offset, grouping }: Call<CountOperation | UnwrapOperation>,
  { selector: selectorText, unwrap, quantile, offset: back }: SourceText,
): Meaning<Aggregate> {
  return reading => {
    reading.takeAggregate(offset)
    const by = labelsBy(grouping)(reading)
    const source = {
      quantile: quantile && fractionOf(quantile)(reading),
      selector: selectorText.meaning(reading),
      unwrap: unwrap && reading.text(unwrap),
      offsetMs: back === undefined ? 0 : reading.durationMs(back),
    }
    reading.takeSelector({ ...source, offset: selectorText.offset })
    if (source.selector.names === undefined) return { kind: 'aggregate', operation, by, ...source }
    const own = {
      by: [...new Set(by.map(ownName))],
      unwrap: source.unwrap && ownName(source.unwrap),
    }
    return { kind: 'aggregate', operation, ...source, ...own }
  }
}

function rangeAggregateOf(
  { operation, offset, grouping }: Call<RangeOperation>,
  { selector: selectorText, unwrap, later = [], quantile, offset: back }: SourceText,
  range: Leaf,
): Meaning<RangeAggregate> {
  return reading => {
    reading.takeAggregate(offset)
    const taken = quantile && fractionOf(quantile)(reading)
    const selector = selectorText.meaning(reading)
    const source = {
      selector: withStages(selector, later, reading),
      rangeMs: reading.rangeMs(range),
      offsetMs: back === undefined ? 0 : reading.durationMs(back),
    }
    reading.takeSelector({ ...source, offset: selectorText.offset })
    const grouped = grouping && groupingOf(grouping)(reading)
    return {
      kind: 'range',
      operation,
      grouping: grouped,
      ...source,
      ...(unwrap !== undefined && { unwrap: ownName(reading.text(unwrap)) }),
      ...(taken !== undefined && { quantile: taken }),
    }
  }
}

function fractionOf(leaf: Leaf): Meaning<number> {
  return reading => reading.number(leaf, 'a number from 0 to 1', value => 0 <= value && value <= 1)
}

/** Stages behind `unwrap` come to the same before it: a value that is no number is left out in any case. */
function withStages(
  selector: Selector,
  later: readonly Meaning<Stage>[],
  reading: Reading,
): Selector {
  if (later.length === 0) return selector
  return { ...selector, stages: [...(selector.stages ?? []), ...later.map(one => one(reading))] }
}

function aggregationOf(
  { operation, offset, grouping }: Call<AggregationOperation>,
  { series, at }: SeriesText,
): Meaning<Aggregation> {
  return reading => {
    reading.takeOperator(offset)
    const operand = series(reading)
    if (isScalar(operand)) throw seriesFault(at, 'put together', `${operation}(rate(logs[5m]))`)
    const grouped = grouping && groupingOf(grouping)(reading)
    return { kind: 'aggregation', operation, grouping: grouped ?? noLabels, operand }
  }
}

const noLabels: Grouping = { mode: 'by', labels: [] }

/** For a number where series must stand. */
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

const offset: P.Parser<Leaf | undefined> = keyword('offset').then(duration).fallback(undefined)

const range: P.Parser<Leaf> = duration.wrap(symbol('['), symbol(']'))

const unwrap = operator('|').then(keyword('unwrap')).then(label)

const records: P.Parser<SourceText> = P.seqMap(selector, offset, (selector, offset) => ({
  selector,
  offset,
}))

const recordsOrRange: P.Parser<SourceText> = P.seqMap(
  selector,
  range.fallback(undefined),
  offset,
  (selector, range, offset) => ({ selector, range, offset }),
)

const recordsOfRange = P.seqMap(selector, range, offset, (selector, range, offset) => ({
  selector,
  range,
  offset,
}))

const valuesOfRange = P.seqMap(
  selector,
  unwrap,
  stage.many(),
  range,
  offset,
  (selector, unwrap, later, range, offset) => ({ selector, unwrap, later, range, offset }),
)

const quantileOfRange = P.seqMap(
  number.desc('a number from 0 to 1').skip(symbol(',')),
  valuesOfRange,
  (quantile, values) => ({ quantile, ...values }),
)

const values: P.Parser<SourceText> = P.seqMap(
  selector,
  unwrap,
  offset,
  (selector, unwrap, offset) => ({ selector, unwrap, offset }),
)

/** Without an attribute, the records themselves are meant: `sum(logs)` are as many as there are. */
const valuesOrRecords: P.Parser<SourceText> = P.seqMap(
  selector,
  unwrap.fallback(undefined),
  offset,
  (selector, unwrap, offset) => ({ selector, unwrap, offset }),
)

const quantileOfValues = P.seqMap(
  number.desc('a number from 0 to 1').skip(symbol(',')),
  selector,
  unwrap,
  offset,
  (quantile, selector, unwrap, offset) => ({ quantile, selector, unwrap, offset }),
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
const callOf = <Operation extends string, Argument>(
  names: readonly Operation[],
  argument: P.Parser<Argument>,
  meaningOf: (call: Call<Operation>, argument: Argument) => Meaning<Expression>,
): P.Parser<Meaning<Expression>> =>
  P.seqMap(here, operationName(...names), grouped(argument), (offset, operation, rest) =>
    meaningOf({ operation, offset, grouping: rest.grouping }, rest.argument),
  )

/** Aggregates, those of the series of `nested` expressions among them. */
export function aggregatesOver(
  nested: P.Parser<Meaning<Expression>>,
): P.Parser<Meaning<Expression>> {
  const series: P.Parser<SeriesText> = P.seqMap(here, nested, (at, series) => ({ at, series }))
  return P.alt(
    callOf(['count'], P.alt<Argument>(records, series), (call, argument) =>
      'series' in argument ? aggregationOf(call, argument) : aggregateOf(call, argument),
    ),
    callOf(['rate'], recordsOrRange, (call, argument) =>
      argument.range === undefined
        ? aggregateOf(call, argument)
        : rangeAggregateOf(call, argument, argument.range),
    ),
    callOf(['count_over_time', 'bytes_over_time', 'bytes_rate'], recordsOfRange, (call, argument) =>
      rangeAggregateOf(call, argument, argument.range),
    ),
    callOf(
      ['sum_over_time', 'avg_over_time', 'min_over_time', 'max_over_time'],
      valuesOfRange,
      (call, argument) => rangeAggregateOf(call, argument, argument.range),
    ),
    callOf(['quantile_over_time'], quantileOfRange, (call, argument) =>
      rangeAggregateOf(call, argument, argument.range),
    ),
    callOf(
      ['sum'],
      P.alt<Argument>(valuesOrRecords, series),
      ({ operation, ...call }, argument) => {
        if ('series' in argument) return aggregationOf({ operation, ...call }, argument)
        const isOfRecords = argument.unwrap === undefined
        return aggregateOf({ operation: isOfRecords ? 'count' : operation, ...call }, argument)
      },
    ),
    callOf(['avg', 'min', 'max'], P.alt<Argument>(values, series), (call, argument) =>
      'series' in argument ? aggregationOf(call, argument) : aggregateOf(call, argument),
    ),
    callOf(['stddev', 'stdvar'], series, aggregationOf),
    callOf(['count_distinct'], values, aggregateOf),
    callOf(['quantile'], quantileOfValues, aggregateOf),
  )
}
