import t from 'tap'
import { isAggregate, withoutLastCondition } from '../../../src/web/logs/conditions.ts'

t.test('a query that gives values is told from one that gives records', async t => {
  const f = (query: string, expected: boolean) => t.equal(isAggregate(query), expected, query)
  f('logs', false)
  f(' \n logs{a="b"}', false)
  f('', false)
  f('count(logs)', true)
  f('topk(3, count by (a) (logs))', true)
  f('1 + count(logs)', true)
  f('-count(logs)', true)
  f('lo', false)
  f('timeout -health', false)
  f('{a="b"} | json | c > 5', false)
  f('{a="b', false)
  f('rate({}[5m])', true)
})

t.test('the last condition of a query is taken out', async t => {
  const f = (query: string, rest: string, condition: string) =>
    t.same(withoutLastCondition(query), { query: rest, condition }, query)
  f('logs{a="b"}', 'logs', 'a="b"')
  f('logs{a="b", c!="d"}', 'logs{a="b"}', 'c!="d"')
  f('logs{a="b", c!="d",}', 'logs{a="b",}', 'c!="d"')
  f('{a="b"}', '{}', 'a="b"')
  f('{a="b"} | json | c > 5 | line_format "x"', '{a="b"} | json | line_format "x"', 'c > 5')
  f('{a="b"} |= "x" | json', '{a="b"} | json', '|= "x"')
  f('logs{ a = "b" , "c d" =~ "}" }', 'logs{ a = "b" }', '"c d" =~ "}"')
  f('logs |= "x"', 'logs', '|= "x"')
  f('logs{a="b"} |= "x" !~ "y"', 'logs{a="b"} |= "x"', '!~ "y"')
})

t.test('a query without any condition has none to take out', async t => {
  for (const query of ['', 'logs', 'logs{}', '{}', 'logs | json', 'count(logs{a="b"})', '}']) {
    t.equal(withoutLastCondition(query), undefined, query)
  }
})
