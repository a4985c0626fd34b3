/** Random queries of every kind, as trees: all that the grammar can make, and nothing else. */

import fc from 'fast-check'
import {
  type Aggregate,
  type Binary,
  type Expression,
  type Grouping,
  isScalar,
  type NumberLiteral,
  type Query,
  type RangeAggregate,
  type Selector,
} from '../../src/language/ast.ts'
import { limits } from '../../src/limits.ts'
import { arbitrarySelector, object } from './plain.ts'
import { anyStages } from './stages/any-stages.ts'

/** Labels and texts without bounds: quotes, backslashes, control characters, any script, empty. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      ...['"', "'", '`', '\\', 'u', 'n', '\n', '\r', '\0', '\u2028', '{', ' ', '😀', '$'],
    ),
  }),
  fc.constantFrom(
    ...['', 'by', 'logs', 'count', 'offset', 'unwrap', 'bool', 'topk', 'a.b/c:d-e', '-', '.'],
    ...['__proto__', '$a', `\${a}`, 'Inf', '0x1'],
  ),
)

const plainSelector: fc.Arbitrary<Selector> = object({
  kind: fc.constant('selector' as const),
  matchers: fc.array(
    object({ label: anyText, operator: fc.constantFrom('=' as const, '!='), value: anyText }),
    { maxLength: 4 },
  ),
  filters: fc.array(object({ operator: fc.constantFrom('|=' as const, '!='), text: anyText }), {
    maxLength: 4,
  }),
})

/** The same labels are meant by LogQL's selectors, but for two that no text here has. */
const logqlSelector: fc.Arbitrary<Selector> = plainSelector.map(selector => ({
  ...selector,
  names: 'logql',
}))

const stagedSelector: fc.Arbitrary<Selector> = fc
  .tuple(fc.oneof(plainSelector, logqlSelector), anyStages)
  .map(([selector, stages]) => ({ ...selector, stages }))

const anySelector = fc.oneof(plainSelector, logqlSelector, stagedSelector, arbitrarySelector)

const by = fc.uniqueArray(anyText, { maxLength: 3 })

const offsetMs = fc.oneof(
  { arbitrary: fc.constant(0), weight: 2 },
  fc.maxSafeNat().map(ms => ms % (limits.queryOffsetMsMax + 1)),
  fc.constantFrom(1, 1_000, 90 * 60_000, limits.queryOffsetMsMax),
)

const anyAggregate: fc.Arbitrary<Aggregate> = fc.oneof(
  object({
    kind: fc.constant('aggregate' as const),
    operation: fc.constantFrom('count' as const, 'rate'),
    by,
    selector: anySelector,
    unwrap: fc.constant(undefined),
    quantile: fc.constant(undefined),
    offsetMs,
  }),
  object({
    kind: fc.constant('aggregate' as const),
    operation: fc.constantFrom('sum' as const, 'avg', 'min', 'max', 'count_distinct'),
    by,
    selector: anySelector,
    unwrap: anyText,
    quantile: fc.constant(undefined),
    offsetMs,
  }),
  object({
    kind: fc.constant('aggregate' as const),
    operation: fc.constant('quantile' as const),
    by,
    selector: anySelector,
    unwrap: anyText,
    quantile: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    offsetMs,
  }),
)

const anyGrouping: fc.Arbitrary<Grouping> = object({
  mode: fc.constantFrom('by' as const, 'without' as const),
  labels: fc.uniqueArray(anyText, { minLength: 1, maxLength: 3 }),
})

const rangeParts = {
  kind: fc.constant('range' as const),
  grouping: fc.option(anyGrouping, { nil: undefined }),
  selector: anySelector,
  rangeMs: fc.oneof(fc.constantFrom(1, 300_000), fc.integer({ min: 1, max: 10 ** 12 })),
  offsetMs,
}

const anyRange: fc.Arbitrary<RangeAggregate> = fc.oneof(
  object({
    ...rangeParts,
    operation: fc.constantFrom('count_over_time' as const, 'rate', 'bytes_over_time', 'bytes_rate'),
  }),
  object({
    ...rangeParts,
    operation: fc.constantFrom('sum_over_time' as const, 'avg_over_time', 'max_over_time'),
    unwrap: anyText,
  }),
  object({
    ...rangeParts,
    operation: fc.constant('quantile_over_time' as const),
    unwrap: anyText,
    quantile: fc.constantFrom(0, 0.5, 1),
  }),
)

const anyNumber: fc.Arbitrary<NumberLiteral> = object({
  kind: fc.constant('number' as const),
  value: fc.oneof(fc.double().map(Math.abs), fc.nat(), fc.constantFrom(0, 1, 2)),
})

const operators = [
  ...(['+', '-', '*', '/', '%', '^'] as const),
  ...(['==', '!=', '<', '<=', '>', '>='] as const),
]
const isComparison = (operator: string) => /[=<>]/.test(operator)

const aggregations = ['sum', 'avg', 'min', 'max', 'count', 'stddev', 'stdvar'] as const

/** A number in the place of what is none. */
const scalarOf = (operand: Expression): Expression =>
  isScalar(operand) ? operand : { kind: 'number', value: 1 }

/** Trees of operators and rankings over `leaf`, with at most 16 leaves. */
export function operatorsOver(
  leaf: fc.Arbitrary<Expression>,
  rankings: {
    k: fc.Arbitrary<number>
    by: fc.Arbitrary<string[]>
    grouping: fc.Arbitrary<Grouping>
  },
): fc.Arbitrary<Expression> {
  return fc.letrec<{ expression: Expression; binary: Binary }>(tie => ({
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'max', depthIdentifier: 'expression' },
      leaf,
      tie('binary'),
      object({ kind: fc.constant('negation' as const), operand: tie('expression') }),
      tie('expression').map(operand => ({ kind: 'vector' as const, operand: scalarOf(operand) })),
      fc
        .tuple(tie('expression'), leaf)
        .filter(operands => !operands.every(isScalar))
        .chain(([operand, other]) =>
          object({
            kind: fc.constant('aggregation' as const),
            operation: fc.constantFrom(...aggregations),
            grouping: rankings.grouping,
            operand: fc.constant(isScalar(operand) ? other : operand),
          }),
        ),
      fc
        .tuple(tie('expression'), leaf)
        .filter(operands => !operands.every(isScalar))
        .chain(([operand, other]) =>
          object({
            kind: fc.constant('ranking' as const),
            operation: fc.constantFrom('topk' as const, 'bottomk'),
            k: rankings.k,
            by: rankings.by,
            operand: fc.constant(isScalar(operand) ? other : operand),
          }),
        ),
    ),
    binary: object({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...operators),
      isBool: fc.boolean(),
      left: tie('expression'),
      right: tie('expression'),
    }).map(made => ({
      ...made,
      isBool:
        isComparison(made.operator) &&
        (made.isBool || (isScalar(made.left) && isScalar(made.right))),
    })),
  })).expression
}

export const anyExpression = operatorsOver(fc.oneof(anyNumber, anyAggregate, anyRange), {
  k: fc.integer({ min: 1, max: limits.queryRankMax }),
  by,
  grouping: fc.oneof(anyGrouping, fc.constant({ mode: 'by' as const, labels: [] })),
})

/** Operators over small numbers only: their text has no parentheses but those of the tree. */
export const anyOperators = fc.letrec<{ expression: Expression; binary: Binary }>(tie => ({
  expression: fc.oneof(
    { maxDepth: 5, depthSize: 'max', depthIdentifier: 'operators' },
    object({ kind: fc.constant('number' as const), value: fc.nat({ max: 9 }) }),
    tie('binary'),
    object({ kind: fc.constant('negation' as const), operand: tie('expression') }),
  ),
  binary: fc
    .record({
      operator: fc.constantFrom(...operators),
      left: tie('expression'),
      right: tie('expression'),
    })
    .map(({ operator, left, right }) => ({
      kind: 'binary',
      operator,
      isBool: isComparison(operator),
      left,
      right,
    })),
})).expression

export const anyQuery: fc.Arbitrary<Query> = fc.oneof(anySelector, anyExpression)
