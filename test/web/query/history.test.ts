import t from 'tap'
import { QueryHistory } from '../../../src/web/query/history.ts'

function storage(initial?: string) {
  const items = new Map(initial === undefined ? [] : [['logstrata.history.queries', initial]])
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

t.test('one goes back through what was run, and forth to what one was typing', async t => {
  const history = new QueryHistory(storage())
  for (const query of ['a', 'b', 'c']) history.add(query)
  t.equal(history.earlier('typed'), 'c')
  t.equal(history.earlier('c'), 'b')
  t.equal(history.earlier('b'), 'a')
  t.equal(history.earlier('a'), undefined)
  t.equal(history.later(), 'b')
  t.equal(history.later(), 'c')
  t.equal(history.later(), 'typed')
  t.equal(history.later(), undefined)
})

t.test('what is in the box is not offered as what was before', async t => {
  const history = new QueryHistory(storage())
  for (const query of ['a', 'b']) history.add(query)
  t.equal(history.earlier('b'), 'a')
})

t.test('a query stands once, the latest last, and the list has an end', async t => {
  const history = new QueryHistory(storage())
  for (const query of ['a', 'b', 'a', '  ']) history.add(query)
  t.same(history.list(), ['b', 'a'])
  for (let i = 0; i < 150; i++) history.add(`q${i}`)
  t.equal(history.list().length, 100)
  t.equal(history.list().at(-1), 'q149')
})

t.test('what another program left in the storage does no harm', async t => {
  for (const text of ['', '{', 'null', '{"a":1}', '[1,null]']) {
    t.same(new QueryHistory(storage(text)).list(), [], text)
  }
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('quota')
    },
  }
  t.doesNotThrow(() => new QueryHistory(full).add('a'))
})
