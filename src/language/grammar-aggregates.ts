/**
 * Aggregates of records: `count by (a) (logs{…})`, `sum(logs{…} | unwrap b offset 1h)`, and aggregations of
 * series. Which operation it is decides whether an attribute must be named, so that a query without it is
 * a syntax error. LogQL's aggregates of ranges stand in `grammar-ranges.ts`.
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
  type UnwrapOperation,
} from './ast.ts'
import {
  type Call,
  callOf,
  fraction,
  fractionOf,
  groupingOf,
  labelsBy,
  offset,
  type SourceText,
  seriesFault,
  unwrap,
  unwrapOfTexts,
} from './grammar-calls.ts'
import { rangeAggregate, rangeAggregateOf, rated } from './grammar-ranges.ts'
import { selector } from './grammar-selectors.ts'
import { here } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Meaning } from './reading.ts'

/** Series to put together, in the same place. */
interface SeriesText {
  readonly series: Meaning<Expression>
  readonly at: number
}

type Argument = SourceText | SeriesText

function aggregateOf(
  { operation, offset, grouping }: Call<CountOperation | UnwrapOperation>,
  { selector: selectorText, unwrap, quantile, offset: back }: SourceText,
): Meaning<Aggregate> {
  return reading => {
    reading.take('aggregates', offset)
    const by = labelsBy(grouping)(reading)
    const taken = quantile && fractionOf(quantile)(reading)
    const { selector, places } = selectorText(reading)
    const source = {
      quantile: taken,
      selector,
      unwrap: unwrap && reading.text(unwrap.label),
      ...(unwrap?.unit && { unwrapUnit: unwrap.unit }),
      offsetMs: back === undefined ? 0 : reading.durationMs(back),
    }
    reading.takeSelector({ ...source, places })
    if (source.selector.names === undefined) return { kind: 'aggregate', operation, by, ...source }
    const own = {
      by: [...new Set(by.map(ownName))],
      unwrap: source.unwrap && ownName(source.unwrap),
    }
    return { kind: 'aggregate', operation, ...source, ...own }
  }
}

function aggregationOf(
  { operation, offset, grouping }: Call<AggregationOperation>,
  { series, at }: SeriesText,
): Meaning<Aggregation> {
  return reading => {
    reading.take('operators', offset)
    const operand = series(reading)
    if (isScalar(operand)) throw seriesFault(at, 'put together', `${operation}(rate(logs[5m]))`)
    const grouped = grouping && groupingOf(grouping)(reading)
    return { kind: 'aggregation', operation, grouping: grouped ?? noLabels, operand }
  }
}

const noLabels: Grouping = { mode: 'by', labels: [] }

const records: P.Parser<SourceText> = P.seqMap(selector, offset, (selector, offset) => ({
  selector,
  offset,
}))

const valuesWith = (unwrap: P.Parser<SourceText['unwrap']>): P.Parser<SourceText> =>
  P.seqMap(selector, unwrap, offset, (selector, unwrap, offset) => ({ selector, unwrap, offset }))

const values = valuesWith(unwrap)

/** Without an attribute, the records themselves are meant: `sum(logs)` are as many as there are. */
const valuesOrRecords = valuesWith(unwrap.fallback(undefined))

const quantileOfValues: P.Parser<SourceText> = P.seqMap(fraction, values, (quantile, values) => ({
  quantile,
  ...values,
}))

/** Aggregates, those of the series of `nested` expressions among them. */
export function aggregatesOver(
  nested: P.Parser<Meaning<Expression>>,
): P.Parser<Meaning<Expression>> {
  const series: P.Parser<SeriesText> = P.seqMap(here, nested, (at, series) => ({ at, series }))
  return P.alt(
    callOf(['count'], P.alt<Argument>(records, series), (call, argument) =>
      'series' in argument ? aggregationOf(call, argument) : aggregateOf(call, argument),
    ),
    callOf(['rate'], rated, (call, argument) =>
      'range' in argument ? rangeAggregateOf(call, argument) : aggregateOf(call, argument),
    ),
    rangeAggregate,
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
    callOf(['count_distinct'], valuesWith(unwrapOfTexts), aggregateOf),
    callOf(['quantile'], quantileOfValues, aggregateOf),
  )
}
