/**
 * Texts of queries, right and wrong. A query parses, and then prints as a text that parses to the same
 * tree, or is refused with one of the codes for queries and, where it is a matter of syntax, a place.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../bench/random.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'
import { orProblem, ProblemError } from '../../src/problems.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const labels = ['service.name', 'a', 'log_level', '"a b"', '""', 'a-b', '__proto__', 'by', 'é']
const strings = ['"x"', "'y'", '`z`', '""', '"\\u00e9\\n"', '"$a"', `"\${b}"`, '"😀"', '`\\d`']
const patterns = ['"a+"', '`[a-z]{2,5}`', '"(?i)x|y"', '"(a+)+$"', '`\\pL`', '"(?:"', '"a{1001}"']
const numbers = ['1', '0.5', '1e3', '0x1F', 'Inf', 'NaN', '-1', '1e400', '007']
const operators = ['+', '-', '*', '/', '%', '^', '==', '!=', '<', '<=', '>', '>=', '== bool']
const words = [
  ...labels,
  ...strings,
  ...patterns,
  ...numbers,
  ...operators,
  ...[
    'logs',
    'logs{',
    '}',
    '(',
    ')',
    ',',
    '|=',
    '!=',
    '|~',
    '!~',
    '=~',
    '=',
    'count(',
    'by (',
    ' ',
  ],
  ...['| unwrap ms', 'offset 1h', 'topk(2,', '"', "'", '`', '\\', '\xff', '\0', '((((((((', '#'],
]

/** Tokens below this depth only: trees stay small, and their number is large. */
const depthMax = 4

export const queries: FuzzTarget = {
  tryOne(random) {
    const whole = random.below(5) === 0 ? selector(random) : expression(random, 0)
    const text =
      random.below(2) === 0 ? whole : mutate(Buffer.from(whole), random, words).toString('utf8')
    const query = orProblem(() => parseQuery(text))
    if (query instanceof ProblemError) {
      const { code, extras } = query
      assert.ok(['query_syntax', 'query_regex', 'query_too_large'].includes(code), code)
      if (code === 'query_syntax') {
        const offset = extras.position?.offset ?? -1
        assert.ok(offset >= 0 && offset <= text.length, `the place of the mistake is ${offset}`)
      }
      return
    }
    const printed = printQuery(query)
    assert.ok(isDeepStrictEqual(parseQuery(printed), query), `${text} prints as ${printed}`)
    assert.equal(printQuery(parseQuery(printed)), printed)
  },
}

function expression(random: Random, depth: number): string {
  const kind = random.below(depth >= depthMax ? 4 : 14)
  if (kind < 2) return random.pick(numbers)
  if (kind < 4) return aggregate(random)
  if (kind === 4) return `-${expression(random, depth + 1)}`
  if (kind === 5) {
    const ranking = `${random.pick(['topk', 'bottomk'])}(${random.pick(['1', '10', '0'])}`
    return `${ranking}, ${expression(random, depth + 1)})${by(random)}`
  }
  const [left, right] = [expression(random, depth + 1), expression(random, depth + 1)]
  const both = `${left} ${random.pick(operators)} ${right}`
  return kind < 10 ? both : `(${both})`
}

function aggregate(random: Random): string {
  const offset = random.below(6) === 0 ? ` offset ${random.pick(['1h', '90m', '1d12h', '0s'])}` : ''
  const unwrap = ` | unwrap ${random.pick(labels)}`
  const operation = random.pick(['count', 'rate', 'sum', 'avg', 'min', 'max', 'quantile'])
  const first = operation === 'quantile' ? `${random.pick(['0.5', '1', '2'])}, ` : ''
  const wraps = operation !== 'count' && operation !== 'rate'
  return `${operation}${by(random)}(${first}${selector(random)}${wraps ? unwrap : ''}${offset})`
}

function by(random: Random): string {
  const length = random.skewedBelow(3)
  const chosen = Array.from({ length }, () => random.pick(labels))
  return length === 0 ? '' : ` by (${chosen.join(', ')}) `
}

function selector(random: Random): string {
  const matchers = Array.from({ length: random.skewedBelow(5) }, () => {
    const isPattern = random.below(3) === 0
    const operator = random.pick(isPattern ? ['=~', '!~'] : ['=', '!='])
    return `${random.pick(labels)}${operator}${random.pick(isPattern ? patterns : strings)}`
  })
  const filters = Array.from({ length: random.skewedBelow(4) }, () => {
    const isPattern = random.below(3) === 0
    const operator = random.pick(isPattern ? ['|~', '!~'] : ['|=', '!='])
    return ` ${operator} ${random.pick(isPattern ? patterns : strings)}`
  })
  return `logs${matchers.length > 0 ? `{${matchers.join(', ')}}` : ''}${filters.join('')}`
}
