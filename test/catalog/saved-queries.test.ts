import t from 'tap'
import { limits } from '../../src/limits.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

t.test('a query is saved, listed by name, replaced by name, and deleted', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { savedQueries, clock } = catalog
  const second = await savedQueries.save({ name: ' b ', query: 'logs', columns: ['host'] })
  const first = await savedQueries.save({ name: 'a', query: 'logs{a="b"}' })
  t.strictSame(first, {
    id: first.id,
    name: 'a',
    query: 'logs{a="b"}',
    columns: [],
    savedAt: testTime,
  })
  clock.time += 5
  const replaced = await savedQueries.save({ name: 'b', query: 'count(logs)' })
  t.strictSame(replaced, {
    id: second.id,
    name: 'b',
    query: 'count(logs)',
    columns: [],
    savedAt: testTime + 5,
  })
  const again = await catalog.reopen()
  t.strictSame(again.savedQueries.list(), [first, replaced])
  await again.savedQueries.delete(first.id)
  t.strictSame(again.savedQueries.list(), [replaced])
})

t.test('what is no saved query is refused with the field named', async t => {
  const { savedQueries } = await openTestCatalog(t, t.testdir())
  const f = (body: unknown, field: string) =>
    t.rejects(savedQueries.save(body), { code: 'field_invalid', extras: { field } })
  await f({ query: 'logs' }, 'name')
  await f({ name: ' ', query: 'logs' }, 'name')
  await f({ name: 'a' }, 'query')
  await f({ name: 'a', query: '' }, 'query')
  await f({ name: 'a', query: 'x'.repeat(limits.queryLengthMax + 1) }, 'query')
  await f({ name: 'a', query: 'logs', columns: 'host' }, 'columns')
  await f({ name: 'a', query: 'logs', columns: Array(51).fill('x') }, 'columns')
  t.strictSame(savedQueries.list(), [])
})

t.test('an unknown id cannot be deleted, however long it is', async t => {
  const { savedQueries } = await openTestCatalog(t, t.testdir())
  for (const id of ['', 'other', 'x'.repeat(5_000)]) {
    await t.rejects(savedQueries.delete(id), { code: 'saved_query_unknown' })
  }
})

t.test('there are only so many', async t => {
  const { savedQueries } = await openTestCatalog(t, t.testdir())
  const names = Array.from({ length: limits.savedQueriesMax }, (_, i) => `query ${i}`)
  for (const name of names) await savedQueries.save({ name, query: 'logs' })
  await t.rejects(savedQueries.save({ name: 'more', query: 'logs' }), {
    code: 'saved_queries_too_many',
  })
  await savedQueries.save({ name: names[0], query: 'count(logs)' })
})
