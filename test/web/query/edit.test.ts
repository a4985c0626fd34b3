import assert from 'node:assert/strict'
import fc from 'fast-check'
import t, { type Test as Tap } from 'tap'
import type { Selector, TextMatcher } from '../../../src/language/ast.ts'
import { parseQuery, parseSingle } from '../../../src/language/grammar.ts'
import { printQuery } from '../../../src/language/print.ts'
import { hasCondition, withCondition, withoutCondition } from '../../../src/web/query/edit.ts'
import { longRuns } from '../../long-runs.ts'
import { arbitraryStaged } from '../../query/stages/plain.ts'
import { anyCondition, anySelector, shownPlainly } from './any-selector.ts'

const a = { label: 'a', operator: '=', value: 'x' } as const

const writing =
  (t: Tap) =>
  (query: string, expected: string, condition: TextMatcher = a) =>
    t.equal(withCondition(query, condition), expected, query)

t.test('a click writes its matcher into the query', async t => {
  const writes = writing(t)
  writes('logs', 'logs{a="x"}')
  writes('logs{}', 'logs{a="x"}')
  writes('logs |= "logs{"', 'logs{a="x"} |= "logs{"')
  writes('logs { b = "y" , }', 'logs { b = "y", a="x" , }')
  writes('logs{a="x"}', 'logs{a="x"}')
  writes('logs{a!="x", b="y"}', 'logs{a="x", b="y"}')
  writes('logs{b="1, }", a="z"}', 'logs{b="1, }", a="z", a="x"}')
  writes(
    'count by (b) (logs) / count(logs{b="y"})',
    'count by (b) (logs{a="x"}) / count(logs{b="y", a="x"})',
  )
  writes('logs{b="y', 'logs{b="y')
  writes('1 + 2', '1 + 2')
  t.equal(withCondition('logs{b=$b}', a), 'logs{b=$b}', 'with a variable that has no value')
  t.equal(withCondition('logs{b=$b}', a, { variables: { b: 'y' } }), 'logs{b=$b, a="x"}')
})

t.test("in LogQL's form, too, under the names that people know", async t => {
  const writes = writing(t)
  writes('{}', '{a="x"}')
  writes('{__name__="logs"}', '{a="x", __name__="logs"}')
  writes('{b="y"} |= "z"', '{b="y", a="x"} |= "z"')
  const service = { label: 'service.name', operator: '=', value: 'shop' } as const
  writes('{}', '{service_name="shop"}', service)
  writes('{service_name="shop"}', '{service_name="shop"}', service)
  t.equal(withoutCondition('{service_name="shop", a="x"}', service), '{a="x"}')
  t.equal(withoutCondition('{service_name="shop"}', service), '{}')
  const level = { label: 'log_level', operator: '!=', value: 'info' } as const
  writes('{} | json', '{detected_level!="info"} | json', level)
  writes('{} | json | detected_level="info"', '{} | json | detected_level!="info"', level)
})

t.test('a condition on what a stage makes stands behind it', async t => {
  const writes = writing(t)
  writes('{} | json', '{} | json | a="x"')
  writes('{} | json | a!="x"', '{} | json | a="x"')
  writes('{} | json | a="x"', '{} | json | a="x"')
  writes('{} | json | b > 5 | line_format "q"', '{} | json | b > 5 | a="x" | line_format "q"')
  writes('{} | json b="b" | logfmt c', '{a="x"} | json b="b" | logfmt c')
  writes('{} | pattern "<a> <b>" | drop b', '{} | pattern "<a> <b>" | a="x" | drop b')
  writes('{} | regexp `(?P<a>.)` |= "q"', '{} | regexp `(?P<a>.)` |= "q" | a="x"')
  writes('{} | label_format b=a', '{} | label_format b=a | a="x"')
  writes('{} | distinct b', '{} | distinct b | a="x"')
  writes('{} | json | a != "x" and b = "y"', '{} | json | a="x" and b="y"')
  writes('{a="x"} | json', '{a="x"} | json')
  writes('{a!="x"} | json', '{a!="x"} | json | a="x"')
  writes('{a="x"} | json', '{} | json | a!="x"', { ...a, operator: '!=' })
  writes('logs | drop b, != "q"', 'logs | drop b, != "q" | b="x"', { ...a, label: 'b' })
  writes('{} | json', '{} | json | "not"="x"', { ...a, label: 'not' })
})

t.test('a line that a stage has made is asked for as a whole', async t => {
  const writes = writing(t)
  const line = { label: 'message', operator: '=', value: 'a.b' } as const
  writes('{} | json', '{message="a.b"} | json', line)
  writes('{} | line_format "q"', '{} | line_format "q" |~ `^(?:a\\.b)$`', line)
  const made = '{} | unpack |~ `^(?:a\\.b)$`'
  writes(made, '{} | unpack !~ `^(?:a\\.b)$`', { ...line, operator: '!=' })
  t.equal(withoutCondition(made, line), '{} | unpack')
  const unwrapped = 'sum_over_time({} | unwrap b | line_format "q" [5m])'
  writes(unwrapped, unwrapped, line)
})

t.test('of values the selectors inside are narrowed', async t => {
  const writes = writing(t)
  writes(
    'sum by (a) (count_over_time({} | json [5m])) / 2',
    'sum by (a) (count_over_time({} | json | a="x" [5m])) / 2',
  )
  writes(
    'max_over_time({} | json | unwrap ms | __error__="" [5m])',
    'max_over_time({} | json | a="x" | unwrap ms | __error__="" [5m])',
  )
  writes('rate({b="y"}[1m] offset 1h)', 'rate({b="y", a="x"}[1m] offset 1h)')
  writes('sum(logs | json | unwrap a)', 'sum(logs | json | a="x" | unwrap a)')
})

t.test(
  'words get a word where a click asks for it, and else become the query they mean',
  async t => {
    const f = (query: string, condition: TextMatcher, expected: string) => {
      const next = withCondition(query, condition, { keepsWords: true })
      t.equal(next, expected, query)
      t.ok(hasCondition(next, condition))
      return next
    }
    const host = { label: 'host', operator: '=', value: 'node-3' } as const
    const without = { ...host, operator: '!=' } as const
    f('timeout -health', host, 'timeout -health host:node-3')
    f('timeout', without, 'timeout -host:node-3')
    f('timeout -host:node-3 error', host, 'timeout error host:node-3')
    f('timeout host:node-3', host, 'timeout host:node-3')
    f('timeout', { label: 'log_level', operator: '=', value: 'error' }, 'timeout level:error')
    f('timeout', { ...host, value: 'a "b"' }, 'timeout host:"a \\"b\\""')
    f('timeout', { ...host, label: 'odd key' }, 'logs{"odd key"="node-3"} | search "timeout"')
    f('a or b', host, `${printQuery(parseQuery('a or b'))} | host="node-3"`)
    t.equal(withoutCondition('timeout host:node-3', host), 'timeout')
    t.equal(
      withoutCondition('level:error', { ...host, label: 'log_level', value: 'error' }),
      'logs',
    )
    t.equal(withCondition('timeout', host), 'logs{host="node-3"} | search "timeout"', 'exactly')
  },
)

t.test('of several selectors with "or" all are narrowed, by a stage', async t => {
  const writes = writing(t)
  writes('logs{b="y"} or logs{c="z"}', 'logs{b="y"} or logs{c="z"} | a="x"')
  writes('{b="y"} or {a="x"} | json', '{b="y"} or {a="x"} | json | a="x"')
  writes('{} or {} | line_format "q"', '{} or {} | a="x" | line_format "q"')
  writes('count(logs or logs |= "q")', 'count(logs or logs |= "q" | a="x")')
  const service = { label: 'service.name', operator: '!=', value: 'shop' } as const
  writes('{} or {} | json', '{} or {} | service.name!="shop" | json', service)
})

t.test('what was written can be taken out again', async t => {
  const leaves = (query: string, expected: string) => t.equal(withoutCondition(query, a), expected)
  leaves('logs{a="x"} |= "q"', 'logs |= "q"')
  leaves('logs{a = "x", b="y"}', 'logs{b="y"}')
  leaves('logs{b="y", a = "x" }', 'logs{b="y"}')
  leaves('logs{a="z"}', 'logs{a="z"}')
  leaves('{} | json | a="x" | line_format "q"', '{} | json | line_format "q"')
  leaves('{} | json | a="x" and b > 5', '{} | json | b > 5')
  leaves('{} | json | a="x" and a="x"', '{} | json')
  leaves('logs{a="x"} | a="x"', 'logs')
  leaves('{} | drop b | a="x" != "q"', '{} | drop b, != "q"')
  t.ok(hasCondition('{} | json | a="x"', a))
  t.notOk(hasCondition('{a="x"} | label_format a=b', a), 'what is shown is another one')
  t.notOk(hasCondition('logs |= `a="x"`', a))
})

t.test('comments stay where they are, and swallow nothing', async t => {
  const writes = writing(t)
  writes('logs{b="y"} # it\'s "all"', 'logs{b="y", a="x"} # it\'s "all"')
  writes('logs{b="y" # one\n} |= "q"', 'logs{b="y", a="x" # one\n} |= "q"')
  writes('logs{ # none\n}', 'logs{a="x" # none\n}')
  writes('{} # all\n| json # made', '{} # all\n| json | a="x" # made')
  const leaves = (query: string, expected: string) => t.equal(withoutCondition(query, a), expected)
  leaves(
    '{} | json # made\n| a="x" # those\n| line_format "q"',
    '{} | json # those\n| line_format "q"',
  )
  leaves('logs{b="y", # one\n a="x"} # two', 'logs{b="y"} # two')
})

t.test('the service reads what a click wrote', async () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string(),
      fc.constantFrom('=', '!='),
      fc.constantFrom('logs', 'logs{b="}"}', 'count by (c) (logs{b=~"x|y"} |= "z")'),
      (label, value, operator, query) => {
        const matcher = { label, operator, value } as const
        const { selector } = parseSingle(withCondition(query, matcher))
        assert.deepEqual({ ...selector.matchers.at(-1) }, matcher)
        assert.deepEqual(
          parseSingle(withoutCondition(withCondition(query, matcher), matcher)).selector,
          parseSingle(query).selector,
        )
      },
    ),
  )
})

const opposite = (condition: TextMatcher): TextMatcher => {
  return { ...condition, operator: condition.operator === '=' ? '!=' : '=' }
}

t.test('a click leaves just the records that show the value, in every form', async () => {
  let [narrowed, edited] = [0, 0]
  fc.assert(
    fc.property(
      anySelector,
      fc.array(arbitraryStaged, { minLength: 1, maxLength: 20 }),
      fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      (tree, records, conditions, nat) => {
        const shown = (query: string) => {
          const selector = parseQuery(query) as Selector
          return records.flatMap(record => shownPlainly(selector, record) ?? [])
        }
        let query = printQuery(tree)
        // Mostly a value that a record shows.
        const record = shown(query)[nat % records.length]
        for (const condition of conditions) {
          const name = condition.label.replace('user.id', 'user_id')
          const asked = { ...condition, value: record?.get(name) ?? condition.value }
          const base = withoutCondition(query, opposite(asked))
          const expected = shown(base).filter(
            fields => ((fields.get(name) ?? '') === asked.value) === (asked.operator === '='),
          )
          const next = withCondition(query, asked)
          assert.deepEqual(shown(next), expected, `${query} becomes ${next}`)
          assert.ok(hasCondition(next, asked), next)
          const values = withCondition(`sum by (b) (count_over_time(${query} [5m]))`, asked)
          assert.equal(values, `sum by (b) (count_over_time(${next} [5m]))`)
          if (!hasCondition(query, asked)) {
            assert.deepEqual(shown(withoutCondition(next, asked)), shown(base), next)
          }
          edited += 1
          if (expected.length < shown(query).length && expected.length > 0) narrowed += 1
          query = next
        }
      },
    ),
    longRuns(600),
  )
  assert.ok(narrowed > edited / 20, `${narrowed} of ${edited} have narrowed`)
})
