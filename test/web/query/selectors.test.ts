import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import { readText } from '../../../src/web/query/read.ts'
import { recordsBehind, selectorsOf, selectorText } from '../../../src/web/query/selectors.ts'
import { longRuns } from '../../long-runs.ts'
import { matchesPlainly } from '../../query/plain.ts'
import { arbitraryStaged, plainName, throughPlainly } from '../../query/stages/plain.ts'

const templates = new Map([
  [
    'x-{{.status}}',
    {
      text: 'x-{{.status}}',
      render: (_: string, labels: ReadonlyMap<string, string>) => `x-${labels.get('status') ?? ''}`,
    },
  ],
])

t.test('the selectors of a query are found with their filters of lines', async t => {
  const finds = (query: string, ...expected: string[]) =>
    t.same(selectorsOf(query), expected, query)

  finds('logs', 'logs')
  finds('count by (a) (logs{a="}"} |= "x" != `y`)', 'logs{a="}"} |= "x" != `y`')
  finds('100 * count(logs{a="b"}) / count(logs)', 'logs{a="b"}', 'logs')
  finds('sum(logs{a="b"} | unwrap c) > 5', 'logs{a="b"}')
  finds('count(logs) != 5', 'logs')
  finds('1 + 2')
  finds('count(logs{a="b"')
  finds(
    'sum by (a) (rate({a="b"} |= "x" | json | c > 5 [5m] offset 1h))',
    '{a="b"} |= "x" | json | c > 5',
  )
  finds('max_over_time({} | json | unwrap d | __error__="" [5m])', '{} | json | __error__=""')
})

t.test('behind a group are the records of its selector that have its labels', async () => {
  const queries = [
    ['count by (a, b) (logs)', 'logs'],
    ['topk(3, sum by (a) (logs{x!="}"} |= "y" | unwrap ms)) > 5', 'logs{x!="}"} |= "y"'],
    ['count(logs{a="b"} |~ `c`) / count(logs)', 'logs{a="b"} |~ `c`'],
    ['count(logs offset 1d) / count(logs{a="b"})', 'logs{a="b"}'],
    ['quantile(0.9, logs{a=~"b.*"} | unwrap offset)', 'logs{a=~"b.*"}'],
  ] as const
  const labels = fc.dictionary(fc.constantFrom('host', 'two words', 'log_level'), fc.string())
  fc.assert(
    fc.property(fc.constantFrom(...queries), labels, ([query, selector], group) => {
      const { matchers, ...rest } = parseQuery(selector) as Selector
      const narrowed = Object.entries(group).map(([label, value]) => {
        return { label, operator: '=' as const, value }
      })
      assert.deepEqual(parseQuery(recordsBehind(query, group)!), {
        ...rest,
        matchers: [...matchers, ...narrowed],
      })
    }),
  )
})

t.test("behind LogQL's groups are records under any name that LogQL cannot tell apart", async t => {
  const f = (query: string, expected: string) =>
    t.equal(recordsBehind(query, { user_id: 'u1' }), expected, query)
  f('sum by (user_id) (count_over_time({} |= "x" [5m]))', '{} |= "x" | user_id="u1"')
  f('count by (user_id) (logs)', 'logs{user_id="u1"}')
  f('count by (user_id) ({a="b"} | c="d")', '{a="b"} | c="d" | user_id="u1"')
  f('sum by (user_id) (rate({} | json [5m]))', '{} | json | user_id="u1"')
})

t.test(
  'behind a group of what stages have changed are the records that it was made of',
  async () => {
    const stages = [
      ...['keep a', 'keep service_name', 'drop environment', 'drop detected_level, a'],
      ...['label_format environment=`x-{{.status}}`', 'label_format service_name=status'],
      ...['json', 'logfmt', 'b="1"', 'environment="prod"', 'detected_level!="error"', 'a>1'],
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(
          'logs',
          '{environment="prod"}',
          'logs{log_level="info"}',
          'logs or logs{a="1"}',
        ),
        fc.array(fc.constantFrom(...stages), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('service.name', 'environment', 'log_level', 'status'),
        fc.array(arbitraryStaged, { minLength: 1, maxLength: 12 }),
        (begin, behind, label, records) => {
          const selector = [begin, ...behind].join(' | ')
          const through = (text: string) => {
            const { stages = [], ...rest } = parseQuery(text) as Selector
            return records.flatMap((record, number) => {
              if (!matchesPlainly(rest, record, record.stream)) return []
              const row = throughPlainly(stages, record, templates)
              // As in LogQL, comparing a number keeps records with an error.
              if (row === undefined || row.labels.has('__error__')) return []
              return { number, value: row.labels.get(plainName(label)) ?? '' }
            })
          }
          for (const [value, group] of Map.groupBy(through(selector), one => one.value)) {
            const text = recordsBehind(`count by (${label}) (${selector})`, { [label]: value })!
            assert.deepEqual(through(text), group, text)
          }
        },
      ),
      longRuns(1_000),
    )
  },
)

t.test(
  'with the values in it a selector is what the service makes of selector and variables',
  async () => {
    const templates = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how variables are written.
      'logs{service.name=~"x$service", a=$service} |= "${service} $$service $other"',
      "logs{a='$service', $service!~'x'}",
      'logs{a=`$service`} != $service',
    ]
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '$service', '-1', '`', "'", '}'))
    fc.assert(
      fc.property(fc.constantFrom(...templates), text, (query, service) => {
        const values = { service }
        let expected: unknown
        try {
          expected = parseQuery(query, values)
        } catch {
          return // Such as a pattern that is none.
        }
        const found = readText(query, values)!.selectors[0]!
        // What is left is `$other` and the like, which stands for itself.
        assert.deepEqual(parseQuery(selectorText(query, found, values)), expected)
      }),
    )
  },
)

t.test('behind values of another time, and of no records, nothing is shown', async t => {
  const hasNone = (query: string) => t.equal(recordsBehind(query, { a: 'b' }), undefined, query)

  hasNone('count(logs offset 1d)')
  hasNone('sum(logs{a="b"} |= "c" | unwrap d offset 1h)')
  hasNone('1 + 2')
  hasNone('')
})
