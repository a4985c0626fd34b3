import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseQuery } from '../../../src/language/grammar.ts'
import type { Variable } from '../../../src/web/dashboards/model/board.ts'
import { expanded, valuesOf, valueText } from '../../../src/web/dashboards/model/queries.ts'

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
        // What is left is `$other` and the like, which stands for itself.
        assert.deepEqual(parseQuery(expanded(query, values)), expected)
      }),
    )
  },
)

t.test('a variable that nobody knows stays as it is', async t => {
  t.equal(expanded('logs{a=$unknown}', {}), 'logs{a=$unknown}')
})

t.test(
  'a variable has the value of the address where that is allowed, or else its default',
  async t => {
    const variable = (name: string, isOverridable: boolean): Variable => {
      return { name, defaultValue: '.*', isOverridable, attribute: 'a', query: 'logs' }
    }
    const address = new URLSearchParams({ 'var.a': 'x', 'var.b': 'y', 'var.__proto__': 'z' })
    const values = valuesOf(
      [variable('a', true), variable('b', false), variable('__proto__', true)],
      address,
    )
    t.same(Object.entries(values), [
      ['a', 'x'],
      ['b', '.*'],
      ['__proto__', 'z'],
    ])
    t.equal(valueText('.*'), 'all')
    t.equal(valueText('checkout'), 'checkout')
  },
)
