/**
 * What a query means: the tree that `grammar.ts` makes from text, `print.ts` turns back into text,
 * and everything behind the parser works on.
 */

import type { FilterOperator, MatchOperator } from '../match/condition.ts'
import type { Quantity } from './quantity.ts'
import type { Stage } from './stage.ts'

/** A condition on one label. */
export type Matcher = TextMatcher | SetMatcher | QuantityMatcher

/** On the label's text. A record without the label behaves as if its value were empty. */
export interface TextMatcher {
  readonly label: string
  readonly operator: MatchOperator
  /** The text to equal, or, under `=~` and `!~`, an RE2 expression anchored at both ends. */
  readonly value: string
}

/** Is one of some texts, or none of them. A record without the label has the empty one. */
export interface SetMatcher {
  readonly label: string
  readonly operator: 'in' | 'not in'
  /** One or more. */
  readonly values: readonly string[]
}

/** Compares what the label's text says as a quantity. Holds for no record whose text says none. */
export interface QuantityMatcher extends Quantity {
  readonly label: string
  readonly operator: ComparisonOperator
}

/** A text that the message or an attribute's value contains, whatever the case of its letters. */
export interface Search {
  readonly text: string
  /** Whether the message and all values are without it. */
  readonly isNegated: boolean
}

/** A condition on the message: contains, contains not, matches, matches not (not anchored). */
export interface LineFilter {
  readonly operator: FilterOperator
  readonly text: string
  /** Only of contains and contains not: addresses of the internet are asked for, as
   *  `match/ip-range.ts` reads them. Absent: a text. */
  readonly isAddress?: true
  /** Further texts of which one is enough, as in `|= "a" or "b"`; absent when there are none. */
  readonly others?: readonly string[]
}

/** All of these must hold. */
export interface Conditions {
  readonly matchers: readonly Matcher[]
  readonly filters: readonly LineFilter[]
  /** Absent when there are none. */
  readonly searches?: readonly Search[]
}

/** Records for which its conditions hold, or those of one of its alternatives. */
export interface Selector extends Conditions {
  readonly kind: 'selector'
  /** Absent when there are none. */
  readonly alternatives?: readonly Conditions[]
  /** Whether it is written `{…}`, as in LogQL, without `logs`; absent when it is not. */
  readonly names?: 'logql'
  /** What is done with the records then, one after the other; absent when nothing is. */
  readonly stages?: readonly Stage[]
}

/** The selector without any condition. */
export const everyRecord: Selector = { kind: 'selector', matchers: [], filters: [] }

/** How many records a selector selects, in all or by labels. */
export function countOf(selector: Selector, by: readonly string[] = []): Aggregate {
  const nothing = { unwrap: undefined, quantile: undefined, offsetMs: 0 }
  return { kind: 'aggregate', operation: 'count', by, selector, ...nothing }
}

/** A number as written: 0 or more, `Infinity` or `NaN`. A negative one is a Negation of it. */
export interface NumberLiteral {
  readonly kind: 'number'
  readonly value: number
}

/** Operations on the records themselves: their number, or records per second. */
export type CountOperation = 'count' | 'rate'
/** Operations on the values of one attribute. */
export type UnwrapOperation = 'sum' | 'avg' | 'min' | 'max' | 'quantile' | 'count_distinct'

/** Turns records into numbers: one per group and bucket. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly operation: CountOperation | UnwrapOperation
  /** The labels to group by; empty for one number over everything. No label appears twice. */
  readonly by: readonly string[]
  readonly selector: Selector
  /** The attribute whose values are taken; undefined exactly for `count` and `rate`. */
  readonly unwrap: string | undefined
  /** Absent for plain numbers, and for `count_distinct`, which takes texts. */
  readonly unwrapUnit?: UnwrapUnit
  /** 0…1, exactly for `quantile`. */
  readonly quantile: number | undefined
  /** How much earlier the records are taken, in ms; 0 mostly. */
  readonly offsetMs: number
}

/** The labels that are kept, or that are not. No label appears twice. */
export interface Grouping {
  readonly mode: 'by' | 'without'
  readonly labels: readonly string[]
}

/** LogQL's operations over the records of a range that ends at each point. */
export type RangeOperation = RangeRecordOperation | RangeValueOperation | 'absent_over_time'
/** Over the records, or the bytes of their messages. */
export type RangeRecordOperation = 'count_over_time' | 'rate' | 'bytes_over_time' | 'bytes_rate'
/** Over the values of one attribute. */
export type RangeValueOperation =
  | 'sum_over_time'
  | 'avg_over_time'
  | 'min_over_time'
  | 'max_over_time'
  | 'stddev_over_time'
  | 'stdvar_over_time'
  | 'first_over_time'
  | 'last_over_time'
  | 'rate_counter'
  | 'quantile_over_time'

/** What values are read as: durations in seconds, sizes in bytes. */
export type UnwrapUnit = 'duration' | 'bytes'

/** As LogQL's range aggregations: a point only where there are records in its range. */
export interface RangeAggregate {
  readonly kind: 'range'
  readonly operation: RangeOperation
  /** Undefined: a series for each combination of the labels that distinguish streams. */
  readonly grouping: Grouping | undefined
  readonly selector: Selector
  /** The attribute whose values are taken; there for each RangeValueOperation, and for `rate` and
   *  `absent_over_time` where they are about values. */
  readonly unwrap?: string | undefined
  /** Absent for plain numbers. */
  readonly unwrapUnit?: UnwrapUnit
  /** 0…1, exactly for `quantile_over_time`. */
  readonly quantile?: number | undefined
  /** How far back from each point records are taken, in ms; at least 1. */
  readonly rangeMs: number
  /** How much earlier the records are taken, in ms; 0 mostly. */
  readonly offsetMs: number
}

/** Operations over the points of several series, as PromQL's `sum by (…) (…)`. */
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
  readonly grouping: Grouping
  /** Not a scalar (see `isScalar`). */
  readonly operand: Expression
}

/** The series in order of their values at one time: `sort(…)`. */
export interface Sorting {
  readonly kind: 'sorting'
  readonly operation: 'sort' | 'sort_desc'
  /** Not a scalar (see `isScalar`). */
  readonly operand: Expression
}

/** A label made of another one's value, where that matches: PromQL's `label_replace`. */
export interface LabelReplacement {
  readonly kind: 'label_replace'
  /** Not a scalar (see `isScalar`). */
  readonly operand: Expression
  /** The label that is set; taken away where it would be empty. */
  readonly target: string
  /** Its value, with `$1` and `${name}` for what groups have matched. */
  readonly replacement: string
  readonly source: string
  /** An RE2 expression, anchored at both ends. */
  readonly pattern: string
}

export interface Negation {
  readonly kind: 'negation'
  readonly operand: Expression
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^'
export type ComparisonOperator = '==' | '!=' | '>' | '<' | '>=' | '<='
/** Of two sets of series: those that both have, all of them, those that the right one has not. */
export type SetOperator = 'and' | 'or' | 'unless'

/** Which series of the two sides of an operator belong together: those equal in some labels. */
export interface Matching {
  /** In these labels, or in all but these. */
  readonly mode: 'on' | 'ignoring'
  /** No label appears twice. */
  readonly labels: readonly string[]
  /** The side of which several series may match the same one; absent: neither. */
  readonly many?: 'left' | 'right'
  /** Labels that the results have from the other side; only where one side has many. */
  readonly include?: readonly string[]
}

/** Arithmetic; a comparison, which filters its left side or under `bool` gives 0 or 1; or of sets. */
export interface Binary {
  readonly kind: 'binary'
  readonly operator: ArithmeticOperator | ComparisonOperator | SetOperator
  /** Only for comparisons; always for comparisons of two scalars. */
  readonly isBool: boolean
  /** Absent: equal in all labels. Between series only; of sets neither side has `many`. */
  readonly matching?: Matching
  readonly left: Expression
  readonly right: Expression
}

/** An expression whose answer is numbers. */
export type Expression =
  | NumberLiteral
  | Aggregate
  | RangeAggregate
  | Aggregation
  | ConstantVector
  | Ranking
  | Sorting
  | LabelReplacement
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
    case 'sorting':
    case 'label_replace':
      return false
  }
}

/** The expressions that one is made of. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'number':
    case 'aggregate':
    case 'range':
      return []
    case 'binary':
      return [expression.left, expression.right]
    default:
      return [expression.operand]
  }
}

/** The same expression, of what `make` makes of its operands: which is no scalar where they are none. */
export function mapOperands(
  expression: Expression,
  make: (operand: Expression) => Expression,
): Expression {
  switch (expression.kind) {
    case 'number':
    case 'aggregate':
    case 'range':
      return expression
    case 'binary':
      return { ...expression, left: make(expression.left), right: make(expression.right) }
    default:
      return { ...expression, operand: make(expression.operand) }
  }
}

/** Whether the labels of its series are asked for under LogQL's names. */
export function hasLogqlNames(expression: Expression): boolean {
  switch (expression.kind) {
    case 'aggregate':
      return expression.selector.names === 'logql'
    case 'range':
    case 'aggregation':
      return true
    default:
      return operandsOf(expression).some(hasLogqlNames)
  }
}
