import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PrometheusDriver } from 'prometheus-query'
import t from 'tap'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { until } from '../until.ts'
import { hang, hookOf, hookServer } from './hook-server.ts'

const ruleId = 'errors'
const rule = {
  id: ruleId,
  name: 'Errors',
  query: 'count by (host) (logs{log_level="error"})',
  condition: { op: '>=', threshold: 2 },
  everyMs: 1_000,
  delayMs: 0,
  windowMs: 4_000,
}

const send = (service: ServiceProcess, token: string, host: string) =>
  service.send(token, { level: 'error', message: 'failed', host })

async function stateOf(service: ServiceProcess) {
  const { body } = await service.call('GET', '/api/v1/alerts/states')
  return body.states.find((state: { ruleId: string }) => state.ruleId === ruleId)
}

async function historyOf(service: ServiceProcess) {
  const { body } = await service.call('GET', '/api/v1/alerts/history')
  return body.entries.toReversed()
}

t.test('a rule fires on what was just sent, and is resolved, over a kill -9', async t => {
  const dataDir = join(t.testdir(), 'data')
  let service = await startService(dataDir)
  const token = await service.makeToken()
  t.match(await service.call('POST', '/api/v1/alerts/rules', { body: rule }), { status: 200 })
  t.match(await stateOf(service), { state: 'inactive', alerts: [] })

  await send(service, token, 'a')
  await send(service, token, 'a')
  await send(service, token, 'b')
  await until(async () => (await stateOf(service)).state === 'firing')
  const firing = await stateOf(service)
  const labels = { host: 'a', alertname: 'Errors' }
  t.match(firing, { health: 'ok', alerts: [{ state: 'firing', labels, value: 2 }] })
  t.equal(firing.alerts.length, 1, 'one of the other host is not enough')
  t.equal(firing.upTo, firing.evaluatedAt - firing.lateMs)
  t.equal(firing.alerts[0].firedAt % rule.everyMs, 0)

  const seen = {
    labels,
    annotations: { summary: 'Errors: 2' },
    state: 'firing',
    activeAt: new Date(firing.since).toISOString(),
    value: '2',
  }
  for (const at of ['/api/v1', '/prometheus/api/v1']) {
    const alerts = await service.call('GET', `${at}/alerts`)
    t.same(alerts.body, { status: 'success', data: { alerts: [seen] } })
    const { body } = await service.call('GET', `${at}/rules?type=alert`)
    const [group, ...more] = body.data.groups
    t.same(more, [])
    const shown = { type: 'alerting', state: 'firing', health: 'ok', alerts: [seen], duration: 0 }
    t.match(group, { name: 'every 1s', interval: 1, rules: [shown] })
    t.equal(group.rules[0].query, `${rule.query} >= 2`)
    t.same(group.rules[0].annotations, { summary: '{{name}}: {{value}}' }, 'of the rule itself')
    const recorded = await service.call('GET', `${at}/rules?type=record`)
    t.same(recorded.body.data, { groups: [] })
  }
  const client = new PrometheusDriver({
    endpoint: service.url,
    headers: { authorization: `Bearer ${adminKey}` },
  })
  const [group] = await client.rules()
  t.match(group?.rules[0], { name: 'Errors', alerts: [{ state: 'firing', value: 2 }] })
  t.match(await client.alerts(), [{ state: 'firing', labels }])

  await service.end('SIGKILL')
  await delay(1_000)
  service = await startService(dataDir)
  await until(async () => (await stateOf(service)).state === 'inactive')
  const [fired, resolved, ...more] = await historyOf(service)
  t.match(fired, { kind: 'fired', at: firing.since, labels, value: 2, ruleId })
  t.match(resolved, { kind: 'resolved', labels, ruleId })
  t.same(more, [], 'each happened once')

  const now = Date.now()
  const range = { startTime: now - 60_000, endTime: now }
  const preview = await service.call('POST', '/api/v1/alerts/preview', {
    body: { rule, ...range },
  })
  const foreseen = { labels: { host: 'a' }, startedAt: fired.at, resolvedAt: resolved.at, value: 2 }
  t.match(preview.body, { fired: 1, firings: [foreseen] })
  t.equal(await service.end(), 0)
})

t.test('what a rule is refused for says where', async t => {
  const service = await startService(join(t.testdir(), 'data'))
  const body = { rule: { ...rule, query: 'count(logs{host=)' } }
  const answer = await service.call('POST', '/api/v1/alerts/preview', { body })
  t.match(answer, { status: 400, body: { code: 'query_syntax', position: { column: 17 } } })
  await service.end()
})

t.test('who was not told before a kill -9 is told after it, under the same key', async t => {
  const server = await hookServer(t)
  server.answers.push(hang)
  const dataDir = join(t.testdir(), 'data')
  const flags = ['--alert-private-networks', '127.0.0.0/8', '--public-url', 'https://logs.example/']
  const first = await startService(dataDir, { flags })
  const receiver = hookOf(server, { secret: 'of the test' })
  t.match(await first.call('POST', '/api/v1/alerts/receivers', { body: receiver }), { status: 200 })
  const always = { condition: { op: '>=', threshold: 0 }, query: 'logs', receivers: ['hook'] }
  await first.call('POST', '/api/v1/alerts/rules', { body: { ...rule, ...always } })
  await until(() => server.requests.length === 1)
  await first.end('SIGKILL')

  const second = await startService(dataDir, { flags })
  await until(async () => {
    const [latest] = (await second.call('GET', '/api/v1/alerts/history')).body.entries
    return latest?.kind === 'delivered'
  })
  const [one, other, ...more] = server.requests
  t.same(more, [])
  t.equal(other?.headers['webhook-id'], one?.headers['webhook-id'])
  t.equal(other?.body, one?.body)
  t.match(JSON.parse(other!.body).alerts, [{ link: /^https:\/\/logs\.example\/logs\?query=logs&/ }])
  const { body: metrics } = await second.call('GET', '/metrics')
  t.match(metrics, /^logstrata_alert_firing 1$/m)
  t.match(metrics, /^logstrata_alert_deliveries_total\{kind="webhook",outcome="delivered"\} 1$/m)
  await second.end()
})

t.test('a receiver at a private address is refused without a setting', async t => {
  const server = await hookServer(t)
  const service = await startService(join(t.testdir(), 'data'))
  const receiver = hookOf(server)
  await service.call('POST', '/api/v1/alerts/receivers', { body: receiver })
  const { status, body } = await service.call('POST', '/api/v1/alerts/receivers/hook/test', {
    body: {},
  })
  t.match([status, body], [200, { ok: false, error: /--alert-private-networks/ }])
  t.equal(server.requests.length, 0)
  await service.end()
})

t.test(
  'a rule of ten thousand groups says that it has too many, and nothing else suffers',
  async t => {
    const service = await startService(join(t.testdir(), 'data'))
    const token = await service.makeToken()
    const hosts = Array.from({ length: 10_000 }, (_, i) => ({
      level: 'error',
      message: 'm',
      host: `h${i}`,
    }))
    await service.send(token, hosts)
    const many = { ...rule, condition: { op: '>', threshold: 0 }, windowMs: 60_000 }
    await service.call('POST', '/api/v1/alerts/rules', { body: many })
    await until(async () => (await stateOf(service)).health === 'err')
    const state = await stateOf(service)
    t.match(state, { state: 'inactive', alerts: [], error: /more than 500 alerts at once/ })
    const preview = await service.call('POST', '/api/v1/alerts/preview', { body: { rule: many } })
    t.match(preview, { status: 400, body: { code: 'query_too_large' } })
    t.match(await service.query('count(logs)'), { status: 200, body: { count: 10_000 } })
    await service.call('POST', '/api/v1/alerts/rules', {
      body: { ...many, query: 'count(logs{log_level="error"})' },
    })
    await until(async () => (await stateOf(service)).state === 'firing')
    await service.end()
  },
)
