/** Several front ends with one primary: its settings are theirs, while it is there and while it is away. */
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { runClient } from '../cli/client-process.ts'
import { until } from '../until.ts'
import { adminKey, type ServiceProcess, spawnService, startServiceOf } from './service-process.ts'

const primaryKey = 'key-of-the-front-ends'
const withKey = { LOGSTRATA_PRIMARY_KEY: primaryKey }
const asCopy = { ...withKey, LOGSTRATA_ADMIN_KEY: '' }
const tokensPath = '/api/v1/settings/ingestion-tokens'
const keysPath = '/api/v1/settings/api-keys'
/** Within what a change is everywhere, ms; of a machine that is busy with other tests. */
const soonMs = 3_000

/** Not one that the system gives out: whoever tries such a port of this machine again and again may get it. */
const port = String(20_000 + (process.pid % 10_000))

async function startPrimary(t: Test, dataDir: string): Promise<ServiceProcess> {
  const flags = ['--port', port, '--scan-threads', '1']
  return startServiceOf(t, dataDir, { flags, environment: withKey })
}

function startCopy(t: Test, dataDir: string, primaryUrl: string): Promise<ServiceProcess> {
  const flags = ['--primary', primaryUrl, '--scan-threads', '1']
  return startServiceOf(t, dataDir, { flags, environment: asCopy })
}

async function pair(t: Test) {
  const directory = t.testdir()
  const primary = await startPrimary(t, `${directory}/primary`)
  const copy = await startCopy(t, `${directory}/copy`, primary.url)
  return { primary, copy, directory }
}

async function statusOfEvent(service: ServiceProcess, token: string): Promise<number> {
  const path = '/api/v1/webhook/event/log'
  return (await service.call('POST', path, { token, body: { message: 'm' } })).status
}

/** How long it takes until something holds, ms. */
async function takes(holds: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  await until(holds)
  return performance.now() - startedAt
}

t.test('what is made or deleted on a primary is so on its front ends', async t => {
  const { primary, copy } = await pair(t)
  const made = await primary.call('POST', tokensPath, {
    body: { serviceName: 'shop', environment: 'test' },
  })
  const { id, token } = made.body
  const madeMs = await takes(async () => (await statusOfEvent(copy, token)) === 200)
  t.same((await copy.call('GET', `${tokensPath}/${id}/secret`)).body, { token }, 'shown, too')
  await primary.call('DELETE', `${tokensPath}/${id}`)
  const endedMs = await takes(async () => (await statusOfEvent(copy, token)) === 401)

  const key = (await primary.call('POST', keysPath, { body: { name: 'k', role: 'viewer' } })).body
  const asks = (service: ServiceProcess) =>
    service.call('GET', '/api/v1/session', { token: key.key })
  const keyMs = await takes(async () => (await asks(copy)).status === 200)
  await primary.call('DELETE', `${keysPath}/${key.id}`)
  const revokedMs = await takes(async () => (await asks(copy)).status === 401)
  t.comment(`ms until so: ${[madeMs, endedMs, keyMs, revokedMs].map(Math.round)}`)
  for (const ms of [madeMs, endedMs, keyMs, revokedMs]) t.ok(ms < soonMs)
})

t.test('changes on a front end are made by the primary, and answered as there', async t => {
  const { primary, copy } = await pair(t)
  for (const [asked, other] of [
    [copy, primary],
    [primary, copy],
  ] as const) {
    const sent = '{"dashboard":{"metadata":{"id":"one"},"content":{"n":12345678901234567890}}}'
    const saved = await asked.call('POST', '/api/v1/dashboards/update', { body: sent })
    t.match(saved, { status: 200, body: { id: 'one' } })
    const read = await fetch(`${asked.url}/api/v1/dashboards/one`, {
      headers: { authorization: `Bearer ${adminKey}` },
    })
    t.match(await read.text(), /12345678901234567890/, 'every digit, in the very next answer')
    await until(async () => (await other.call('GET', '/api/v1/dashboards/one')).status === 200)
    const stale = await asked.call('POST', '/api/v1/dashboards/update', {
      body: sent,
      headers: { 'if-match': '"another"' },
    })
    t.match(stale, { status: 412, body: { code: 'dashboard_changed' } })
    t.match(await asked.call('DELETE', '/api/v1/dashboards/two'), {
      status: 404,
      body: { code: 'dashboard_unknown' },
    })
    t.match(await asked.call('POST', keysPath, { body: { name: 'k', role: 'king' } }), {
      status: 400,
      body: { code: 'field_invalid', field: 'role' },
    })
    const made = await asked.call('POST', keysPath, { body: { name: 'k', role: 'editor' } })
    t.equal(made.status, 201)
    const token = made.body.key
    t.equal((await asked.call('GET', '/api/v1/session', { token })).body.name, 'k')
    await until(async () => (await other.call('GET', '/api/v1/session', { token })).status === 200)
    const low = await asked.call('POST', keysPath, { token, body: { name: 'x', role: 'viewer' } })
    t.match(low, { status: 403, body: { code: 'role_insufficient' } })
    const matchers = [{ label: 'environment', operator: '=', value: 'dev' }]
    const silence = { matchers, until: Date.now() + 60_000 }
    const silenced = await asked.call('POST', '/api/v1/alerts/silences', { token, body: silence })
    t.match(silenced, { status: 200, body: { by: 'k' } }, 'by whom, the primary knows')
    t.match(await asked.call('DELETE', `${keysPath}/${made.body.id}`), { status: 204 })
  }
  t.equal((await copy.call('GET', '/api/v1/settings/retention')).status, 200)
})

t.test('settings are for the key of front ends alone', async t => {
  const { primary, copy, directory } = await pair(t)
  const token = await primary.makeToken()
  const path = '/api/v1/front-ends/settings'
  // Not by `fetch`, which tests hold to the API's document: there it is not, as it is no client's.
  const ask = async (service: ServiceProcess, credential?: string) => {
    const headers = credential === undefined ? {} : { authorization: `Bearer ${credential}` }
    const request = http.get(`${service.url}${path}`, { headers })
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    return { status: answer.statusCode, text: await text(answer) }
  }
  const feed = await ask(primary, primaryKey)
  t.equal(feed.status, 200)
  t.notOk(
    [token, adminKey].some(secret => feed.text.includes(secret)),
    'no secret is readable',
  )
  for (const [credential, status] of [
    ...([
      [adminKey, 403],
      [token, 403],
      ['none', 401],
      [undefined, 401],
    ] as const),
  ]) {
    t.equal((await ask(primary, credential)).status, status, credential ?? 'nothing')
  }
  t.equal((await ask(copy, primaryKey)).status, 404, 'a copy is no primary')
  const asNobody = { token: primaryKey, headers: { 'logstrata-caller': 'nobody' } }
  t.equal((await primary.call('GET', keysPath, asNobody)).status, 401)
  t.equal((await primary.call('GET', keysPath, { token: primaryKey })).status, 401)
  const wrong = spawnService(['--data-dir', `${directory}/wrong`, '--primary', primary.url], {
    environment: { LOGSTRATA_PRIMARY_KEY: 'another-key-of-theirs', LOGSTRATA_ADMIN_KEY: '' },
  })
  let said = ''
  wrong.stderr!.on('data', chunk => {
    said += chunk
  })
  const code = await new Promise(resolve => wrong.once('exit', resolve))
  t.equal(code, 1)
  t.match(said, /the first start needs the primary.*does not know the key/)
})

t.test('a backup of a front end is a front end’s', async t => {
  const { primary, copy, directory } = await pair(t)
  const token = await copy.makeToken()
  const backUp = async (name: string) => {
    const argv = ['backup', '--data-dir', `${directory}/copy`, `${directory}/${name}`]
    const { code, stderr } = await runClient(copy.url, adminKey, argv)
    t.equal(code, 0, stderr)
  }
  await backUp('running')
  await primary.end('SIGKILL')
  await copy.end()
  await backUp('stopped')
  for (const target of ['running', 'stopped']) {
    const restored = await startCopy(t, `${directory}/${target}`, primary.url)
    t.equal(await statusOfEvent(restored, token), 200, `${target}: with the last copy`)
    await restored.end()
  }
})

t.test('while the primary is away all goes on but changes', async t => {
  const { primary, copy, directory } = await pair(t)
  const token = await copy.makeToken()
  const rule = { name: 'many', query: 'count(logs)', condition: { op: '>', threshold: 1e6 } }
  t.match(await copy.call('POST', '/api/v1/alerts/rules', { body: rule }), { status: 200 })
  const { rules } = (await copy.call('GET', '/api/v1/alerts/rules')).body
  t.match(rules, [{ name: 'many' }], 'a rule that was passed on is here')
  await primary.end('SIGKILL')
  const isDegraded = async (service: ServiceProcess) =>
    /primary_unreachable/.test(JSON.stringify((await service.call('GET', '/health')).body))
  const goesOn = async (service: ServiceProcess, count: number) => {
    t.equal(await statusOfEvent(service, token), 200)
    t.equal((await service.query('logs')).body.count, count)
    const signedIn = await service.call('POST', '/api/v1/session', { body: { key: adminKey } })
    t.equal(signedIn.status, 200)
    const refused = await service.call('POST', tokensPath, {
      body: { serviceName: 's', environment: 'e' },
    })
    t.match(refused, { status: 503, body: { code: 'primary_unreachable' } })
    t.match(refused.body.detail, /nothing was changed/)
    t.ok(Number(refused.headers.get('retry-after')) > 0)
    await until(() => isDegraded(service))
    t.equal((await service.call('GET', '/ready')).status, 200)
    const metrics = (await service.call('GET', '/metrics')).body as string
    t.match(metrics, /logstrata_settings_copy_age_seconds [\d.]+/)
    t.match(metrics, /logstrata_alert_evaluation_seconds_total 0\n/, 'rules are not evaluated here')
  }
  await goesOn(copy, 1)
  await copy.end('SIGKILL')
  const again = await startCopy(t, `${directory}/copy`, primary.url)
  await goesOn(again, 2)

  const back = await startPrimary(t, `${directory}/primary`)
  await until(async () => !(await isDegraded(again)))
  t.ok(await again.makeToken('other'), 'changes are made again')
  const [{ id }] = (await back.call('GET', tokensPath)).body.tokens
  await back.call('DELETE', `${tokensPath}/${id}`)
  await until(async () => (await statusOfEvent(again, token)) === 401)
  const known = (await again.call('GET', tokensPath)).body.tokens
  t.equal(known.length, 1)

  await again.end()
  const own = await startServiceOf(t, `${directory}/copy`)
  t.match(own.output.stdout + own.output.stderr, /from now on they are its own/)
  t.ok(await own.makeToken('mine'), 'a copy can become a primary')
  await own.end()
  const late = spawnService(['--data-dir', `${directory}/copy`, '--primary', back.url], {
    environment: asCopy,
  })
  t.equal(await new Promise(resolve => late.once('exit', resolve)), 1, 'and is no copy any more')
})
