import t from 'tap'
import type { Matcher, Query } from '../../src/language/ast.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import type { MatchOperator } from '../../src/match/condition.ts'
import { problemOf } from '../query/problem-of.ts'

const matcher = (label: string, operator: MatchOperator, value: string): Matcher => ({
  label,
  operator,
  value,
})

t.test('a selector is the word logs with or without braces', async t => {
  const parses = (text: string, matchers: readonly Matcher[]) =>
    t.strictSame(parseQuery(text), { kind: 'selector', matchers, filters: [] }, `parses ${text}`)

  parses('logs', [])
  parses('logs{}', [])
  parses(' \n\tlogs\r\n{ } ', [])
  parses('\ufefflogs\u00a0{}', [])
  parses('logs{a="b"}', [matcher('a', '=', 'b')])
  parses('logs { a = "b" , } ', [matcher('a', '=', 'b')])
  parses('logs{a!="b",c=~"d.*",e!~"f"}', [
    matcher('a', '!=', 'b'),
    matcher('c', '=~', 'd.*'),
    matcher('e', '!~', 'f'),
  ])
  parses('logs{a="1",a="2"}', [matcher('a', '=', '1'), matcher('a', '=', '2')])
})

t.test('a label is a bare word or a string, and no word is reserved', async t => {
  const reads = (label: string, expected: string) =>
    t.strictSame(
      parseQuery(`logs{${label}!="x",${label}=~"x"}`),
      {
        kind: 'selector',
        matchers: [matcher(expected, '!=', 'x'), matcher(expected, '=~', 'x')],
        filters: [],
      },
      `reads ${label}`,
    )

  reads('service.name', 'service.name')
  reads('http://example.com:80/a-b', 'http://example.com:80/a-b')
  reads('-', '-')
  reads('0', '0')
  reads('_', '_')
  reads('ключ', 'ключ')
  reads('logs', 'logs')
  reads('count', 'count')
  reads('by', 'by')
  reads('__proto__', '__proto__')
  reads('""', '')
  reads('"a b"', 'a b')
  reads("'{base_url}'", '{base_url}')
  reads('`a"b`', 'a"b')
})

t.test('a string has three forms', async t => {
  const reads = (string: string, expected: string) =>
    t.strictSame(
      parseQuery(`logs |= ${string}`),
      { kind: 'selector', matchers: [], filters: [{ operator: '|=', text: expected }] },
      `reads ${string}`,
    )

  reads('""', '')
  reads("''", '')
  reads('``', '')
  reads('"it\'s `here`"', "it's `here`")
  reads('\'say "hi"\'', 'say "hi"')
  reads('"\\"\\\'\\\\\\/\\b\\f\\n\\r\\t"', '"\'\\/\b\f\n\r\t')
  reads("'\\'\\\"'", '\'"')
  reads('"\\u0041\\u00e9\\u00E9"', 'Aéé')
  reads('"\\uD83D\\ude00"', '😀')
  reads('"😀 日本"', '😀 日本')
  reads('`\\d+\\`', '\\d+\\')
  reads('`a\nb`', 'a\nb')
  reads('"tab\there"', 'tab\there')
  reads('"} ) , |="', '} ) , |=')
})

t.test('line filters follow the braces', async t => {
  t.strictSame(parseQuery('logs{a!="1"}|="x"!="y"|~"z"!~`w`'), {
    kind: 'selector',
    matchers: [matcher('a', '!=', '1')],
    filters: [
      { operator: '|=', text: 'x' },
      { operator: '!=', text: 'y' },
      { operator: '|~', text: 'z' },
      { operator: '!~', text: 'w' },
    ],
  })
  t.strictSame(parseQuery('logs != "x"'), {
    kind: 'selector',
    matchers: [],
    filters: [{ operator: '!=', text: 'x' }],
  })
})

t.test('count takes a selector, and groups before or after it', async t => {
  const counts = (text: string, by: readonly string[]) =>
    t.strictSame(
      parseQuery(text),
      {
        kind: 'aggregate',
        operation: 'count',
        by,
        selector: { kind: 'selector', matchers: [], filters: [] },
        unwrap: undefined,
        quantile: undefined,
        offsetMs: 0,
      } satisfies Query,
      `parses ${text}`,
    )

  counts('count(logs)', [])
  counts('count (logs)', [])
  counts('count\n(\nlogs{}\n)\n', [])
  counts('count by (a) (logs)', ['a'])
  counts('count by(a,b)(logs)', ['a', 'b'])
  counts('count(logs)by(a)', ['a'])
  counts('count(logs) by (a, "b c", )', ['a', 'b c'])
  counts('count by ("") (logs)', [''])
  counts('count by (by, count, logs, service.name) (logs)', ['by', 'count', 'logs', 'service.name'])
  counts('count by (a, b, a) (logs)', ['a', 'b'])
})

t.test('comments are white space, but not in strings', async t => {
  const same = (commented: string, plain: string) =>
    t.same(parseQuery(commented), parseQuery(plain), commented)
  same('{a="#"} # it\'s "all"', '{a="#"}')
  same(
    '# what fails\n{a="b"}\n  | json\n  # this line, too\n  | c="#" # at the end',
    '{a="b"} | json | c="#"',
  )
  same('count by (a) ( # of all\r\n logs |= `# no` # none\n)', 'count by (a) (logs |= `# no`)')
  same('error #123', 'logs | search "error" "#123"')
  t.match(problemOf('logs{a="b" # , c="d"}').extras, { position: { offset: 10 } })
  t.match(problemOf('# "\nlogs{a=b}').extras, { position: { line: 2, column: 8 } })
})

t.test('a space between conditions is and', async t => {
  for (const [spaced, joined] of [
    ['a=1 b="x"', 'a=1 and b="x"'],
    ['a > 1s b.c!="x" "d e"=~"y" `f` < 2', 'a > 1s and b.c!="x" and "d e"=~"y" and f < 2'],
    ['a=1 (b=2 or c=3) not d=4 not (e=5)', 'a=1 and (b=2 or c=3) and not d=4 and not (e=5)'],
    ['a=1 or b=2 c=3 or d=4', 'a=1 or b=2 and c=3 or d=4'],
    ['a=1, b=2 c=3', 'a=1 and b=2 and c=3'],
    ['a=1 not=2 order=3', 'a=1 and "not"=2 and order=3'],
    ['a=ip("::1") b!=ip("::2")', 'a=ip("::1") and b!=ip("::2")'],
    ['a=1 $b=2', 'a=1 and $b=2'],
  ] as const) {
    const read = (text: string) => parseQuery(`{} | ${text}`, { b: 'l' })
    t.same(read(spaced), read(joined), spaced)
  }
  for (const [query, offset] of [
    ['{} | a=1 b', 9],
    ['{} | a=1 "text"', 9],
    ['{} | a=1 or=2', 11],
    ['{} | a=1 b c=2', 9],
    ['{} | json b=1', 12],
  ] as const) {
    t.match(problemOf(query).extras, { position: { offset } }, query)
  }
  t.match(parseQuery('count(logs | a=1 offset 5m)'), { offsetMs: 300_000 })
})
