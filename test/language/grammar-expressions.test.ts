import t from 'tap'
import type {
  Aggregate,
  Binary,
  Expression,
  Grouping,
  NumberLiteral,
} from '../../src/language/ast.ts'
import { parseQuery, parseSingle } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'

const number = (value: number): NumberLiteral => ({ kind: 'number', value })
const negation = (operand: Expression): Expression => ({ kind: 'negation', operand })
const binary = (
  left: Expression,
  operator: Binary['operator'],
  right: Expression,
  isBool = false,
): Binary => ({ kind: 'binary', operator, isBool, left, right })

const aggregate = (members: Partial<Aggregate>): Aggregate => ({
  kind: 'aggregate',
  operation: 'count',
  by: [],
  selector: { kind: 'selector', matchers: [], filters: [] },
  unwrap: undefined,
  quantile: undefined,
  offsetMs: 0,
  ...members,
})

t.test('a number is written as in PromQL', async t => {
  const reads = (text: string, value: number) =>
    t.strictSame(parseQuery(text), number(value), `reads ${text}`)

  reads('0', 0)
  reads('10', 10)
  reads('007', 7)
  reads('0.5', 0.5)
  reads('.5', 0.5)
  reads('5.', 5)
  reads('1e3', 1_000)
  reads('1E+3', 1_000)
  reads('1.5e-3', 0.0015)
  reads('0x1F', 31)
  reads('0Xff', 255)
  reads('Inf', Number.POSITIVE_INFINITY)
  reads('inf', Number.POSITIVE_INFINITY)
  reads('NaN', Number.NaN)
  reads('nan', Number.NaN)
  reads('+1', 1)
  reads('9007199254740993', 9_007_199_254_740_992)
  reads('1e-400', 0)
})

t.test('operators bind as in PromQL', async t => {
  const parses = (text: string, expected: Expression) =>
    t.strictSame(parseQuery(text), expected, `parses ${text}`)
  const [one, two, three] = [number(1), number(2), number(3)]

  parses('1 + 2 * 3', binary(one, '+', binary(two, '*', three)))
  parses('1 * 2 + 3', binary(binary(one, '*', two), '+', three))
  parses('1-2-3', binary(binary(one, '-', two), '-', three))
  parses('1 / 2 % 3', binary(binary(one, '/', two), '%', three))
  parses('2 ^ 3 ^ 2', binary(two, '^', binary(three, '^', two)))
  parses('2 * 3 ^ 2', binary(two, '*', binary(three, '^', two)))
  parses('2 ^ 3 * 2', binary(binary(two, '^', three), '*', two))
  parses('-1 ^ 2', negation(binary(one, '^', two)))
  parses('2 ^ -1', binary(two, '^', negation(one)))
  parses('2 ^ -1 ^ 2 * 3', binary(binary(two, '^', negation(binary(one, '^', two))), '*', three))
  parses('-1 * 2', binary(negation(one), '*', two))
  parses('1 - -2', binary(one, '-', negation(two)))
  parses('--1', negation(negation(one)))
  parses('-+-1', negation(negation(one)))
  parses('1 + 2 == bool 3', binary(binary(one, '+', two), '==', three, true))
  parses('1 <bool 2 >=bool 3', binary(binary(one, '<', two, true), '>=', three, true))
  parses('(1 + 2) * 3', binary(binary(one, '+', two), '*', three))
  parses('((1))', one)
  parses('1 - (2 - 3)', binary(one, '-', binary(two, '-', three)))
  for (const operator of ['==', '!=', '<', '<=', '>', '>='] as const) {
    parses(`count(logs)${operator}1`, binary(aggregate({}), operator, one))
    parses(`1${operator}bool 1`, binary(one, operator, one, true))
  }
})

t.test('an aggregate names its operation, attribute, grouping and offset', async t => {
  const parses = (text: string, members: Partial<Aggregate>) =>
    t.strictSame(parseQuery(text), aggregate(members), `parses ${text}`)

  parses('rate(logs)', { operation: 'rate' })
  for (const operation of ['sum', 'avg', 'min', 'max', 'count_distinct'] as const) {
    parses(`${operation}(logs | unwrap ms)`, { operation, unwrap: 'ms' })
  }
  parses('quantile(0.95, logs|unwrap ms)', { operation: 'quantile', quantile: 0.95, unwrap: 'ms' })
  parses('quantile by (a) (1, logs | unwrap ms)', {
    operation: 'quantile',
    quantile: 1,
    by: ['a'],
    unwrap: 'ms',
  })
  parses('sum(logs | unwrap "a b") by (c)', { operation: 'sum', unwrap: 'a b', by: ['c'] })
  parses('sum(logs | unwrap http.ms/s offset 1d)', {
    operation: 'sum',
    unwrap: 'http.ms/s',
    offsetMs: 86_400_000,
  })
  parses('sum(logs | unwrap unwrap offset 1s)', {
    operation: 'sum',
    unwrap: 'unwrap',
    offsetMs: 1_000,
  })
  parses('max(logs | unwrap offset)', { operation: 'max', unwrap: 'offset' })
  parses('count by (offset, bool, topk, sum) (logs)', { by: ['offset', 'bool', 'topk', 'sum'] })
  parses('sum(logs{offset="1"} |= "x" | unwrap bool)', {
    operation: 'sum',
    unwrap: 'bool',
    selector: {
      kind: 'selector',
      matchers: [{ label: 'offset', operator: '=', value: '1' }],
      filters: [{ operator: '|=', text: 'x' }],
    },
  })
})

t.test('a duration is written as in Prometheus', async t => {
  const reads = (text: string, ms: number) =>
    t.strictSame(parseQuery(`count(logs offset ${text})`), aggregate({ offsetMs: ms }), text)

  reads('0s', 0)
  reads('5ms', 5)
  reads('90s', 90_000)
  reads('1h30m', 5_400_000)
  reads('1m5ms', 60_005)
  reads('1d', 86_400_000)
  reads('2w', 14 * 86_400_000)
  reads('1y', 365 * 86_400_000)
  reads('1y2w3d4h5m6s7ms', 33_019_506_007)
  reads('100y', 100 * 365 * 86_400_000)
})

const noLabels: Grouping = { mode: 'by', labels: [] }

t.test('a ranking takes any expression that has series', async t => {
  const parses = (text: string, expected: Expression) =>
    t.strictSame(parseQuery(text), expected, `parses ${text}`)
  const ranking = { kind: 'ranking', operation: 'topk', k: 3, grouping: noLabels } as const
  const counted = aggregate({ by: ['a'] })

  parses('topk(3, count by (a) (logs))', { ...ranking, operand: counted })
  parses('bottomk(3, count by (a) (logs))', {
    ...ranking,
    operation: 'bottomk',
    operand: counted,
  })
  parses('topk by (b) (3, -count by (a) (logs))', {
    ...ranking,
    grouping: { mode: 'by', labels: ['b'] },
    operand: negation(counted),
  })
  parses('topk(3, 1 + count by (a) (logs)) by (b)', {
    ...ranking,
    grouping: { mode: 'by', labels: ['b'] },
    operand: binary(number(1), '+', counted),
  })
  parses('topk(3, topk(3, count by (a) (logs)))', {
    ...ranking,
    operand: { ...ranking, operand: counted },
  })
  parses(
    'topk(3.0, count by (a) (logs)) > 1',
    binary({ ...ranking, operand: counted }, '>', number(1)),
  )
})

t.test('parseSingle gives the one selector of a query, and its offset', async t => {
  const gives = (text: string, selector: string, offsetMs = 0) => {
    const single = parseSingle(text)
    t.strictSame(single.query, parseQuery(text), text)
    t.strictSame([printQuery(single.selector), single.offsetMs], [selector, offsetMs], text)
  }

  gives('logs{a="b"}', 'logs{a="b"}')
  gives('count(logs{a="b"} offset 1h)', 'logs{a="b"}', 3_600_000)
  gives('topk(3, -count by (a) (logs |= "x")) * 2 > 1', 'logs |= "x"')
  gives('sum(logs | unwrap a) / count(logs{})', 'logs')
})

t.test('parseSingle refuses several selectors, and none, where they stand', async t => {
  const refuses = (text: string, offset: number) =>
    t.throws(
      () => parseSingle(text),
      {
        code: 'query_syntax',
        extras: { position: { offset }, members: { expected: ['one selector'] } },
      },
      `refuses ${text}`,
    )

  refuses(' 1 + 1', 1)
  refuses('count(logs{a="b"}) / count(logs)', 27)
  refuses('count(logs) - count(logs offset 1d)', 20)
  refuses('count(logs) + count(logs) + rate(logs |= "x")', 33)
})
