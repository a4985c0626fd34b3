import t from 'tap'
import { ProblemError } from '../../../src/problems.ts'
import { call, isMissing } from '../call.ts'
import { catalog, keyOf, startServer } from '../stand-ins.ts'

t.test('dashboards are updated, listed, shown and deleted', async t => {
  const put: unknown[] = []
  const dashboards = {
    ...catalog.dashboards,
    put: async (dashboard: unknown) => {
      put.push(dashboard)
      return { id: 'made', version: 'v2' }
    },
  }
  const { url } = await startServer(t, { catalog: { ...catalog, dashboards } })
  const dashboard = { content: { title: 'Shop' } }
  t.same(await call(url, 'POST /api/v1/dashboards/update', { dashboard }), [200, { id: 'made' }])
  t.same(put, [dashboard])
  t.same(await call(url, 'GET /api/v1/dashboards'), [200, { dashboards: [] }])
  t.same(await call(url, 'DELETE /api/v1/dashboards/known'), [204, undefined])
  const headers = { Authorization: keyOf.viewer }
  const shown = await fetch(`${url}/api/v1/dashboards/known`, { headers })
  t.equal(await shown.text(), '{"dashboard":{"n":12345678901234567890}}', 'digit by digit')
})

t.test('a dashboard has its version in the answer, and is changed if it still has it', async t => {
  const asked: boolean[] = []
  const put: typeof catalog.dashboards.put = async (_, isWanted) => {
    if (isWanted?.('v1') === false) throw new ProblemError('dashboard_changed', 'another')
    asked.push(isWanted !== undefined)
    return { id: 'made', version: 'v2' }
  }
  const dashboards = { ...catalog.dashboards, put }
  const { url } = await startServer(t, { catalog: { ...catalog, dashboards } })
  const headers = { Authorization: keyOf.editor, 'Content-Type': 'application/json' }
  const shown = await fetch(`${url}/api/v1/dashboards/known`, { headers })
  t.equal(shown.headers.get('etag'), '"v1"')
  const update = (ifMatch?: string) =>
    fetch(`${url}/api/v1/dashboards/update`, {
      method: 'POST',
      headers: { ...headers, ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }) },
      body: '{"dashboard":{}}',
    })
  for (const tag of [undefined, '"v1"', '"v0", "v1"', '*']) {
    const answer = await update(tag)
    t.equal(answer.status, 200, String(tag))
    t.equal(answer.headers.get('etag'), '"v2"')
  }
  t.same(asked, [false, true, true, true])
  for (const tag of ['"v0"', 'W/"v1"', 'v1', '"v"']) {
    const answer = await update(tag)
    t.equal(answer.status, 412, tag)
    t.match(await answer.json(), { code: 'dashboard_changed' })
  }
})

t.test('the body of a dashboard update must hold a dashboard', async t => {
  const { url } = await startServer(t)
  const refuses = async (body: unknown, field: string) => {
    const [status, problem] = await call(url, 'POST /api/v1/dashboards/update', body)
    t.equal(status, 400, JSON.stringify(body))
    t.match(problem, { code: 'field_invalid', field })
  }

  await refuses({}, 'dashboard')
  await refuses([], 'body')
  await refuses('text', 'body')
  await refuses(null, 'body')
})

t.test('a dashboard that is not there is 404 by its own code', async t => {
  const { url } = await startServer(t)
  await isMissing(t, url, 'GET /api/v1/dashboards/other', 'dashboard_unknown')
  await isMissing(t, url, 'DELETE /api/v1/dashboards/other', 'dashboard_unknown')
})
