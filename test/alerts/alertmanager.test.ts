/** With Debian's Alertmanager as a process of its own; left out, and said so, where there is none. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { until } from '../until.ts'
import { alertsToHere } from './alerts-in.ts'
import { freePort } from './free-port.ts'
import { hookServer, status } from './hook-server.ts'
import { plainStore, recordsOf } from './plain-store.ts'

const program = '/usr/bin/prometheus-alertmanager'
const skip = !existsSync(program) && 'prometheus-alertmanager is not installed'
/** Not the usual minute. */
const resendMs = 400

interface Alertmanager {
  readonly url: string
  get(path: string): Promise<Shown[]>
  restart(): Promise<void>
}

/** What its API shows of alerts and silences. */
// biome-ignore lint/suspicious/noExplicitAny: of another program's answers.
type Shown = any

async function startAlertmanager(t: Test): Promise<Alertmanager> {
  const directory = t.testdir()
  const config = join(directory, 'alertmanager.yml')
  writeFileSync(config, 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const get = async (path: string) =>
    (await (await fetch(`${url}/api/v2/${path}`)).json()) as Shown[]
  let lifeCount = 0
  let child: ChildProcess
  const start = async () => {
    // Each time it knows nothing of what it was told before.
    const storage = join(directory, `data-${lifeCount++}`)
    mkdirSync(storage)
    const flags = [
      `--config.file=${config}`,
      `--storage.path=${storage}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]
    child = spawn(program, flags, { stdio: 'ignore' })
    endWithThisProcess(child)
    await until(() => get('alerts').then(Array.isArray, () => false))
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  t.teardown(stop)
  return {
    url,
    get,
    async restart() {
      await stop()
      await start()
    },
  }
}

const rule = {
  id: 'r',
  name: 'Too much',
  query: 'count by (group) (logs)',
  condition: { op: '>', threshold: 0 },
  everyMs: 1_000,
  delayMs: 0,
  windowMs: 60_000,
  labels: { 'service.name': 'shop', '2nd': 'x' },
  message: '{{value}} in {{labels.group}}',
  receivers: ['am'],
}

/** Alerts whose rule fires for the groups a and b. */
async function firing(t: Test, url: string) {
  const clock = { add: 0 }
  const now = () => Date.now() + clock.add
  const at = Date.now() - 1_000
  const alerts = alertsToHere(t, {
    store: plainStore(recordsOf(at, 'a', 'b')),
    patience: { againMs: 20, againMsMax: 50, resendMs },
    now,
  })
  const alertmanager = { url: `${url}/` }
  await alerts.saveReceiver({ id: 'am', name: 'AM', kind: 'alertmanager', alertmanager })
  alerts.start('')
  await alerts.saveRule(rule)
  return { alerts, clock }
}

const groupsOf = (shown: Shown[]) => shown.map(({ labels }) => labels.group).sort()

t.test(
  'Alertmanager is told what fires, again and again, and what does not any more',
  { skip },
  async t => {
    const manager = await startAlertmanager(t)
    const { alerts } = await firing(t, manager.url)
    await until(async () => (await manager.get('alerts')).length === 2)
    const shown = await manager.get('alerts?filter=group%3D%22a%22')
    const [state] = alerts.states()
    t.match(shown, [
      {
        labels: { alertname: 'Too much', group: 'a', service_name: 'shop', _2nd: 'x' },
        annotations: { summary: '1 in a', query: rule.query },
        startsAt: new Date(state!.since!).toISOString(),
        status: { state: 'active' },
        generatorURL: /^https:\/\/logs\.example\/logs\?query=count/,
      },
    ])

    await manager.restart()
    await until(async () => (await manager.get('alerts')).length === 2)
    t.same(groupsOf(await manager.get('alerts')), ['a', 'b'], 'it is told again what it forgot')

    const endsAt = Date.parse((await manager.get('alerts'))[0].endsAt)
    t.ok(endsAt - Date.now() <= 4 * resendMs, 'without a word an alert ends soon')
    await alerts.deleteRule('r')
    await until(async () => (await manager.get('alerts')).length === 0)
    const delivered = alerts.history(100).filter(({ kind }) => kind === 'delivered')
    t.equal(delivered.length, 2, 'that it fires and that it does not')
  },
)

t.test('a silence is one of Alertmanager too, once, until it is ended', { skip }, async t => {
  const manager = await startAlertmanager(t)
  const { alerts } = await firing(t, manager.url)
  await until(async () => (await manager.get('alerts')).length === 2)
  const silence = await alerts.saveSilence(
    {
      matchers: [
        { label: 'group', operator: '=~', value: 'a|c' },
        { label: 'service.name', operator: '!=', value: 'bank' },
      ],
      until: Date.now() + 3_600_000,
      comment: 'being mended',
    },
    'Ada',
  )
  await until(async () => (await manager.get('silences')).length === 1)
  const [made] = await manager.get('silences')
  t.match(made, {
    createdBy: 'Ada',
    comment: `being mended [logstrata ${silence.id}]`,
    endsAt: new Date(silence.until).toISOString(),
    matchers: [
      { name: 'group', value: 'a|c', isRegex: true, isEqual: true },
      { name: 'service_name', value: 'bank', isRegex: false, isEqual: false },
    ],
  })
  const suppressed = 'alerts?silenced=true&active=false'
  await until(async () => (await manager.get(suppressed)).length === 1)
  t.same(groupsOf(await manager.get(suppressed)), ['a'])
  await alerts.endSilence(silence.id)
  await until(async () => (await manager.get(suppressed)).length === 0)
  t.match(await manager.get('silences'), [{ id: made.id, status: { state: 'expired' } }])
})

t.test('a silence whose answer was lost is not made twice', { skip }, async t => {
  const manager = await startAlertmanager(t)
  // Between both, and takes the answer of the first silence away.
  const proxy = await hookServer(t)
  let madeCount = 0
  const forward = async (response: ServerResponse) => {
    const { method, path, headers, body } = proxy.requests.at(-1)!
    const contentType = headers['content-type'] ?? 'application/json'
    const answer = await fetch(manager.url + path.replace('/hook', ''), {
      method,
      headers: { 'content-type': contentType },
      ...(method === 'POST' && { body }),
    })
    const text = await answer.text()
    if (method === 'POST' && path.endsWith('/silences') && madeCount++ === 0) status(502)(response)
    else response.end(text)
  }
  proxy.answers.push(...Array.from({ length: 100 }, () => forward))
  const { alerts } = await firing(t, proxy.url)
  const matchers = [{ label: 'group', operator: '=', value: 'a' }]
  await alerts.saveSilence({ matchers, until: Date.now() + 60_000 }, 'Ada')
  await until(() => alerts.history(10).some(one => one.kind === 'delivered' && one.ruleId === ''))
  t.equal(madeCount, 1)
  t.equal((await manager.get('silences')).length, 1)
})
