/**
 * What a query means: the tree that `grammar.ts` makes from text, `print.ts` turns back into text,
 * and everything behind the parser works on.
 */

import type { FilterOperator, MatchOperator } from '../match/condition.ts'
import type { Stage } from './stage.ts'

/** A condition on one label. A record without the label behaves as if its value were empty. */
export interface Matcher {
  readonly label: string
  readonly operator: MatchOperator
  /** The text to equal, or, under `=~` and `!~`, an RE2 expression anchored at both ends. */
  readonly value: string
}

/** A condition on the message: contains, contains not, matches, matches not (not anchored). */
export interface LineFilter {
  readonly operator: FilterOperator
  readonly text: string
  /** Further texts of which one is enough, as in `|= "a" or "b"`; absent when there are none. */
  readonly others?: readonly string[]
}

/** Records for which all matchers and all filters hold. */
export interface Selector {
  readonly kind: 'selector'
  readonly matchers: readonly Matcher[]
  readonly filters: readonly LineFilter[]
  /** Whether it is written `{…}`, as in LogQL, without `logs`; absent when it is not. */
  readonly names?: 'logql'
  /** What is done with the records then, one after the other; absent when nothing is. */
  readonly stages?: readonly Stage[]
}

/** A number as written: 0 or more, `Infinity` or `NaN`. A negative one is a Negation of it. */
export interface NumberLiteral {
  readonly kind: 'number'
  readonly value: number
}

/** Figures over the records themselves; records per second. */
export type CountOperation = 'count' | 'rate'
/** Figures over the values of one attribute. */
export type UnwrapOperation = 'sum' | 'avg' | 'min' | 'max' | 'quantile' | 'count_distinct'

/** Records become figures: one per group and bucket. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly operation: CountOperation | UnwrapOperation
  /** The labels to group by; empty for one figure over everything. No label stands twice. */
  readonly by: readonly string[]
  readonly selector: Selector
  /** The attribute whose values are taken; undefined exactly for `count` and `rate`. */
  readonly unwrap: string | undefined
  /** 0…1, exactly for `quantile`. */
  readonly quantile: number | undefined
  /** How much earlier the records are taken, in ms; 0 mostly. */
  readonly offsetMs: number
}

/** The labels that are kept, or that are not. No label stands twice. */
export interface Grouping {
  readonly mode: 'by' | 'without'
  readonly labels: readonly string[]
}

/** LogQL's figures over the records of a range that ends at each point. */
export type RangeOperation = RangeRecordOperation | RangeValueOperation
/** Over the records, or the bytes of their messages. */
export type RangeRecordOperation = 'count_over_time' | 'rate' | 'bytes_over_time' | 'bytes_rate'
/** Over the values of one attribute. */
export type RangeValueOperation =
  | 'sum_over_time'
  | 'avg_over_time'
  | 'min_over_time'
  | 'max_over_time'
  | 'quantile_over_time'

/** As LogQL's range aggregations: a point only where there are records in its range. */
export interface RangeAggregate {
  readonly kind: 'range'
  readonly operation: RangeOperation
  /** Undefined: a series for each combination of the labels that tell streams from each other. */
  readonly grouping: Grouping | undefined
  readonly selector: Selector
  /** The attribute whose values are taken; there exactly for a RangeValueOperation. */
  readonly unwrap?: string | undefined
  /** 0…1, exactly for `quantile_over_time`. */
  readonly quantile?: number | undefined
  /** How far back from each point records are taken, in ms; at least 1. */
  readonly rangeMs: number
  /** How much earlier the records are taken, in ms; 0 mostly. */
  readonly offsetMs: number
}

/** Figures over the points of several series, as PromQL's `sum by (…) (…)`. */
export type AggregationOperation = 'sum' | 'avg' | 'min' | 'max' | 'count' | 'stddev' | 'stdvar'

export interface Aggregation {
  readonly kind: 'aggregation'
  readonly operation: AggregationOperation
  readonly grouping: Grouping
  /** Not a scalar (see `isScalar`). */
  readonly operand: Expression
}

/** A series without labels, of one number: `vector(1)`. */
export interface ConstantVector {
  readonly kind: 'vector'
  /** A scalar (see `isScalar`). */
  readonly operand: Expression
}

/** The `k` largest or smallest series of each group at each point. */
export interface Ranking {
  readonly kind: 'ranking'
  readonly operation: 'topk' | 'bottomk'
  /** A whole number, 1 or more. */
  readonly k: number
  readonly by: readonly string[]
  /** Not a scalar (see `isScalar`). */
  readonly operand: Expression
}

export interface Negation {
  readonly kind: 'negation'
  readonly operand: Expression
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^'
export type ComparisonOperator = '==' | '!=' | '>' | '<' | '>=' | '<='

/** Arithmetic, or a comparison: which filters its left side, or under `bool` gives 0 or 1. */
export interface Binary {
  readonly kind: 'binary'
  readonly operator: ArithmeticOperator | ComparisonOperator
  /** Only for comparisons; always for comparisons of two scalars. */
  readonly isBool: boolean
  readonly left: Expression
  readonly right: Expression
}

/** What has figures for its answer. */
export type Expression =
  | NumberLiteral
  | Aggregate
  | RangeAggregate
  | Aggregation
  | ConstantVector
  | Ranking
  | Negation
  | Binary

export type Query = Expression | Selector

/** Whether the answer is one number per point and not a list of series: no records are in it. */
export function isScalar(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
      return true
    case 'negation':
      return isScalar(expression.operand)
    case 'binary':
      return isScalar(expression.left) && isScalar(expression.right)
    case 'aggregate':
    case 'range':
    case 'aggregation':
    case 'vector':
    case 'ranking':
      return false
  }
}

/** Whether the labels of its series are asked for under LogQL's names. */
export function hasLogqlNames(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'vector':
      return false
    case 'aggregate':
      return expression.selector.names === 'logql'
    case 'range':
    case 'aggregation':
      return true
    case 'ranking':
    case 'negation':
      return hasLogqlNames(expression.operand)
    case 'binary':
      return hasLogqlNames(expression.left) || hasLogqlNames(expression.right)
  }
}
