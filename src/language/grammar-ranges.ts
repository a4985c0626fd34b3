/**
 * LogQL's aggregates of the records of a range: `rate({…}[5m])`, `sum_over_time({…} | unwrap ms [5m])`. Which
 * operation it is decides whether an attribute must be named, so that a query without it is a syntax error.
 */

import P from 'parsimmon'
import type { Expression, RangeAggregate, RangeOperation, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import {
  type Call,
  callOf,
  fraction,
  fractionOf,
  groupingOf,
  offset,
  range,
  type SourceText,
  unwrap,
} from './grammar-calls.ts'
import { laterLineFilter, type SelectorText, selector } from './grammar-selectors.ts'
import { stage } from './grammar-stages.ts'
import { type Placed, placed, symbol } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Leaf, Meaning, Reading } from './reading.ts'
import type { Stage } from './stage.ts'
import { checkGrowth } from './template-growth.ts'

/** The records or values of a range. */
export interface RangeText extends SourceText {
  readonly range: Leaf
  /** Stages after `unwrap`. */
  readonly later?: readonly Placed<Meaning<Stage>>[]
}

export function rangeAggregateOf(
  { operation, offset, grouping }: Call<RangeOperation>,
  { selector: selectorText, range, unwrap, later = [], quantile, offset: back }: RangeText,
): Meaning<RangeAggregate> {
  return reading => {
    reading.take('aggregates', offset)
    const taken = quantile && fractionOf(quantile)(reading)
    const { selector, places } = selectorText(reading)
    const source = {
      selector: withStages(selector, later, reading),
      rangeMs: reading.rangeMs(range),
      offsetMs: back === undefined ? 0 : reading.durationMs(back),
    }
    const stages = [...places.stages, ...later.map(({ place }) => place)]
    if (later.length > 0) checkGrowth(source.selector.stages ?? [], stages)
    reading.takeSelector({ ...source, places: { ...places, stages } })
    if (operation === 'absent_over_time' && grouping !== undefined) throw ungrouped(grouping)
    const grouped = grouping && groupingOf(grouping)(reading)
    return {
      kind: 'range',
      operation,
      grouping: grouped,
      ...source,
      ...(unwrap && { unwrap: ownName(reading.text(unwrap.label)) }),
      ...(unwrap?.unit && { unwrapUnit: unwrap.unit }),
      ...(taken !== undefined && { quantile: taken }),
    }
  }
}

function ungrouped({ mode, offset }: { mode: string; offset: number }): QueryFault {
  const what = `absent_over_time is of all records together and takes no "${mode}"`
  return new QueryFault('query_syntax', offset, what, {
    members: { expected: ['no grouping'], found: mode },
    remedy: 'its labels are those that the selector says with =',
  })
}

/** Stages after `unwrap` are equivalent before it: a value that is no number is left out in any case. */
function withStages(
  selector: Selector,
  later: readonly Placed<Meaning<Stage>>[],
  reading: Reading,
): Selector {
  if (later.length === 0) return selector
  const stages = later.map(({ value }) => value(reading))
  return { ...selector, stages: [...(selector.stages ?? []), ...stages] }
}

/** Where in the parentheses the range may stand: behind everything, or right behind the selector. */
type Rest = Omit<RangeText, 'selector'>

const stages = placed(P.alt(stage, laterLineFilter)).many()

const ofRecords: P.Parser<Rest> = P.seqMap(range, offset, stages, (range, offset, later) => ({
  range,
  offset,
  later,
}))

/** What stands behind the selector of values. */
const ofValues: P.Parser<Rest> = P.alt(
  P.seqMap(unwrap, placed(stage).many(), range, offset, (unwrap, later, range, offset) => ({
    unwrap,
    later,
    range,
    offset,
  })),
  P.seqMap(
    range,
    offset,
    stages,
    unwrap,
    placed(stage).many(),
    (range, offset, before, unwrap, behind) => ({
      unwrap,
      later: [...before, ...behind],
      range,
      offset,
    }),
  ),
)

/** Described as the beginning of what is in them. */
const parenthesised = <T>(inner: P.Parser<T>): P.Parser<T> =>
  inner.wrap(symbol('(').desc('"logs"'), symbol(')'))

/** `{…} | json`, or the same in parentheses. */
const inOrOut: P.Parser<SelectorText> = P.alt(selector, parenthesised(selector))

/** The same with `| unwrap label`, and the range behind the parenthesis. */
const unwrappedInside: P.Parser<RangeText> = P.seqMap(
  parenthesised(P.seq(selector, unwrap, placed(stage).many())),
  range,
  offset,
  ([selector, unwrap, later], range, offset) => ({ selector, unwrap, later, range, offset }),
)

const behindSelector = <T>(rest: P.Parser<T>): P.Parser<T & { selector: SelectorText }> =>
  P.seqMap(inOrOut, rest, (selector, rest) => ({ selector, ...rest }))

const records = behindSelector(ofRecords)
const values = P.alt(unwrappedInside, behindSelector(ofValues))
const recordsOrValues: P.Parser<RangeText> = P.alt(
  unwrappedInside,
  behindSelector(P.alt(ofValues, ofRecords)),
)

/** Of `rate`, which has a form without brackets, too. */
export const rated = P.alt<RangeText | SourceText>(
  unwrappedInside,
  behindSelector(
    P.alt<Rest | Pick<SourceText, 'offset'>>(
      ofValues,
      ofRecords,
      offset.map(offset => ({ offset })),
    ),
  ),
)

const quantileOfValues: P.Parser<RangeText> = P.seqMap(fraction, values, (quantile, values) => ({
  quantile,
  ...values,
}))

/** All but `rate`. */
export const rangeAggregate: P.Parser<Meaning<Expression>> = P.alt(
  callOf(['count_over_time', 'bytes_over_time', 'bytes_rate'], records, rangeAggregateOf),
  callOf(
    [
      ...(['sum_over_time', 'avg_over_time', 'min_over_time', 'max_over_time'] as const),
      ...(['stddev_over_time', 'stdvar_over_time', 'first_over_time', 'last_over_time'] as const),
      'rate_counter',
    ],
    values,
    rangeAggregateOf,
  ),
  callOf(['quantile_over_time'], quantileOfValues, rangeAggregateOf),
  callOf(['absent_over_time'], recordsOrValues, rangeAggregateOf),
)
