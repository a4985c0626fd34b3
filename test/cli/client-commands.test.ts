/**
 * The commands against the service as a process of its own: what succeeds as processes of their own,
 * and the rest, to be quick, in this one.
 */
import t from 'tap'
import { adminKey } from '../service/service-process.ts'
import { serviceOfProcess } from '../service/shared-service.ts'
import { until } from '../until.ts'
import { runClient } from './client-process.ts'
import { run as runCommandLine } from './fake-api.ts'
import { fakeTerminal } from './fake-terminal.ts'

const service = await serviceOfProcess('client-commands')

const run = (argv: readonly string[], stdin?: string) =>
  runClient(service.url, adminKey, argv, stdin)

/** Runs a command in this process. */
const runHere = (argv: readonly string[], key = adminKey) => {
  const environment = { LOGSTRATA_URL: service.url, LOGSTRATA_KEY: key }
  return runCommandLine(argv, fakeTerminal({ environment }))
}

/** The lines of JSON that a command prints. */
async function lines(argv: readonly string[]) {
  const { code, printed, complained } = await runHere([...argv, '--json'])
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code} ${complained}`)
  return printed
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

async function send(events: readonly object[]): Promise<void> {
  const token = await service.makeToken('checkout', 'test')
  await service.send(token, events)
}

await send(
  Array.from({ length: 1500 }, (_, n) => ({
    level: n % 3 === 0 ? 'error' : 'info',
    message: `order ${n}\x1b[2J`,
    order: n,
    host: `host-${n % 2}`,
  })),
)

t.test('query prints records, counts and groups', async t => {
  const some = await run(['query', 'logs{log_level="error"}', '--limit', '2'])
  t.equal(some.code, 0)
  t.match(some.stdout, /^500 records; the earliest 2:\n/)
  t.match(some.stdout, /ERROR checkout {2}order 0\\x1b\[2J {2}.*order=0 .*\n.*order 3/)

  const all = await lines(['query', 'logs', '--all', '--order', 'desc'])
  t.same(
    all.map(({ attributes }) => Number(attributes.order)),
    Array.from({ length: 1500 }, (_, n) => 1499 - n),
  )

  const groups = await run(['query', 'count by (host) (logs{log_level="error"})'])
  t.match(groups.stdout, /^500 records\nhost {4}count\nhost-[01] {4}250\nhost-[01] {4}250\n$/)
  t.same(await lines(['query', 'count(logs)', '--from', '0', '--to', '1000000000']), [{ count: 0 }])
  t.same(await lines(['query', 'count(logs)']), [{ count: 1500 }])
})

t.test('query computes figures, expressions and series', async t => {
  const value = await run(['query', 'sum(logs{log_level="error"} | unwrap order)'])
  t.match(value, { code: 0, stdout: 'value 374,250, over 500 records\n', stderr: '' })

  const share = await run(['query', 'count(logs{log_level="error"}) / count(logs)'])
  t.match(share, { code: 0, stdout: '   value\n0.333333\n', stderr: '' })
  t.match(await runHere(['query', '1 + 1']), { code: 0, printed: 'value\n    2\n' })

  const range = ['--since', '10m', '--step', '10m']
  const series = await lines(['query', 'count by (host) (logs)', ...range])
  const last = series.map(({ metric, values }) => [metric.host, values.at(-1)[1]])
  t.same(last.sort(), [
    ['host-0', '750'],
    ['host-1', '750'],
  ])
  const broken = await runHere(['query', 'count(logs{a=})', ...range])
  t.match(broken, { code: 2, complained: /\n {2}count\(logs\{a=\}\)\n {15}\^\n/ })
})

t.test('query shows the service’s histogram and stats', async t => {
  const buckets = await lines(['query', 'logs', '--histogram', '--step', '1d'])
  t.match(buckets.at(-1), { count: 1500, levels: { error: 500, info: 1000 } })
  const { complained } = await runHere(['query', 'logs', '--stats'])
  t.ok(JSON.parse(complained).elapsedMs >= 0)
})

t.test('a mistake in a query is shown at its place', async t => {
  const { code, stderr } = await run(['query', 'logs{log_level=}'])
  t.equal(code, 2)
  t.match(stderr, /\n {2}logs\{log_level=\}\n {17}\^\n/)
})

t.test('a token is made, works, is listed, shown and deleted', async t => {
  const create = ['tokens', 'create', '--service', 'web', '--environment', 'dev']
  const token = (await run(create)).stdout.trim()
  const body = { message: 'hello' }
  await service.send(token, body)

  const { id } = (await lines(['tokens', 'list'])).find(({ serviceName }) => serviceName === 'web')
  t.match(await run(['tokens', 'list']), { stdout: new RegExp(`^${id} +web +dev `, 'm') })
  t.match(await run(['tokens', 'show', id]), { code: 0, stdout: `${token}\n` })
  t.match(await runHere(['tokens', 'delete', id]), { code: 2, complained: /--yes/ })
  t.match(await run(['tokens', 'delete', id, '--yes']), { code: 0, stdout: '' })
  t.equal((await service.call('POST', '/api/v1/webhook/event/log', { token, body })).status, 401)
  t.match(await runHere(['tokens', 'show', id]), { code: 1, complained: /404 token_unknown/ })
})

t.test('an API key is made, works within its role, is listed and deleted', async t => {
  const create = ['api-keys', 'create', '--name', 'grafana', '--role', 'viewer', '--expires', '1d']
  const key = (await run(create)).stdout.trim()
  const asViewer = (argv: readonly string[]) => runHere(argv, key)
  t.match(await asViewer(['query', 'count(logs)']), { code: 0 })
  t.match(await asViewer(['tokens', 'list']), { code: 1, complained: /403.*higher role/ })

  const keys = await lines(['api-keys', 'list'])
  const { id } = keys.find(({ name }) => name === 'grafana')
  t.match(await run(['api-keys', 'delete', id, '--yes']), { code: 0 })
  t.match(await asViewer(['query', 'logs']), { code: 1, complained: /401/ })

  const admin = keys.find(({ role }) => role === 'admin').id
  t.match(await runHere(['api-keys', 'delete', admin, '--yes']), {
    code: 1,
    complained: /api_key_last/,
  })
})

t.test('a dashboard comes back as it was put', async t => {
  const text = '{"metadata":{"id":"mine","title":"Mine"},"content":{"big":12345678901234567890}}'
  t.match(await run(['dashboards', 'put', '-'], text), { code: 0, stdout: 'mine\n' })
  const listed = await lines(['dashboards', 'list'])
  t.match(
    listed.find(({ id }) => id === 'mine'),
    { title: 'Mine' },
  )
  const got = (await run(['dashboards', 'get', 'mine'])).stdout
  t.match(got, /"big":12345678901234567890/)

  await run(['dashboards', 'put', '-'], got)
  t.equal((await run(['dashboards', 'get', 'mine'])).stdout, got, 'get and put are inverses')
  t.match(await run(['dashboards', 'delete', 'mine', '--yes']), { code: 0 })
  t.match(await runHere(['dashboards', 'get', 'mine']), {
    code: 1,
    complained: /404 dashboard_unknown/,
  })
  t.match(await run(['dashboards', 'put', '-'], '[]'), { code: 1, stderr: /400 field_invalid/ })
})

t.test('a rule of alerts comes back as it was put, and its state is listed', async t => {
  const rule = { id: 'mine', name: 'Mine', query: 'logs', condition: { op: '>=', threshold: 0 } }
  const text = JSON.stringify(rule)
  t.match(await run(['alerts', 'put', '-'], text), { code: 0, stdout: 'mine\n' })
  await until(async () => {
    const listed = await lines(['alerts', 'list'])
    return listed.some(({ ruleId, state }) => ruleId === 'mine' && state === 'firing')
  })
  const got = (await run(['alerts', 'get', 'mine'])).stdout
  t.match(JSON.parse(got), rule)
  t.match(await run(['alerts', 'put', '-'], got), { code: 0, stdout: 'mine\n' })
  t.match(await run(['alerts', 'put', '-'], 'none'), { code: 1, stderr: /is not JSON/ })
  t.match(await run(['alerts', 'put', '-'], '{}'), { code: 1, stderr: /400 field_invalid/ })
  t.match(await run(['alerts', 'delete', 'mine', '--yes']), { code: 0 })
  t.match(await runHere(['alerts', 'get', 'mine']), { code: 1, complained: /404 alert_rule_unk/ })
})

t.test('status tells how the service does', async t => {
  const [status] = await lines(['status', '--interval', '100ms'])
  t.match(status, { reachable: true, ready: true, records: 1501 })
  t.ok(status.events.total >= 1501 && status.diskBytes > 0 && status.queries.total > 0)
  t.match(await run(['status', '--interval', '100ms']), { code: 0, stdout: /, ready\n/ })
})
