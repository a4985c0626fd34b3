import t from 'tap'
import type { Variable } from '../../../src/web/dashboards/model/board.ts'
import { valuesOf, valueText, withChoice } from '../../../src/web/dashboards/model/queries.ts'

t.test(
  'a variable has the value of the address where that is allowed, or else its default',
  async t => {
    const variable = (name: string, isOverridable: boolean): Variable => {
      return {
        name,
        defaultValue: '.*',
        isOverridable,
        isMultiple: true,
        attribute: 'a',
        query: 'logs',
      }
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

t.test(
  'several values are several parameters of the address, and are added one by one',
  async t => {
    const service = {
      name: 'service',
      defaultValue: '.*',
      isOverridable: true,
      isMultiple: true,
      attribute: 'service.name',
      query: 'logs',
    }
    const address = new URLSearchParams('var.service=a|b&var.service=c')
    t.same({ ...valuesOf([service], address) }, { service: ['a|b', 'c'] })
    t.equal(valueText(['a', 'b']), 'a, b')
    t.equal(valueText(['a', 'b', 'c']), '3 values')
    const known = ['a', 'b', 'c']
    t.same(withChoice('.*', 'a', known), 'a', 'all is no value among others')
    t.same(withChoice('a', 'b', known), ['a', 'b'])
    t.same(withChoice(['a', 'b'], 'a', known), 'b')
    t.same(withChoice('b', 'b', known), '', 'none')
    t.same(withChoice('a|b', 'c', known), 'c', 'an expression is not one of them')
  },
)
