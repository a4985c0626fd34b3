import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Aggregate } from '../../../src/language/ast.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import { holds } from '../../../src/match/condition.ts'
import { conditionOf } from '../../../src/query/matcher-condition.ts'
import { isRanked, narrowedTo, rankedOperand } from '../../../src/web/query/ranking.ts'

t.test('what is ranked is found, when the query is a ranking alone', async t => {
  const finds = (query: string, expected: string | undefined) =>
    t.equal(rankedOperand(query), expected, query)

  finds('topk(3, count by (a) (logs{b=")"}))', 'count by (a) (logs{b=")"})')
  finds(' bottomk by (a) ( 3 , count by (a, b) (logs) ) ', 'count by (a, b) (logs)')
  finds('topk($k, rate by (a) (logs)) by (b)', 'rate by (a) (logs)')
  finds('topk(2, topk(3, count by (a) (logs)))', 'topk(3, count by (a) (logs))')
  finds('topk(3, count by (a) (logs)) > 5', undefined)
  finds('topk(3, count by (a) (logs)) + topk(3, count by (a) (logs))', undefined)
  finds('count by (a) (logs)', undefined)
  finds('logs |= "topk(3, x)"', undefined)
  finds('topk(3, count by (a) (logs)', undefined)
  finds('topk', undefined)
  finds('topk by', undefined)
  finds('', undefined)
})

t.test('a ranking anywhere in a query is seen', async t => {
  t.ok(isRanked('2 * bottomk(1, count by (a) (logs))'))
  t.notOk(isRanked('count by (topk) (logs{bottomk="topk"})'))
})

t.test(
  'only records of the groups are asked for, where a group is made of its own alone',
  async t => {
    const groups = [{ a: 'x', b: '1.5' }, { a: '$y' }]
    t.equal(
      narrowedTo(groups, 'count by (a, b) (logs{c="d"})'),
      String.raw`count by (a, b) (logs{c="d", a=~"x|[$]y", b=~"1\\.5|"})`,
    )
    const share = 'count by (a) (logs{c="d"}) / count by (a) (logs)'
    t.equal(narrowedTo(groups, share), share)
    t.equal(narrowedTo([{}], 'count(logs)'), 'count(logs)')
    t.equal(narrowedTo([{ a: 'x'.repeat(5_000) }], 'count by (a) (logs)'), 'count by (a) (logs)')
  },
)

t.test('whatever groups are called, they and no others are asked for', async () => {
  const name = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'$v{}|.*\\^a') }))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), name, (names, other) => {
      const groups = names.map(a => ({ a }))
      const { selector } = parseQuery(narrowedTo(groups, 'count by (a) (logs)'), {
        v: 'the value of $v',
      }) as Aggregate
      const condition = conditionOf(selector.matchers[0]!)
      for (const one of names) assert.ok(holds(condition, one))
      assert.equal(holds(condition, other), names.includes(other))
    }),
  )
})
