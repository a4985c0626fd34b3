import assert from 'node:assert/strict'
import t from 'tap'
import type { Query } from '../../src/language/ast.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'
import { forAll } from '../for-all.ts'
import { anyOperators, anyQuery } from '../query/queries.ts'

t.test('a query prints in one canonical way', async t => {
  const prints = (query: string, expected: string) =>
    t.equal(printQuery(parseQuery(query)), expected, `prints ${expected}`)

  prints('logs{}', 'logs')
  prints(' count ( logs { } ) ', 'count(logs)')
  prints('count(logs) by (a,b,)', 'count by (a, b) (logs)')
  prints("logs{ service.name = 'api' , }", 'logs{service.name="api"}')
  prints('logs|="a"!="b"', 'logs |= "a" != "b"')
  prints('logs{""="x"}', 'logs{""="x"}')
  prints('logs{"a b"="x"}', 'logs{"a b"="x"}')
  prints('logs{ключ="x"}', 'logs{"ключ"="x"}')
  prints('logs |~ "\\\\d+"', 'logs |~ `\\d+`')
  prints('logs |= "\\\\ and `"', 'logs |= "\\\\ and `"')
  prints(
    'logs{a>1.50,b in("x",),c not in("y"),d=2s}',
    'logs{a > 1.50, b in ("x"), c not in ("y"), d = 2s}',
  )
  prints('logs|="a"|search"b"-"c"or logs', 'logs | search "b" -"c" |= "a" or logs')
  prints('logs|>"a<_>"or"b"!>"c"', 'logs |> "a<_>" or "b" !> "c"')
  prints('logs |= "\\\\\\n"', 'logs |= "\\\\\\n"')
})

t.test('parentheses are printed only where the tree needs them', async t => {
  const prints = (query: string, expected = query) =>
    t.equal(printQuery(parseQuery(query)), expected, `prints ${expected}`)

  prints('1 + 2 * 3')
  prints('(1 + 2) * 3')
  prints('1 - (2 - 3)')
  prints('(1 - 2) - 3', '1 - 2 - 3')
  prints('2 ^ (3 ^ 2)', '2 ^ 3 ^ 2')
  prints('(2 ^ 3) ^ 2')
  prints('-(1 ^ 2)', '-1 ^ 2')
  prints('(-1) ^ 2')
  prints('2 ^ (-1 ^ 2)', '2 ^ -1 ^ 2')
  prints('(-1) * (-2)', '-1 * -2')
  prints('-(1 * 2)')
  prints('-(-(1))', '--1')
  prints('((count(logs)))', 'count(logs)')
  prints('1 == bool (2 == bool 3)')
  prints('(1 + 2) > bool 3', '1 + 2 > bool 3')
})

t.test('every kind of call prints in one form', async t => {
  const prints = (query: string, expected: string) =>
    t.equal(printQuery(parseQuery(query)), expected, `prints ${expected}`)

  prints('rate(logs offset 90m)by(a)', 'rate by (a) (logs offset 1h30m)')
  prints('sum(logs|="x"|unwrap"a b")', 'sum(logs |= "x" | unwrap "a b")')
  prints('quantile(.50,logs|unwrap d)by(a)', 'quantile by (a) (0.5, logs | unwrap d)')
  prints('topk(0xA,count(logs)by(a))by(b)', 'topk by (b) (10, count by (a) (logs))')
  prints('count(logs offset 0s)', 'count(logs)')
  prints(
    'count(logs)/ignoring(a,)group_right count(logs)==bool on()count(logs)',
    'count(logs) / ignoring (a) group_right () count(logs) == bool on () count(logs)',
  )
  prints(
    'count(logs)and count(logs)or count(logs)unless(count(logs)or vector(1))',
    'count(logs) and count(logs) or count(logs) unless (count(logs) or vector(1))',
  )
  prints('rate(({}|json)[10s])', 'rate({} | json[10s])')
  prints(
    'max_over_time({}[5m]offset 1m|="x"|json|unwrap bytes(d)|d!="")',
    'max_over_time({} |= "x" | json | d!="" | unwrap bytes(d) [5m] offset 1m)',
  )
  prints('sum_over_time(({}|unwrap a)[5m])', 'sum_over_time({} | unwrap a [5m])')
  prints('approx_topk(2,count(logs))', 'topk(2, count(logs))')
  prints(
    "label_replace( count(logs) , 'a' , '$1' , 'b' , '(.*)' )",
    'label_replace(count(logs), "a", "$1", "b", "(.*)")',
  )
  prints('sum(logs|unwrap duration_seconds ( a ))', 'sum(logs | unwrap duration(a))')
  prints('sum(logs|unwrap bytes("a b"))', 'sum(logs | unwrap bytes("a b"))')
  prints('sum(logs | unwrap duration)', 'sum(logs | unwrap duration)')
  prints('rate({}|unwrap bytes(a)[5m])', 'rate({} | unwrap bytes(a) [5m])')
  prints('1e21+1e-7+inf+nan', '1e+21 + 1e-7 + Inf + NaN')
})

t.test('what is printed parses to the same tree, whatever its labels and texts', async () => {
  forAll({ numRuns: 1000 }, anyQuery, query => {
    assert.deepEqual(parseQuery(printQuery(query)), query)
  })
})

t.test('no parenthesis that is printed could be left out', async () => {
  forAll(anyOperators, query => {
    const text = printQuery(query)
    for (const [open, close] of parenthesesOf(text)) {
      const inside = text.slice(open + 1, close)
      const without = `${text.slice(0, open)} ${inside} ${text.slice(close + 1)}`
      assert.notDeepEqual(parsed(without), query, `${text} could be ${without}`)
    }
  })
})

function parsed(text: string): Query | undefined {
  try {
    return parseQuery(text)
  } catch {
    return undefined // Such as two numbers that are now compared without bool.
  }
}

/** The offsets of each pair of parentheses; the text may hold no others, as in strings. */
function parenthesesOf(text: string): readonly (readonly [number, number])[] {
  const opened: number[] = []
  const pairs: [number, number][] = []
  for (let offset = 0; offset < text.length; offset++) {
    if (text[offset] === '(') opened.push(offset)
    if (text[offset] === ')') pairs.push([opened.pop()!, offset])
  }
  return pairs
}
