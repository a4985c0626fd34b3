import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Alerts } from '../../src/alerts/alerts.ts'
import { Addresses } from '../../src/alerts/deliver/addresses.ts'
import { Health } from '../../src/health.ts'
import { limits } from '../../src/limits.ts'
import { until } from '../until.ts'
import { alertsToHere, publicUrl } from './alerts-in.ts'
import { type HookServer, hang, hookOf, hookServer, status } from './hook-server.ts'
import { plainStore } from './plain-store.ts'
import { type MemoryShelf, memoryShelf } from './shelf-in-memory.ts'
import { soon } from './soon.ts'

const patience = { answerMs: 300, againMs: 5, againMsMax: 20 }

const rule = {
  id: 'errors',
  name: 'Errors',
  query: 'logs',
  condition: { op: '>=', threshold: 0 },
  everyMs: 1_000,
  labels: { severity: 'page' },
  message: '{{name}}: {{value}} {{link}}',
}

interface World {
  readonly alerts: Alerts
  readonly shelf: MemoryShelf
  readonly clock: { time: number }
  readonly health: Health
}

function world(t: Test, shelf = memoryShelf(), networks = ['127.0.0.0/8', '::1']): World {
  const clock = { time: 1_700_000_000_000 }
  const health = new Health()
  const now = () => clock.time++
  const alerts = alertsToHere(t, { shelf, health, patience, networks, now })
  return { alerts, shelf, clock, health }
}

/** Fires at once: an alert of a rule for these receivers. */
async function fire({ alerts }: World, receivers: readonly string[] = ['hook']): Promise<void> {
  alerts.start('http://127.0.0.1:7007')
  await alerts.saveRule({ ...rule, receivers })
}

const kindsOf = ({ alerts }: World) =>
  alerts
    .history(100)
    .map(({ kind }) => kind)
    .toReversed()
const ended = (world: World, count = 1) =>
  until(() => kindsOf(world).filter(kind => /delivered/.test(kind)).length >= count)

t.test('a webhook gets JSON, signed as Standard Webhooks says', async t => {
  const server = await hookServer(t)
  const here = world(t)
  const secret = Buffer.from('a secret of the test').toString('base64')
  const headers = { authorization: 'Bearer x', 'x-team': 'shop' }
  await here.alerts.saveReceiver(hookOf(server, { secret: `whsec_${secret}`, headers }))
  await fire(here)
  await ended(here)
  const [{ headers: got, body, method, path } = server.requests[0]!, ...more] = server.requests
  t.same([more.length, method, path], [0, 'POST', '/hook'])
  t.match(got, { ...headers, 'content-type': 'application/json' })
  const signed = `${got['webhook-id']}.${got['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret, 'base64')
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  t.equal(got['webhook-signature'], expected)
  t.match(got['webhook-timestamp'], /^17000000\d\d$/)
  const told = JSON.parse(body)
  t.match(told, {
    id: got['webhook-id'],
    status: 'firing',
    rule: { id: 'errors', name: 'Errors', query: 'logs' },
    firingCount: 1,
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'Errors', severity: 'page' },
        value: 0,
        startsAt: 1_700_000_000_000,
        endsAt: null,
        fingerprint: /^[0-9a-f]{16}$/,
      },
    ],
  })
  const { message, link } = told.alerts[0]
  t.equal(message, `Errors: 0 ${link}`)
  const address = new URL(link)
  t.equal(address.origin + address.pathname, `${publicUrl}/logs`)
  t.same(Object.fromEntries(address.searchParams), {
    query: 'logs',
    from: new Date(1_700_000_000_000 - 310_000).toISOString(),
    to: new Date(1_700_000_000_000 - 10_000).toISOString(),
  })
})

t.test('what fails or hangs is sent again under the same key until it is taken', async t => {
  const server = await hookServer(t)
  server.answers.push(status(500), hang, status(429), response => response.destroy())
  const here = world(t)
  await here.alerts.saveReceiver(hookOf(server, { secret: 'any text' }))
  await fire(here)
  await ended(here)
  t.equal(server.requests.length, 5)
  t.equal(new Set(server.requests.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(server.requests.map(({ body }) => body)).size, 1)
  t.match(here.alerts.history(1), [
    { kind: 'delivered', receiver: 'Hook', attempts: 5, ruleId: 'errors' },
  ])
})

t.test('a redirect is not followed', async t => {
  const server = await hookServer(t)
  const other = await hookServer(t)
  server.answers.push(response => {
    response.writeHead(307, { location: other.url }).end()
  })
  const here = world(t)
  await here.alerts.saveReceiver(hookOf(server))
  await fire(here)
  await ended(here)
  t.equal(server.requests.length, 2)
  t.equal(other.requests.length, 0)
  server.answers.push(response => {
    response.writeHead(302, { location: other.url }).end()
  })
  const outcome = await here.alerts.testReceiver('hook')
  t.same(outcome, { ok: false, error: 'answered 302: redirects are not followed' })
})

t.test('what a receiver refuses for good is not sent again, and said to be lost', async t => {
  const server = await hookServer(t)
  server.answers.push(status(400))
  const here = world(t)
  await here.alerts.saveReceiver(hookOf(server))
  await fire(here)
  await ended(here)
  t.equal(server.requests.length, 1)
  const lost = { kind: 'undelivered', attempts: 1, error: 'answered 400: this is 400' }
  t.match(here.alerts.history(1), [lost])
})

t.test('what nobody takes for a day is given up, and the service says so before', async t => {
  const server = await hookServer(t)
  server.answers.push(...Array.from({ length: 50 }, () => status(503)))
  const here = world(t)
  await here.alerts.saveReceiver(hookOf(server))
  await fire(here)
  await until(() => server.requests.length >= 2)
  t.equal(await here.health.text('alerts_undelivered'), undefined)
  here.clock.time += 6 * 60_000
  await until(async () =>
    /such as Hook: answered 503/.test((await here.health.text('alerts_undelivered')) ?? ''),
  )
  here.clock.time += 24 * 60 * 60_000
  await ended(here)
  t.match(here.alerts.history(1), [{ kind: 'undelivered', error: /^answered 503/ }])
  t.equal(await here.health.text('alerts_undelivered'), undefined)
})

t.test('the end of an alert is told after its beginning, and others do not wait', async t => {
  const server = await hookServer(t)
  const other = await hookServer(t)
  server.answers.push(status(500), status(500))
  const here = world(t)
  await here.alerts.saveReceiver(hookOf(server))
  await here.alerts.saveReceiver({ ...hookOf(other), id: 'other', name: 'Other' })
  await fire(here, ['hook', 'other'])
  await until(() => kindsOf(here).includes('fired'))
  await here.alerts.deleteRule(rule.id)
  await ended(here, 4)
  const statuses = ({ requests }: HookServer) => requests.map(({ body }) => JSON.parse(body).status)
  t.same(statuses(server), ['firing', 'firing', 'firing', 'resolved'])
  t.same(statuses(other), ['firing', 'resolved'])
})

t.test('what was not delivered is after a restart, under the same key', async t => {
  const server = await hookServer(t)
  server.answers.push(hang)
  const first = world(t)
  await first.alerts.saveReceiver(hookOf(server))
  await fire(first)
  await until(() => server.requests.length === 1)
  await first.alerts.close()
  const second = world(t, first.shelf)
  second.alerts.start('')
  await ended(second)
  t.equal(server.requests.length, 2)
  t.equal(new Set(server.requests.map(({ headers }) => headers['webhook-id'])).size, 1)
})

t.test('Slack gets a text', async t => {
  const server = await hookServer(t)
  const here = world(t)
  const slack = { id: 'slack', name: 'Slack', kind: 'slack', slack: { url: server.url } }
  await here.alerts.saveReceiver(slack)
  here.alerts.start('')
  await here.alerts.saveRule({ ...rule, message: 'a < b & {{value}}', receivers: ['slack'] })
  await ended(here)
  const { text } = JSON.parse(server.requests[0]!.body)
  t.match(text, /^\*\[firing\] Errors\*\n:red_circle: a &lt; b &amp; 0 \(severity=page\) <https:/)
})

t.test('Slack gets few of many alerts, and how many more there are', async t => {
  const server = await hookServer(t)
  const groups = Array.from({ length: 100 }, (_, i) => ({ at: 1_699_999_900_000, group: `g${i}` }))
  const clock = { time: 1_700_000_000_000 }
  const now = () => clock.time++
  const alerts = alertsToHere(t, { patience, now, store: plainStore(groups) })
  await alerts.saveReceiver({ id: 'hook', name: 'S', kind: 'slack', slack: { url: server.url } })
  alerts.start('')
  const query = 'count by (group) (logs)'
  await alerts.saveRule({
    ...rule,
    query,
    receivers: ['hook'],
    message: '{{count}} of {{labels.group}}',
  })
  await until(() => server.requests.length === 1)
  const { text } = JSON.parse(server.requests[0]!.body)
  t.match(text, /^\*\[firing: 100\] Errors\*\n/)
  t.match(text, /100 of g0/)
  t.ok(text.length < 4_000, `${text.length} characters`)
})

t.test(
  'private addresses are refused, however they are written, unless they are allowed',
  async t => {
    const server = await hookServer(t)
    const { port } = new URL(server.url)
    const here = world(t, memoryShelf(), [])
    here.alerts.start('')
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']
    for (const host of hosts) {
      await here.alerts.saveReceiver(hookOf({ ...server, url: `http://${host}:${port}/` }))
      const { ok, error } = await here.alerts.testReceiver('hook')
      t.equal(ok, false, host)
      t.match(error, /is a private address: .*--alert-private-networks/, host)
    }
    t.equal(server.requests.length, 0)
    const allowing = world(t, memoryShelf(), ['127.0.0.0/8'])
    allowing.alerts.start('')
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
      await allowing.alerts.saveReceiver(hookOf({ ...server, url: `http://${host}:${port}/` }))
      t.same(await allowing.alerts.testReceiver('hook'), { ok: true }, host)
    }
  },
)

t.test('of addresses only public ones may be reached', async t => {
  const addresses = new Addresses(['10.1.0.0/16', 'fd00:1::/32'])
  const isReached = (address: string, expected: boolean) =>
    t.equal(addresses.mayReach(address), expected, address)
  for (const address of [
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '10.1.2.3',
    'fd00:1::2',
  ]) {
    isReached(address, true)
  }
  const special = [
    '10.2.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
  ]
  for (const address of [
    ...special,
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00:2::1',
    'ff02::1',
  ]) {
    isReached(address, false)
  }
  for (const address of ['::ffff:10.2.0.1', '::ffff:169.254.169.254', '64:ff9b::a00:1']) {
    isReached(address, false)
  }
  isReached('::ffff:1.1.1.1', true)
})

t.test('alertDeliveriesMax', async t => {
  const servers = await Promise.all(
    Array.from({ length: limits.alertDeliveriesMax + 2 }, () => hookServer(t)),
  )
  const here = world(t)
  for (const [i, server] of servers.entries()) {
    server.answers.push(hang)
    await here.alerts.saveReceiver({ ...hookOf(server), id: `r${i}`, name: `r${i}` })
  }
  here.alerts.start('')
  const ids = servers.map((_, i) => `r${i}`)
  await here.alerts.saveRule({ ...rule, receivers: ids.slice(0, 5) })
  await here.alerts.saveRule({ ...rule, id: 'second', receivers: ids.slice(5) })
  const asked = () => servers.filter(({ requests }) => requests.length > 0).length
  await until(() => asked() >= limits.alertDeliveriesMax)
  t.equal(asked(), limits.alertDeliveriesMax)
  await until(() => asked() === servers.length)
  await ended(here, servers.length)
})

t.test('alertNoticesMax, and the oldest is given up', async t => {
  const here = world(t)
  const server = await hookServer(t)
  server.answers.push(...Array.from({ length: 9_999 }, () => status(503)))
  await here.alerts.saveReceiver(hookOf(server))
  here.alerts.start('')
  const saved = limits.alertNoticesMax / 2 + 3
  for (let i = 0; i < saved; i++) {
    await here.alerts.saveRule({ ...rule, receivers: ['hook'], windowMs: 1_000 + i })
    await soon(() => here.alerts.states()[0]?.state === 'firing')
  }
  const givenUp = here.alerts.history(2_000).filter(({ kind }) => kind === 'undelivered')
  t.equal(givenUp.length, 2 * saved - 1 - limits.alertNoticesMax)
  t.match(givenUp, [{ error: 'too many notices wait for receivers' }])
})
