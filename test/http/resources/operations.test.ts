import t from 'tap'
import { Health } from '../../../src/health.ts'
import type { StorageFigures } from '../../../src/http/resources/storage-figures.ts'
import { ProblemError } from '../../../src/problems.ts'
import { catalog, config, ingestionSecret, keyOf, startServer } from '../stand-ins.ts'

/** One call by an admin: its status and its body, parsed unless it is empty. */
async function call(url: string, operation: string, body?: unknown) {
  const [method, path] = operation.split(' ') as [string, string]
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${keyOf.admin}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return [response.status, text === '' ? undefined : JSON.parse(text)] as const
}

t.test('queries are saved, listed and deleted', async t => {
  const { url } = await startServer(t)
  const saved = { id: 'made', name: 'n', query: 'logs', columns: [], savedAt: 1 }
  const body = { name: 'n', query: 'logs' }
  t.same(await call(url, 'POST /api/v1/saved-queries', body), [200, saved])
  t.same(await call(url, 'GET /api/v1/saved-queries'), [200, { savedQueries: [] }])
  t.same(await call(url, 'DELETE /api/v1/saved-queries/known'), [204, undefined])
})

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

t.test('tokens and keys are made, listed, shown and deleted', async t => {
  const { url } = await startServer(t)
  const settings = '/api/v1/settings'
  const is = async (operation: string, status: number, answer: unknown, body?: unknown) => {
    const [actualStatus, actual] = await call(url, operation, body)
    t.equal(actualStatus, status, operation)
    t.match(actual ?? {}, answer as object, operation)
  }

  await is(`POST ${settings}/ingestion-tokens`, 201, { token: 'ing_new', id: String }, {})
  await is(`GET ${settings}/ingestion-tokens`, 200, { tokens: [] })
  await is(`GET ${settings}/ingestion-tokens/known/secret`, 200, { token: ingestionSecret })
  await is(`DELETE ${settings}/ingestion-tokens/known`, 204, {})
  await is(`POST ${settings}/api-keys`, 201, { key: 'key_new', role: 'viewer' }, {})
  await is(`GET ${settings}/api-keys`, 200, { keys: Array })
  await is(`DELETE ${settings}/api-keys/known`, 204, {})
})

t.test('what is not there is 404 by its own code', async t => {
  const { url } = await startServer(t)
  const isMissing = async (operation: string, code: string) => {
    const [status, problem] = await call(url, operation)
    t.equal(status, 404, operation)
    t.match(problem, { code })
  }

  await isMissing('GET /api/v1/dashboards/other', 'dashboard_unknown')
  await isMissing('DELETE /api/v1/dashboards/other', 'dashboard_unknown')
  await isMissing('DELETE /api/v1/saved-queries/other', 'saved_query_unknown')
  await isMissing('GET /api/v1/settings/ingestion-tokens/other/secret', 'token_unknown')
  await isMissing('DELETE /api/v1/settings/ingestion-tokens/other', 'token_unknown')
  await isMissing('DELETE /api/v1/settings/api-keys/other', 'api_key_unknown')
})

t.test('a body that is not JSON is refused with its place', async t => {
  const { url } = await startServer(t)
  const refuses = async (body: string | Buffer, code: string, hasPosition = true) => {
    const response = await fetch(`${url}/api/v1/dashboards/update`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keyOf.editor}`, 'Content-Type': 'application/json' },
      body,
    })
    t.equal(response.status, 400, code)
    t.match(await response.json(), { code, ...(hasPosition ? { position: Object } : {}) })
  }

  await refuses('', 'body_empty', false)
  await refuses('{"dashboard":{}', 'json_invalid')
  await refuses('dashboard', 'json_invalid')
  await refuses(Buffer.from('{"dashboard":"\xff"}', 'latin1'), 'utf8_invalid')
  await refuses('['.repeat(100_000), 'json_too_deep')
})

t.test('health, readiness and metrics say how it is', async t => {
  const health = new Health()
  const { url } = await startServer(t, { health })
  t.same(await call(url, 'GET /health'), [200, { status: 'ok' }])
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready' }])
  health.raise('sealing_failing', 'no space')
  const reasons = ['sealing_failing: no space']
  t.same(await call(url, 'GET /health'), [200, { status: 'degraded', reasons }])
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready', reasons }], 'events are taken')
  let room: string | undefined = '0 bytes are free'
  health.watch('disk_full', async () => room)
  reasons.unshift('disk_full: 0 bytes are free')
  t.same(await call(url, 'GET /health'), [200, { status: 'degraded', reasons }])
  const [status, problem] = await call(url, 'GET /ready')
  t.equal(status, 503)
  t.match(problem, { code: 'not_ready', detail: /disk_full: 0 bytes are free$/, reasons })
  room = undefined
  health.clear('sealing_failing')
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready' }])
  const metrics = await fetch(`${url}/metrics`)
  t.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4')
  t.equal(await metrics.text(), 'up 1\n')
})

t.test('storage is shown to every API key, figure by figure', async t => {
  const { url } = await startServer(t)
  const before = Date.now()
  const response = await fetch(`${url}/api/v1/settings/storage`, {
    headers: { Authorization: `Bearer ${keyOf.viewer}` },
  })
  const { time, ...figures } = (await response.json()) as StorageFigures
  t.ok(before <= time && time <= Date.now())
  t.same(figures, {
    journal: {
      records: 1,
      bytes: 3,
      files: 2,
      unsealedFiles: 12,
      pendingBytes: 8,
      lastCommitMs: 10.5,
    },
    segments: { records: 4, bytes: 6, files: 5 },
    disk: { freeBytes: 24, totalBytes: 25 },
    quarantine: { files: 26, bytes: 27 },
    retention: { ageMs: config.retentionAgeMs, bytes: null, deletedSegments: 17 },
    events: { accepted: 20, rejected: 21, bytes: 22 },
    isReady: true,
    reasons: [],
    queuedScans: 11,
  })
})

t.test('storage is shown to nobody without an API key', async t => {
  const { url } = await startServer(t)
  t.equal((await fetch(`${url}/api/v1/settings/storage`)).status, 401)
  const headers = { Authorization: `Bearer ${ingestionSecret}` }
  t.equal((await fetch(`${url}/api/v1/settings/storage`, { headers })).status, 403)
})
