/** Random queries of every kind, as trees: all that the grammar can make, and nothing else. */

import fc from 'fast-check'
import {
  type Aggregate,
  type Binary,
  type Conditions,
  type Expression,
  type Grouping,
  isScalar,
  type Matcher,
  type Matching,
  type NumberLiteral,
  type Query,
  type RangeAggregate,
  type Selector,
} from '../../src/language/ast.ts'
import { limits } from '../../src/limits.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { arbitrarySelector, object } from './plain.ts'
import { anyStages } from './stages/any-stages.ts'

/** Labels and texts without bounds: quotes, backslashes, control characters, any script, empty. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 12 }),
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

const anyMatcher: fc.Arbitrary<Matcher> = fc.oneof(
  object({ label: anyText, operator: fc.constantFrom('=' as const, '!='), value: anyText }),
  object({
    label: anyText,
    operator: fc.constantFrom('in' as const, 'not in'),
    values: fc.array(anyText, { minLength: 1, maxLength: 3 }),
  }),
  object({
    label: anyText,
    operator: fc.constantFrom('==' as const, '!=', '<', '>='),
    text: fc.constant('-1.5e3'),
    unit: fc.constant('number' as const),
    value: fc.constant(-1.5e3),
  }),
)

const anyConditions: fc.Arbitrary<Conditions> = fc
  .tuple(
    fc.array(anyMatcher, { maxLength: 4 }),
    fc.array(object({ operator: fc.constantFrom('|=' as const, '!='), text: anyText }), {
      maxLength: 4,
    }),
    fc.array(object({ text: anyText, isNegated: fc.boolean() }), { maxLength: 2 }),
  )
  .map(([matchers, filters, searches]) => ({
    matchers,
    filters,
    ...(searches.length > 0 && { searches }),
  }))

const plainSelector: fc.Arbitrary<Selector> = fc
  .tuple(anyConditions, fc.array(anyConditions, { maxLength: 2 }))
  .map(([conditions, alternatives]) => ({
    kind: 'selector',
    ...conditions,
    ...(alternatives.length > 0 && { alternatives }),
  }))

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
    operation: fc.constantFrom('avg' as const, 'max'),
    by,
    selector: anySelector,
    unwrap: anyText,
    unwrapUnit: fc.constantFrom('duration' as const, 'bytes'),
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
    operation: fc.constantFrom('sum_over_time' as const, 'stddev_over_time', 'last_over_time'),
    unwrap: anyText,
  }),
  object({
    ...rangeParts,
    operation: fc.constantFrom('stdvar_over_time' as const, 'rate', 'first_over_time'),
    unwrap: anyText,
    unwrapUnit: fc.constantFrom('duration' as const, 'bytes'),
  }),
  object({
    ...rangeParts,
    operation: fc.constant('absent_over_time' as const),
    grouping: fc.constant(undefined),
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
const setOperators = ['and', 'or', 'unless'] as const
const isOfSets = (operator: string) => /^[aou]/.test(operator)
const isComparison = (operator: string) => /[=<>]/.test(operator)

const aggregations = ['sum', 'avg', 'min', 'max', 'count', 'stddev', 'stdvar'] as const

/** A number in the place of what is none. */
const scalarOf = (operand: Expression): Expression =>
  isScalar(operand) ? operand : { kind: 'number', value: 1 }

const anyMatching = (labels: fc.Arbitrary<string[]>): fc.Arbitrary<Matching> =>
  fc
    .tuple(
      fc.constantFrom('on' as const, 'ignoring'),
      labels,
      fc.constantFrom('left', 'right', ''),
      labels,
    )
    .map(([mode, labels, many, include]) => ({
      mode,
      labels,
      ...((many === 'left' || many === 'right') && { many, include }),
    }))

/** As the grammar makes an operator: what stands between numbers is none of series. */
function asGrammar(
  made: Omit<Binary, 'matching'> & { readonly matching: Matching | undefined },
): Binary {
  const { operator, isBool, matching, left, right } = made
  const scalarCount = [left, right].filter(isScalar).length
  if (scalarCount > 0) {
    const own = isOfSets(operator) ? '+' : operator
    return {
      kind: 'binary',
      operator: own,
      isBool: isComparison(own) && (isBool || scalarCount === 2),
      left,
      right,
    }
  }
  const { many: _many, include: _include, ...plain } = matching ?? { mode: 'on', labels: [] }
  const own = isOfSets(operator) ? plain : matching
  return {
    kind: 'binary',
    operator,
    isBool: isComparison(operator) && isBool,
    ...(matching && own && { matching: own }),
    left,
    right,
  }
}

/** Trees of operators and rankings over `leaf`, with at most 16 leaves. */
export function operatorsOver(
  leaf: fc.Arbitrary<Expression>,
  rankings: {
    k: fc.Arbitrary<number>
    labels: fc.Arbitrary<string[]>
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
            grouping: rankings.grouping,
            operand: fc.constant(isScalar(operand) ? other : operand),
          }),
        ),
      fc
        .tuple(tie('expression'), leaf)
        .filter(operands => !operands.every(isScalar))
        .chain(([operand, other]) =>
          fc.oneof(
            object({
              kind: fc.constant('sorting' as const),
              operation: fc.constantFrom('sort' as const, 'sort_desc'),
              operand: fc.constant(isScalar(operand) ? other : operand),
            }),
            object({
              kind: fc.constant('label_replace' as const),
              operand: fc.constant(isScalar(operand) ? other : operand),
              target: rankings.labels.map(([label = 'a']) => label),
              replacement: fc.constantFrom('', 'x', '$1', `a\${1}b$$`, `\${name}`),
              source: rankings.labels.map(([label = 'b']) => label),
              pattern: fc.constantFrom('', '(.*)', '(?P<name>x|y)', 'x'),
            }),
          ),
        ),
    ),
    binary: object({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...operators, ...setOperators),
      isBool: fc.boolean(),
      matching: fc.option(anyMatching(rankings.labels), { nil: undefined }),
      left: tie('expression'),
      right: tie('expression'),
    }).map(asGrammar),
  })).expression
}

export const anyExpression = operatorsOver(fc.oneof(anyNumber, anyAggregate, anyRange), {
  k: fc.integer({ min: 1, max: limits.queryRankMax }),
  labels: by,
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
