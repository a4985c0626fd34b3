import t from 'tap'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'
import { parseQuery } from '../../src/query/grammar.ts'

function problemOf(text: string): ProblemError {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof ProblemError) {
      return error
    }
    throw error
  }
  throw new Error(`was not refused: ${text}`)
}

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
  const filters = ['"|="', '"!="', '"|~"', '"!~"']
  const operators = ['"="', '"!="', '"=~"', '"!~"']

  refuses('', '1:1', ['"logs"', '"count"'], 'end of query')
  refuses(' \n ', '1:1', ['"logs"', '"count"'], 'end of query')
  refuses('{a="b"}', '1:1', ['"logs"', '"count"'], '{')
  refuses('logsx', '1:1', ['"logs"', '"count"'], 'logsx')
  refuses('logs x', '1:6', ['"{"', ...filters, 'end of query'], 'x')
  refuses('logs{', '1:6', ['a label', '"}"'], 'end of query')
  refuses('logs{,}', '1:6', ['a label', '"}"'], ',')
  refuses('logs{a="b",,}', '1:12', ['a label', '"}"'], ',')
  refuses('logs{a}', '1:7', operators, '}')
  refuses('logs{a=="b"}', '1:7', operators, '==')
  refuses('logs{a=!"b"}', '1:8', ['a string'], '!')
  refuses('logs{a=b}', '1:8', ['a string'], 'b')
  refuses('logs{a="b" c="d"}', '1:12', ['"}"', '","'], 'c')
  refuses('logs{a="b"', '1:11', ['"}"', '","'], 'end of query')
  refuses('logs{a="b"}}', '1:12', [...filters, 'end of query'], '}')
  refuses('logs |=', '1:8', ['a string'], 'end of query')
  refuses('logs | "x"', '1:6', ['"{"', ...filters, 'end of query'], '|')
  refuses('count', '1:6', ['"("', '"by"'], 'end of query')
  refuses('count()', '1:7', ['"logs"'], ')')
  refuses('count(count(logs))', '1:7', ['"logs"'], 'count')
  refuses('count(logs{}', '1:13', ['")"', ...filters], 'end of query')
  refuses('count by () (logs)', '1:11', ['a label'], ')')
  refuses('count by (a) (logs) by (b)', '1:21', ['end of query'], 'by')
  refuses('count(logs) + count(logs)', '1:13', ['"by"', 'end of query'], '+')
  refuses('sum(logs)', '1:1', ['"logs"', '"count"'], 'sum')
  refuses('logs\n{\r\n  a = "b"\r  ; }', '4:3', ['"}"', '","'], ';')
  refuses('logs{"😀"="x" "}', '1:15', ['"}"', '","'], '"}')
  refuses(
    'logs "long text that goes on and on, and on',
    '1:6',
    ['"{"', ...filters, 'end of query'],
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

t.test('the usual mistakes are answered with what to write instead', async t => {
  const advises = (text: string, remedy: RegExp) =>
    t.match(problemOf(text).message.split('; ')[1], remedy, `advises on ${text}`)

  advises('', /logs/)
  advises('{a="b"}', /logs\{/)
  advises('"error"', /logs \|= "text"/)
  advises('level:error AND x', /logs \|= "text"/)
  advises('sum(logs)', /known operations: count/)
  advises('sum by (a) (logs)', /known operations: count/)
  advises('Count(logs)', /lower case/)
  advises('LOGS{}', /lower case/)
  advises('count(count(logs))', /count\(logs\)/)
  advises('logs{a=="b"}', /single =/)
  advises('logs{a~"b"}', /=~/)
  advises('logs{a!"b"}', /!=/)
  advises('logs{a:"b"}', /colon/)
  advises('logs{a=b}', /quotes/)
  advises('logs{a=1}', /quotes/)
  advises('logs{a=“b”}', /straight quotes/)
  advises('logs{a="b" c="d"}', /comma/)
  advises('logs{a="b" and c="d"}', /comma/)
  advises('logs{a="b" or c="d"}', /first\|second/)
  advises('logs "x"', /\|= "text"/)
  advises('logs | "x"', /\|= != \|~/)
  advises('logs="b"', /braces/)
  advises('count(logs) / count(logs)', /one selector/)
  advises('count by (a) (logs) by (a)', /once/)
  advises('logs |= "\\d"', /double the backslash/)
  advises('logs |= "a\nb"', /\\n/)
  advises('logs |= "a', /put "/)
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
  bounds(
    count => `count(logs)by(${list(count, index => `a${index}`)})`,
    queryGroupLabelsMax,
    'labels',
  )
  bounds(count => `logs{${list(count, () => 'a=~"x"')}}`, queryPatternsMax, 'expressions')
  bounds(
    count => `logs${'|~"(ab{1000}){1}"'.repeat(count)}`,
    19,
    'expressions of 1006 instructions',
  )
})
