import t from 'tap'
import type { Variable } from '../../../src/web/dashboards/model/board.ts'
import { valuesOf, valueText } from '../../../src/web/dashboards/model/queries.ts'

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
