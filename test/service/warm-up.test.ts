/** What it asks itself is in `test/http/warm-up.test.ts` and `test/store/answer/warm-up.test.ts`. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { until } from '../until.ts'
import { startServiceOf } from './service-process.ts'

t.test('a service warms up after its start, unless it is told not to', async t => {
  const dataDir = t.testdir()
  const flags = ['--log-level', 'debug']
  const cold = await startServiceOf(t, dataDir, { flags: [...flags, '--warm-up', 'off'] })
  const token = await cold.makeToken()
  await cold.send(token, { message: 'found' })
  t.equal((await cold.query('logs')).body.count, 1, 'it answers all the same')
  t.equal(await cold.end(), 0)

  const environment = { LOGSTRATA_WARM_UP: 'on' }
  const warm = await startServiceOf(t, dataDir, { flags, environment })
  await until(() => warm.output.stderr.includes('"warmed up"'))
  await until(() => warm.output.stderr.includes('"asked itself enough"'))
  const metrics = (await warm.call('GET', '/metrics')).body as string
  t.match(metrics, /logstrata_query_duration_seconds_count 0\n/, 'none of it is counted')
  t.notMatch(cold.output.stderr, 'warmed up')
  t.equal(await warm.end(), 0)
})

/** Long enough for all that it asks itself while it does not wait for anybody, ms. */
const unlessItWaitsMs = 6_000

t.test('what it asks itself a thousand times waits while senders keep it busy', async t => {
  const environment = { LOGSTRATA_WARM_UP: 'on' }
  const flags = ['--log-level', 'debug']
  const service = await startServiceOf(t, t.testdir(), { flags, environment })
  const token = await service.makeToken()
  const events = Array.from({ length: 2_000 }, (_, i) => ({ message: `order ${i} placed`, i }))
  const body = JSON.stringify(events)
  let isSending = true
  let sent = 0
  const sendOn = async () => {
    while (isSending) {
      const answer = await service.call('POST', '/api/v1/webhook/event/logs', { token, body })
      sent += answer.body.accepted
    }
  }
  const senders = [sendOn(), sendOn(), sendOn(), sendOn()]
  const hasSaid = (what: string) => service.output.stderr.includes(`"${what}"`)
  await until(() => hasSaid('warmed up'))
  await pause(unlessItWaitsMs)
  t.notOk(hasSaid('asked itself enough'), 'it still waits')
  isSending = false
  await Promise.all(senders)
  await until(() => hasSaid('asked itself enough'))
  t.equal((await service.query('count(logs)')).body.count, sent, 'all that was sent is there')
  t.equal(await service.end(), 0)
})
