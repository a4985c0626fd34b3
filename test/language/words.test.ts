import t from 'tap'
import { parseAsked, parseQuery } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'
import { limits } from '../../src/limits.ts'
import { problemOf } from '../query/problem-of.ts'

t.test('words become a query', async t => {
  const becomes = (words: string, query: string) => {
    const asked = parseAsked(words, { who: 'Ann "A"' })
    t.equal(asked.interpretedAs, query, words)
    t.same(parseQuery(query), asked.query, `${query} means the same`)
  }

  becomes('error', 'logs | search "error"')
  becomes(' timeout  "hang up" ', 'logs | search "timeout" "hang up"')
  becomes('-health not "x y" NOT z', 'logs | search -"health" -"x y" -"z"')
  becomes('a and b AND c', 'logs | search "a" "b" "c"')
  becomes('a b or c OR -d', 'logs | search "a" "b" or logs | search "c" or logs | search -"d"')
  becomes('GET /cart?x', 'logs | search "GET" "/cart?x"')
  becomes('http://example.com:80/a', 'logs | search "http://example.com:80/a"')
  becomes('ошибка 日本', 'logs | search "ошибка" "日本"')
  becomes('count errors', 'logs | search "count" "errors"')
  becomes('__proto__', 'logs | search "__proto__"')
  becomes('by $who', 'logs | search "by" "Ann \\"A\\""')
  becomes('level:ERROR detected_level:warn', 'logs{log_level="error", log_level="warn"}')
  becomes('service_name:Shop', 'logs{service.name=~"(?i)Shop"}')
  becomes('-path:/a.b', 'logs{path!~`(?i)/a\\.b`}')
  becomes('status:500 -status:501', 'logs{status="500", status!="501"}')
  becomes('a:* -b:* c:x*y -d:*1', 'logs{a!="", b="", c=~"(?is)x.*y", d!~"(?is).*1"}')
  becomes('a:"x*" "two words":Z', 'logs{a=~`(?i)x\\*`, "two words"=~"(?i)Z"}')
  becomes('a:>10 b:<=1.5s c < 2KB d>=-1', 'logs{a > 10, b <= 1.5s, c < 2KB, d >= -1}')
  becomes('status >= 500 or warn', 'logs{status >= 500} or logs | search "warn"')
})

t.test('what begins as a query does is read as one', async t => {
  for (const text of ['logs', 'logs{a="b"}', '{a="b"}', '1 + 1', 'Inf', '-NaN', 'vector(1)']) {
    const { query, interpretedAs } = parseAsked(text)
    t.equal(interpretedAs, undefined, text)
    t.same(parseQuery(printQuery(query)), query)
  }
  const refused = ['logs x', '-logs', 'count', 'sum by (a)', '404 x', 'nan x', 'a = b', 'a | b']
  for (const text of [...refused, '[x]', 'or x', 'x or', 'x (y)', '-', 'x - y']) {
    t.equal(problemOf(text).code, 'query_syntax', text)
  }
})

t.test('a mistake in words is refused where it is', async t => {
  const refuses = (text: string, offset: number, code = 'query_syntax') => {
    const { code: actual, extras } = problemOf(text)
    t.strictSame([actual, extras.position?.offset], [code, offset], text)
  }
  refuses('error "x', 6)
  refuses('x -status:>500', 3)
  refuses('x status:>12xx', 10)
  const { queryTermsMax } = limits
  t.doesNotThrow(() => parseQuery('x '.repeat(queryTermsMax)))
  refuses('x '.repeat(queryTermsMax + 1), 2 * queryTermsMax, 'query_too_large')
})

t.test('many words are read in time proportional to them', async t => {
  for (const text of ['x', 'a:b ', '- ', 'a ', 'a <', '"x"', 'a:"b"', '\\', 'x or ', '  ']) {
    const query = text.repeat(limits.queryLengthMax / text.length)
    const before = process.cpuUsage()
    try {
      parseQuery(`x ${query}`.slice(0, limits.queryLengthMax))
    } catch {
      // Refused is as good.
    }
    // Of the process, and not of the clock: others may be using the machine.
    const { user, system } = process.cpuUsage(before)
    t.ok(user + system < 1_500_000, JSON.stringify(text))
  }
})
