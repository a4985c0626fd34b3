import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Asked, fakeApi } from './fake-api.ts'
import { fakeTerminal, pipe } from './fake-terminal.ts'

const at = Date.parse('2026-11-20T09:30:00.123Z')

const token = {
  id: 't1',
  serviceName: 'check\x1bout',
  environment: 'prod',
  createdAt: at,
  lastUsedAt: null,
  eventCount: 1234,
  hint: 'wxyz',
}

t.test('lists are tables for people and lines of JSON for scripts', async t => {
  const keys = [{ id: 'k1', name: 'grafana', role: 'viewer', createdAt: at, expiresAt: null }]
  const api = await fakeApi(t, ({ path }) =>
    path.endsWith('tokens') ? { tokens: [token, { ...token, lastUsedAt: at }] } : { keys },
  )
  t.match(await api.run(['tokens', 'list']), {
    code: 0,
    printed:
      'id  service       environment  created               last used             events  ends in\n' +
      't1  check\\x1bout  prod         2026-11-20T09:30:00Z  never                  1,234  wxyz\n' +
      't1  check\\x1bout  prod         2026-11-20T09:30:00Z  2026-11-20T09:30:00Z   1,234  wxyz\n',
  })
  t.match(await api.run(['api-keys', 'list']), {
    printed:
      'id  name     role    created               expires\n' +
      'k1  grafana  viewer  2026-11-20T09:30:00Z  never\n',
  })
  const { printed } = await api.run(['api-keys', 'list', '--json'])
  t.same(JSON.parse(printed), keys[0])

  const none = await fakeApi(t, () => ({ dashboards: [] }))
  t.match(await none.run(['dashboards', 'list']), { printed: 'none\n' })
  t.match(await none.run(['dashboards', 'list', '--json']), { printed: '' })
})

t.test('a secret stands alone on standard output', async t => {
  const api = await fakeApi(t, () => ({ ...token, token: 'the-token' }))
  const create = ['tokens', 'create', '--service', 'checkout', '--environment', 'prod']
  t.match(await api.run(create), { code: 0, printed: 'the-token\n', complained: /t1 of check/ })
  t.match(api.asked[0], {
    method: 'POST',
    path: '/api/v1/settings/ingestion-tokens',
    body: { serviceName: 'checkout', environment: 'prod', parse: null },
  })
  t.equal(JSON.parse((await api.run([...create, '--json'])).printed).token, 'the-token')
  t.match(await api.run(['tokens', 'show', 'a/b']), { printed: 'the-token\n', complained: '' })
  t.equal(api.asked[2]?.path, '/api/v1/settings/ingestion-tokens/a%2Fb/secret')
})

t.test('an API key may end', async t => {
  const api = await fakeApi(t, () => ({ id: 'k', name: 'n', role: 'viewer', key: 'the-key' }))
  const create = ['api-keys', 'create', '--name', 'n', '--role', 'viewer']
  t.match(await api.run(create), { code: 0, printed: 'the-key\n' })
  t.same(api.asked[0]?.body, { name: 'n', role: 'viewer' })

  await api.run([...create, '--expires', '2030-01-01T00:00:00Z'])
  t.equal(api.asked[1]?.body.expiresAt, Date.parse('2030-01-01T00:00:00Z'))
  const beforeMs = Date.now()
  await api.run([...create, '--expires', '30d'])
  const inMs = api.asked[2]?.body.expiresAt - 30 * 86_400_000
  t.ok(beforeMs <= inMs && inMs <= Date.now())
})

t.test('a deletion asks on a terminal, and does what was answered', async t => {
  const api = await fakeApi(t, (_, response) => {
    response.writeHead(204).end()
  })
  const answers = async (argv: string[], answer: string, code: number) => {
    api.asked.length = 0
    const terminal = fakeTerminal({
      environment: { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' },
      stdin: pipe(answer),
      isTTY: true,
    })
    const result = await api.run([...argv, 'ID'], { terminal })
    t.match(result, { code, printed: '', complained: /Delete .* ID for good\?/ }, answer)
    t.same(
      api.asked.map(({ method }) => method),
      code === 0 ? ['DELETE'] : [],
    )
  }

  await answers(['tokens', 'delete'], 'y\n', 0)
  await answers(['api-keys', 'delete'], 'YES\n', 0)
  await answers(['dashboards', 'delete'], 'yes\n', 0)
  await answers(['dashboards', 'delete'], 'no\n', 1)
  await answers(['dashboards', 'delete'], '\n', 1)
  await answers(['dashboards', 'delete'], '', 1)
})

t.test('with --yes a deletion asks nobody', async t => {
  const api = await fakeApi(t, (_, response) => {
    response.writeHead(204).end()
  })
  const result = await api.run(['dashboards', 'delete', '--yes', 'ID'])
  t.match(result, { code: 0, printed: '', complained: 'deleted the dashboard ID\n' })
  t.match(api.asked[0], { method: 'DELETE', path: '/api/v1/dashboards/ID' })
  const json = await api.run(['tokens', 'delete', 'ID', '--yes', '--json'])
  t.match(json, { printed: '{"id":"ID","deleted":true}\n' })
})

t.test('a dashboard is put as it stands in the file, alone or as get prints it', async t => {
  const api = await fakeApi(t, () => ({ id: 'made' }))
  const dashboard = { metadata: { title: 'a' } }
  const dir = t.testdir({
    alone: JSON.stringify(dashboard),
    whole: JSON.stringify({ dashboard }, null, 2),
    broken: '{"metadata"\x1b',
  })
  const puts = async (file: string, stdin = '') => {
    const terminal = fakeTerminal({
      environment: { LOGSTRATA_URL: api.url, LOGSTRATA_KEY: 'a-key' },
      stdin: pipe(stdin),
    })
    const result = await api.run(['dashboards', 'put', file], { terminal })
    t.match(result, { code: 0, printed: 'made\n' })
    t.match(api.asked.at(-1), {
      method: 'POST',
      path: '/api/v1/dashboards/update',
      body: { dashboard },
    })
  }

  await puts(`${dir}/alone`)
  await puts(`${dir}/whole`)
  await puts('-', readFileSync(`${dir}/whole`, 'utf8'))
  const refuses = async (file: string, complaint: RegExp) =>
    t.match(await api.run(['dashboards', 'put', file]), { code: 1, complained: complaint })
  await refuses(`${dir}/none`, /cannot read .* \(ENOENT\)/)
  await refuses(`${dir}/broken`, /broken" is not JSON: [^\x1b]*\n$/)
})

t.test('get prints a dashboard with all its digits', async t => {
  const text = '{"dashboard":{"n":12345678901234567890,"title":"\u009b"}}'
  const api = await fakeApi(t, (_: Asked, response) => {
    response.end(text)
  })
  const { printed } = await api.run(['dashboards', 'get', 'x'])
  t.equal(printed, `${text.replace('\u009b', '\\u009b')}\n`)
})
