import t from 'tap'
import { parseQuery } from '../../src/language/grammar.ts'
import { limits } from '../../src/limits.ts'
import { problemOf } from '../query/problem-of.ts'

t.test('a syntax error says where, what was expected and what came', async t => {
  const refuses = (text: string, place: string, expected: readonly string[], found: string) => {
    const { code, extras } = problemOf(text)
    const { line, column } = extras.position!
    t.strictSame(
      { code, place: `${line}:${column}`, members: extras.members },
      { code: 'query_syntax', place, members: { expected, found } },
      `refuses ${text}`,
    )
  }
  const filters = ['a stage', '"|="', '"!="', '"|~"', '"!~"']
  const textOperators = ['"="', '"!="', '"=~"', '"!~"']
  const operators = [...textOperators, 'a comparison', '"in"']
  const operand = ['an operation', 'a number', '"("', '"-"']
  const anything = ['"logs"', ...operand]

  refuses('', '1:1', anything, 'end of query')
  refuses(' \n ', '1:1', anything, 'end of query')
  refuses('{a="b"} x', '1:9', [...filters, '"or"', 'end of query'], 'x')
  refuses('x=', '1:1', anything, 'x')
  refuses('logs x', '1:6', ['"{"', ...filters, '"or"', 'end of query'], 'x')
  refuses('logs{', '1:6', ['a label', '"}"'], 'end of query')
  refuses('logs{,}', '1:6', ['a label', '"}"'], ',')
  refuses('logs{a="b",,}', '1:12', ['a label', '"}"'], ',')
  refuses('logs{a}', '1:7', operators, '}')
  refuses('logs{a=="b"}', '1:7', operators, '==')
  refuses('logs{a=!"b"}', '1:8', ['a string'], '!')
  refuses('logs{a=b}', '1:8', ['a string'], 'b')
  refuses('logs{a="b" c="d"}', '1:12', ['"}"', '","'], 'c')
  refuses('logs{a="b"', '1:11', ['"}"', '","'], 'end of query')
  refuses('logs{a="b"}}', '1:12', [...filters, '"or"', 'end of query'], '}')
  refuses('logs |=', '1:8', ['a string'], 'end of query')
  refuses('logs |', '1:7', ['a label', 'a stage', '"("', '"not"'], 'end of query')
  const compared = [...textOperators, '"=="', '">"']
  refuses('logs | "x"', '1:11', compared, 'end of query')
  refuses('logs | a > x', '1:12', ['a number'], 'x')
  refuses('logs | a > 1 and', '1:17', ['a label', '"("', '"not"'], 'end of query')
  refuses('logs | (a > 1', '1:14', ['")"', '","', '"or"', '"and"'], 'end of query')
  refuses('logs | pattern', '1:15', ['a string', ...compared], 'end of query')
  refuses('logs | line_format x', '1:20', ['a string', ...compared], 'x')
  refuses('logs | label_format a', '1:22', ['"="'], 'end of query')
  refuses('count', '1:6', ['"("', '"by"'], 'end of query')
  refuses('count()', '1:7', anything, ')')
  refuses('rate(count(logs))', '1:6', ['"logs"'], 'count')
  refuses('count(logs{}', '1:13', ['")"', ...filters, '"offset"', '"or"'], 'end of query')
  refuses('count by () (logs)', '1:11', ['a label'], ')')
  refuses('count by (a) (logs) by (b)', '1:21', ['an operator', 'end of query'], 'by')
  refuses('count(logs) +', '1:14', operand, 'end of query')
  refuses('count(logs) = 1', '1:13', ['"by"', 'an operator', 'end of query'], '=')
  refuses('1 2', '1:3', ['an operator', 'end of query'], '2')
  refuses('1x', '1:1', anything, '1x')
  refuses('0x', '1:1', anything, '0x')
  refuses('1e', '1:1', anything, '1e')
  refuses('1.2.3', '1:1', anything, '1.2.3')
  refuses('(1', '1:3', ['")"', 'an operator'], 'end of query')
  refuses('1 + bool 2', '1:5', operand, 'bool')
  refuses('1 === 2', '1:3', ['an operator', 'end of query'], '===')
  refuses('1 == bool', '1:10', operand, 'end of query')
  refuses('logs + 1', '1:6', ['"{"', ...filters, '"or"', 'end of query'], '+')
  refuses('1 + logs', '1:5', operand, 'logs')
  refuses('(logs)', '1:2', operand, 'logs')
  refuses('-logs', '1:2', operand, 'logs')
  refuses('topk(1, logs)', '1:9', operand, 'logs')
  refuses('topk(logs)', '1:6', ['a whole number'], 'logs')
  refuses('topk(1)', '1:7', ['","'], ')')
  refuses('quantile(logs | unwrap a)', '1:10', ['a number from 0 to 1'], 'logs')
  refuses('avg(logs)', '1:9', ['"{"', ...filters, '"|"', '"or"'], ')')
  refuses('rate(logs[5m)', '1:13', ['"]"'], ')')
  refuses('count_over_time({})', '1:19', [...filters, '"["', '"or"'], ')')
  refuses('rate({} | unwrap a)', '1:19', ['a stage', '"["'], ')')
  refuses('count(logs) / on count(logs)', '1:18', ['"("'], 'count')
  refuses('count(logs) / on (a) group_left(', '1:33', ['a label', '")"'], 'end of query')
  refuses('sort(logs)', '1:6', operand, 'logs')
  refuses('label_replace(count(logs), "a")', '1:31', ['","'], ')')
  refuses('last_over_time({} | unwrap bytes(a', '1:35', ['")"'], 'end of query')
  refuses('absent_over_time({}[5m]) by (a)', '1:26', ['no grouping'], 'by')
  refuses('count_over_time({}[])', '1:20', ['a duration'], ']')
  refuses('logs |= "a" or', '1:15', ['a string', '"logs"'], 'end of query')
  refuses('logs |= "a" x', '1:13', [...filters, '"or"', 'end of query'], 'x')
  refuses('stddev(logs)', '1:8', operand, 'logs')
  refuses('vector()', '1:8', operand, ')')
  refuses('sum(logs | by)', '1:14', compared, ')')
  refuses('sum(logs | unwrap)', '1:18', ['a label'], ')')
  refuses('sum(logs | unwrap a | unwrap b)', '1:21', ['")"', '"offset"'], '|')
  refuses('sum(logs | unwrap a != "x")', '1:21', ['")"', '"offset"'], '!=')
  refuses('count(logs | unwrap a)', '1:12', ['")"', '"{"', ...filters, '"offset"', '"or"'], '|')
  refuses('logs | unwrap a', '1:6', ['"{"', ...filters, '"or"', 'end of query'], '|')
  refuses('logs offset 1h', '1:6', ['"{"', ...filters, '"or"', 'end of query'], 'offset')
  refuses('count(logs) offset 1h', '1:13', ['"by"', 'an operator', 'end of query'], 'offset')
  refuses('count(logs offset)', '1:18', ['a duration'], ')')
  refuses('count(logs offset -1h)', '1:19', ['a duration'], '-1h')
  refuses('count(logs offset 1h offset 1h)', '1:22', ['")"'], 'offset')
  refuses('logs\n{\r\n  a = "b"\r  ; }', '4:3', ['"}"', '","'], ';')
  refuses('logs{"😀"="x" "}', '1:15', ['"}"', '","'], '"}')
  refuses(
    'logs "long text that goes on and on, and on',
    '1:6',
    ['"{"', ...filters, '"or"', 'end of query'],
    '"long text that goes on and on, and on',
  )
})

t.test('a mistake inside a string is reported where it is', async t => {
  const refuses = (text: string, offset: number, found: string) => {
    const { code, extras } = problemOf(text)
    t.strictSame(
      { code, offset: extras.position!.offset, found: extras.members!.found },
      { code: 'query_syntax', offset, found },
      `refuses ${text}`,
    )
  }

  refuses('logs |= "abc', 8, 'end of query')
  refuses('logs |= \'abc"', 8, 'end of query')
  refuses('logs |= `abc', 8, 'end of query')
  refuses('logs |= `abc\n\n', 8, 'end of query')
  refuses('logs |= "abc\n', 8, 'line break')
  refuses('logs |= "abc\rdef"', 8, 'line break')
  refuses('logs |= "abc\\', 8, 'end of query')
  refuses('logs |= "abc\\\n"', 12, '\\\n')
  refuses('logs |= "abc\\"', 8, 'end of query')
  refuses('logs |= "\\d+"', 9, '\\d')
  refuses('logs |= "ab\\😀"', 11, '\\😀')
  refuses('logs |= "\\u12"', 9, '\\u12')
  refuses('logs |= "\\u{41}"', 9, '\\u{41}')
  refuses('logs |= "\\ud83d"', 9, '\\ud83d')
  refuses('logs |= "\\ude00\\ud83d"', 9, '\\ude00')
  refuses('logs |= "\\ud83d\\ud83d\\ude00"', 9, '\\ud83d')
  refuses('logs |= "\\ud83d\\u0041"', 9, '\\ud83d')
  refuses('logs |= "\\ud83dx"', 9, '\\ud83d')
  refuses('logs |= "\ud83d"', 9, '\ud83d')
  refuses('\ude00', 0, '\ude00')
})

t.test('a regular expression that cannot be used is refused at its string', async t => {
  const refuses = (text: string, offset: number) => {
    const { code, extras } = problemOf(text)
    t.strictSame([code, extras.position?.offset], ['query_regex', offset], `refuses ${text}`)
  }

  refuses('logs{a=~"("}', 8)
  refuses('logs{b="(",a!~"("}', 14)
  refuses('logs |~ "("', 8)
  refuses('logs !~ "("', 8)
  refuses('count(logs{a=~`(?=x)`})', 14)
  t.doesNotThrow(
    () => parseQuery('logs{a="(",b!="("} |= "(" != "("'),
    'other strings may be anything',
  )
})

t.test('what is written right but means nothing is refused where it stands', async t => {
  const refuses = (text: string, place: number, expected: string, found: string) => {
    const { code, extras } = problemOf(text)
    t.strictSame(
      { code, offset: extras.position!.offset, members: extras.members },
      { code: 'query_syntax', offset: place, members: { expected: [expected], found } },
      `refuses ${text}`,
    )
  }
  const rank = 'a whole number from 1 to 1000'
  const fraction = 'a number from 0 to 1'

  refuses('1 == 2', 2, '"== bool"', '==')
  refuses('(1 + 1) <= -(2)', 8, '"<= bool"', '<=')
  refuses('count(logs) > (1 > 2)', 17, '"> bool"', '>')
  refuses('topk(0, count(logs))', 5, rank, '0')
  refuses('topk(1001, count(logs))', 5, rank, '1001')
  refuses('bottomk(1.5, count(logs))', 8, rank, '1.5')
  refuses('topk(inf, count(logs))', 5, rank, 'inf')
  refuses('topk(nan, count(logs))', 5, rank, 'nan')
  refuses('topk(1, 1 + 1)', 8, 'series', 'a number')
  refuses('quantile(1.01, logs | unwrap a)', 9, fraction, '1.01')
  refuses('quantile(nan, logs | unwrap a)', 9, fraction, 'nan')
  refuses('sum(1)', 4, 'series', 'a number')
  refuses('vector(rate(logs[5m]))', 7, 'a number', 'series')
  const path = 'a path such as a.b[0]["c d"]'
  refuses('logs | json a="b..c"', 14, path, 'b..c')
  refuses('logs | regexp "x"', 14, 'an expression with a named group, (?P<name>…)', 'x')
  refuses('logs | pattern "x"', 15, 'a pattern with a capture, such as <name>', 'x')
  refuses('logs | pattern "<a><b>"', 15, 'a pattern with a text between two captures', '<a><b>')
  refuses(
    'logs | line_format "{{.a"',
    19,
    'a template such as {{.label}} {{.other | ToUpper}}',
    '{{.a',
  )
  refuses('logs | line_format "{{if .a}}"', 19, 'a template with an end for each if', '{{if .a}}')
  refuses(
    'logs | line_format "{{exec .a}}"',
    19,
    'a template without the function exec',
    '{{exec .a}}',
  )
  refuses('logs | a > 12xx', 11, 'a number such as 12, 1.5s or 10KB', '12xx')
  refuses('rate({}[0s])', 8, 'a duration of at least 1ms', '0s')
  refuses('sum without (a) (logs)', 4, '"by"', 'without')
  refuses('{} |> "a <b> c"', 6, 'a pattern with <_> only', '<b>')
  refuses('{} !> "a" or "b<_><_>"', 13, 'a text between two <_>', '<_><_>')
  refuses('1 or count(logs)', 2, 'series', 'a number')
  refuses('count(logs) + on (a) 1', 14, 'series', 'a number')
  refuses('count(logs) and on (a) group_left (b) count(logs)', 16, 'no group_left', 'group_left')
  refuses('sort_desc(1 + 1)', 10, 'series', 'a number')
  refuses('label_replace(2, "a", "b", "c", "d")', 14, 'series', 'a number')
  refuses('1 + 1e999', 4, 'a number', '1e999')
  refuses('count(logs offset 5)', 18, 'a duration such as 1h30m', '5')
  refuses('count(logs offset 1x)', 18, 'a duration such as 1h30m', '1x')
  refuses('count(logs offset 1m1h)', 18, 'a duration such as 1h30m', '1m1h')
  refuses('count(logs offset 1.5h)', 18, 'a duration such as 1h30m', '1.5h')
  refuses('count(logs offset 101y)', 18, 'a duration of at most 100y', '101y')
  refuses(
    'count(logs offset 9999999999999999999999s)',
    18,
    'a duration of at most 100y',
    '9999999999999999999999s',
  )
})

t.test('a query over a limit is refused, and one at the limit is not', async t => {
  const { queryLengthMax, queryTermsMax, queryGroupLabelsMax, queryPatternsMax } = limits
  const bounds = (text: (count: number) => string, max: number, claim: string) => {
    t.doesNotThrow(() => parseQuery(text(max)), `takes ${max} ${claim}`)
    const { code, extras } = problemOf(text(max + 1))
    t.equal(code, 'query_too_large', `refuses ${max + 1} ${claim}`)
    t.type(extras.position?.offset, 'number', 'and says where')
  }
  const list = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(',')

  bounds(count => 'logs'.padEnd(count), queryLengthMax, 'characters')
  bounds(count => `logs{${list(count, () => 'a=""')}}`, queryTermsMax, 'matchers')
  bounds(count => `logs${'|=""'.repeat(count)}`, queryTermsMax, 'line filters')
  bounds(count => `logs{a=""}${'|=""'.repeat(count - 1)}`, queryTermsMax, 'terms')
  const { queryStagesMax } = limits
  bounds(count => `logs${'| json'.repeat(count)}`, queryStagesMax, 'stages')
  bounds(
    count => `count(logs)by(${list(count, index => `a${index}`)})`,
    queryGroupLabelsMax,
    'labels',
  )
  bounds(count => `logs{${list(count, () => 'a=~"x"')}}`, queryPatternsMax, 'expressions')
  const { queryNestingMax, queryOperatorsMax, queryAggregatesMax } = limits
  const sum = (count: number, term: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => term(index)).join('+')
  bounds(count => `${'('.repeat(count)}1${')'.repeat(count)}`, queryNestingMax, 'parentheses')
  bounds(
    count => `${'topk(1,'.repeat(count)}count(logs)${')'.repeat(count)}`,
    queryNestingMax,
    'rankings',
  )
  for (const operator of ['+', '^', '== bool', '*']) {
    bounds(count => `1${` ${operator} 1`.repeat(count)}`, queryOperatorsMax, operator)
  }
  bounds(count => `${'-'.repeat(count)}1`, queryOperatorsMax, 'signs')
  bounds(count => sum(count, () => 'count(logs)'), queryAggregatesMax, 'aggregates')
  bounds(
    count => `count(logs) + count(logs{a=""}${'|=""'.repeat(count - 1)})`,
    queryTermsMax,
    'terms of several selectors',
  )
  bounds(
    count => `logs${'|~"(ab{1000}){1}"'.repeat(count)}`,
    19,
    'expressions of 1006 instructions',
  )
})
