import t from 'tap'
import { call, isMissing } from '../call.ts'
import { startServer } from '../stand-ins.ts'

t.test('queries are saved, listed and deleted', async t => {
  const { url } = await startServer(t)
  const saved = { id: 'made', name: 'n', query: 'logs', columns: [], savedAt: 1 }
  const body = { name: 'n', query: 'logs' }
  t.same(await call(url, 'POST /api/v1/saved-queries', body), [200, saved])
  t.same(await call(url, 'GET /api/v1/saved-queries'), [200, { savedQueries: [] }])
  t.same(await call(url, 'DELETE /api/v1/saved-queries/known'), [204, undefined])
})

t.test('a saved query that is not there is 404 by its own code', async t => {
  const { url } = await startServer(t)
  await isMissing(t, url, 'DELETE /api/v1/saved-queries/other', 'saved_query_unknown')
})
