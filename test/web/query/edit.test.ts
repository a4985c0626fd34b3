import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { withMatcher, withoutMatcher } from '../../../src/web/query/edit.ts'

const a = { label: 'a', operator: '=', value: 'x' } as const

t.test('a click writes its matcher into the query', async t => {
  const writes = (query: string, expected: string) => t.equal(withMatcher(query, a), expected)

  writes('logs', 'logs{a="x"}')
  writes('logs{}', 'logs{a="x"}')
  writes('logs |= "logs{"', 'logs{a="x"} |= "logs{"')
  writes('logs { b = "y" , }', 'logs{b="y", a="x"}')
  writes('logs{a="x"}', 'logs{a="x"}')
  writes('logs{a!="x"}', 'logs{a="x"}')
  writes('logs{b="1, }", a="z"}', 'logs{b="1, }", a="z", a="x"}')
  writes(
    'count by (b) (logs) / count(logs{b="y"})',
    'count by (b) (logs{a="x"}) / count(logs{b="y", a="x"})',
  )
  writes('logs{b="y', 'logs{b="y')
  writes('1 + 2', '1 + 2')
})

t.test('what was written can be taken out again', async t => {
  t.equal(withoutMatcher('logs{a="x"} |= "q"', a), 'logs |= "q"')
  t.equal(withoutMatcher('logs{a = "x", b="y"}', a), 'logs{b="y"}')
  t.equal(withoutMatcher('logs{a="z"}', a), 'logs{a="z"}')
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
        const { selector } = parseSingle(withMatcher(query, matcher))
        assert.deepEqual({ ...selector.matchers.at(-1) }, matcher)
        assert.deepEqual(
          parseSingle(withoutMatcher(withMatcher(query, matcher), matcher)).selector,
          parseSingle(query).selector,
        )
      },
    ),
  )
})
