import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { until } from '../until.ts'

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
  service.call('POST', '/api/v1/webhook/event/log', {
    token,
    body: { level: 'error', message: 'failed', host },
  })

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
