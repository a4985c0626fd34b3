import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { compareNames } from '../../src/web/natural-order.ts'

t.test('names are in the order in which people look for them', async t => {
  const inOrder = (...names: readonly string[]) =>
    t.same(names.toReversed().sort(compareNames), names, names.join())

  inOrder('web1', 'web2', 'web10')
  inOrder('http.status', 'http.status_code', 'Http.verb')
  inOrder('10.0.0.2', '10.0.0.10', '10.0.10.1')
  inOrder('', '0', '9', '10', '200', 'a', 'A', 'ä', 'b')
})

t.test('it is an order: only the same text is equal', async () => {
  const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[aA]?0{0,3}\d{0,4}$/))
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      assert.equal(compareNames(a, b) === 0, a === b)
      assert.equal(Math.sign(compareNames(a, b)), -Math.sign(compareNames(b, a)) + 0)
      if (compareNames(a, b) < 0 && compareNames(b, c) < 0) assert.ok(compareNames(a, c) < 0)
    }),
  )
})
