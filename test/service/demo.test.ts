import t from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { until } from '../until.ts'
import { type ServiceProcess, startServiceOf } from './service-process.ts'

async function count(service: ServiceProcess, query: string, more = {}): Promise<number> {
  return (await service.query(query, { limit: 1, ...more })).body.count
}

const hasFilled = (service: ServiceProcess) => () => service.output.stderr.includes('filled in')
const demo = { flags: ['--demo'] }
const inShop = 'logs{environment="demo"}'

t.test('--demo fills in the last hours once and goes on live, less who lost a token', async t => {
  const dataDir = t.testdir()
  const begun = Date.now()
  const service = await startServiceOf(t, dataDir, demo)
  await until(hasFilled(service))
  const past = await count(service, inShop, { endTime: begun - 60_000 })
  t.ok(past > 20_000, `${past} events of the past`)
  const oldest = (await service.query(inShop, { limit: 1 })).body.logs[0].timestamp
  t.ok(Math.abs(begun - 4 * hourMs - oldest) < 60_000)
  const services = await service.query('count by (service.name) (logs{environment="demo"})')
  t.equal(services.body.groups.length, 6)
  const [error] = (await service.query('logs{log_level="error", service.name="gateway"}')).body.logs
  const trace = error.attributes.trace_id
  t.ok((await count(service, `logs{trace_id="${trace}"}`)) >= 1)

  const before = await count(service, inShop)
  await until(async () => (await count(service, inShop)) > before + 5)
  await until(async () => (await count(service, 'logs{service.name="logstrata"}')) >= 2)
  t.match(service.output.stdout, /start without --demo/, 'it says how to stop it')
  const tokens = await service.call('GET', '/api/v1/settings/ingestion-tokens')
  t.equal(tokens.body.tokens.length, 10)
  t.equal(await service.end(), 0, 'it stops cleanly in the middle of it')

  const again = await startServiceOf(t, dataDir, demo)
  const range = { endTime: begun - 60_000 }
  const found = await count(again, inShop)
  await until(async () => (await count(again, inShop)) > found + 5)
  t.equal(await count(again, inShop, range), past, 'the past is not doubled')
  t.notOk(hasFilled(again)())
  const same = await again.call('GET', '/api/v1/settings/ingestion-tokens')
  t.same(
    same.body.tokens.map(({ id }: { id: string }) => id),
    tokens.body.tokens.map(({ id }: { id: string }) => id),
  )

  const { id } = same.body.tokens.find(
    ({ serviceName, environment }: Record<string, string>) =>
      serviceName === 'gateway' && environment === 'demo',
  )
  const at = `/api/v1/settings/ingestion-tokens/${id}`
  t.equal((await again.call('DELETE', at)).status, 204)
  await until(() => again.output.stderr.includes('"sender":"gateway demo"'))
  const search = 'count(logs{service.name="search"})'
  const others = await count(again, search)
  await until(async () => (await count(again, search)) > others)
  t.equal(await again.end(), 0)
})

t.test(
  '--self-log alone ingests the service’s own records; without it there is nothing',
  async t => {
    const dirs = t.testdir({ self: {}, plain: {} })
    const service = await startServiceOf(t, `${dirs}/self`, {
      environment: { LOGSTRATA_SELF_LOG: 'on' },
    })
    await until(async () => (await count(service, 'logs')) > 0)
    const { logs } = (await service.query('logs')).body
    t.match(logs[0], {
      attributes: { 'service.name': 'logstrata', environment: 'self', kind: 'start' },
    })
    t.equal(await service.end(), 0)

    const plain = await startServiceOf(t, `${dirs}/plain`, {
      environment: { LOGSTRATA_DEMO: 'off' },
    })
    t.equal(await count(plain, 'logs'), 0)
    t.same((await plain.call('GET', '/api/v1/settings/ingestion-tokens')).body, { tokens: [] })
    t.equal(await plain.end(), 0)
  },
)
