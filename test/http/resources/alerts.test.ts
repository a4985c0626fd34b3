import t from 'tap'
import { call, isMissing } from '../call.ts'
import { alertSummary, keyOf, startServer } from '../stand-ins.ts'

const body = { name: 'n', query: 'logs', condition: { op: '>', threshold: 1 } }

t.test('rules are saved, listed, shown and deleted', async t => {
  const { url } = await startServer(t)
  const rules = '/api/v1/alerts/rules'
  const [status, saved] = await call(url, `POST ${rules}`, body)
  t.equal(status, 200)
  t.match(saved, { id: 'known', ...body })
  t.match(await call(url, `GET ${rules}`), [200, { rules: [saved] }])
  t.match(await call(url, `GET ${rules}/known`), [200, saved])
  t.same(await call(url, `DELETE ${rules}/known`), [204, undefined])
  await isMissing(t, url, `GET ${rules}/other`, 'alert_rule_unknown')
  await isMissing(t, url, `DELETE ${rules}/other`, 'alert_rule_unknown')
})

t.test('a summary has every figure', async t => {
  const { url } = await startServer(t)
  const before = Date.now()
  const [status, { time, ...figures }] = await call(url, 'GET /api/v1/alerts/summary')
  t.equal(status, 200)
  t.ok(before <= time && time <= Date.now())
  t.same(figures, alertSummary)
})

t.test('a preview is about the last day when nothing else is asked for', async t => {
  const ranges: { startTime: number; endTime: number }[] = []
  const preview = async (_rule: unknown, range: (typeof ranges)[number]) => {
    ranges.push(range)
    const none = { fired: 0, firings: [], series: [], seriesCount: 0, everyMs: 1 }
    return { ...none, ...range }
  }
  const { url } = await startServer(t, { alerts: { preview } })
  t.match(await call(url, 'POST /api/v1/alerts/preview', { rule: body }), [200, { fired: 0 }])
  t.equal(ranges[0]!.endTime - ranges[0]!.startTime, 86_400_000)
  t.ok(Math.abs(ranges[0]!.endTime - Date.now()) < 60_000)
  await call(url, 'POST /api/v1/alerts/preview', { rule: body, startTime: 5, endTime: 9 })
  t.same(ranges[1], { startTime: 5, endTime: 9 })
})

t.test('a history is as long as is asked for', async t => {
  const asked: unknown[] = []
  const history = (...parameters: unknown[]) => {
    asked.push(parameters)
    return []
  }
  const { url } = await startServer(t, { alerts: { history } })
  const path = 'GET /api/v1/alerts/history'
  t.same(await call(url, path), [200, { entries: [] }])
  await call(url, `${path}?limit=7&before=0012&ruleId=r`)
  t.same(asked, [
    [100, undefined, undefined],
    [7, '0012', 'r'],
  ])
  const refused = { code: 'field_invalid', field: 'limit' }
  for (const limit of ['0', '1001', 'many', '1.5']) {
    t.match(await call(url, `${path}?limit=${limit}`), [400, refused], limit)
  }
})

t.test('silences and receivers are saved, listed and deleted', async t => {
  const { url } = await startServer(t)
  for (const [path, code] of [
    ['silences', 'alert_silence_unknown'],
    ['receivers', 'alert_receiver_unknown'],
  ] as const) {
    t.match(await call(url, `POST /api/v1/alerts/${path}`, {}), [200, { id: 'known' }])
    t.match(await call(url, `GET /api/v1/alerts/${path}`), [200, { [path]: [{ id: 'known' }] }])
    t.same(await call(url, `DELETE /api/v1/alerts/${path}/known`), [204, undefined])
    await isMissing(t, url, `DELETE /api/v1/alerts/${path}/other`, code)
  }
  const [status, outcome] = await call(url, 'POST /api/v1/alerts/receivers/known/test', {})
  t.same([status, outcome], [200, { ok: false, error: 'none' }])
  t.match(await call(url, 'POST /api/v1/alerts/receivers/other/test', {}), [
    404,
    { code: 'alert_receiver_unknown' },
  ])
})

t.test('viewers look, editors change', async t => {
  const { url } = await startServer(t)
  const as = async (key: string, method: string, path: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = method === 'POST' ? { body: JSON.stringify(body) } : {}
    return (await fetch(`${url}/api/v1/alerts/${path}`, { method, headers, ...sent })).status
  }
  for (const path of [
    'rules',
    'rules/known',
    'states',
    'summary',
    'history',
    'silences',
    'receivers',
  ]) {
    t.equal(await as(keyOf.viewer, 'GET', path), 200, path)
  }
  t.equal(await as(keyOf.viewer, 'POST', 'rules'), 403)
  t.equal(await as(keyOf.viewer, 'DELETE', 'rules/known'), 403)
  t.equal(await as(keyOf.editor, 'POST', 'rules'), 200)
  t.equal(await as(keyOf.editor, 'DELETE', 'rules/known'), 204)
  t.equal(await as(keyOf.viewer, 'POST', 'silences'), 403)
  t.equal(await as(keyOf.editor, 'DELETE', 'silences/known'), 204)
  for (const path of ['receivers', 'receivers/known/test']) {
    t.equal(await as(keyOf.editor, 'POST', path), 403, path)
    t.equal(await as(keyOf.admin, 'POST', path), 200, path)
  }
})
