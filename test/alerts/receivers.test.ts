import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../../src/limits.ts'
import { openTestCatalog } from '../catalog/catalog-in.ts'
import { alertsWith } from './alerts-in.ts'

const webhook = {
  id: 'hook',
  name: ' Hook ',
  kind: 'webhook',
  webhook: { url: 'https://example.com/in?key=secret-in-query', secret: 'secret-of-hook' },
}
const slack = { name: 'Slack', kind: 'slack', slack: { url: 'https://hooks.example/secret-path' } }
const alertmanager = {
  name: 'AM',
  kind: 'alertmanager',
  alertmanager: { url: 'http://am.example:9093/', user: 'u', password: 'secret-password' },
}

t.test('receivers are kept, and their secrets are neither shown nor in a file', async t => {
  const dataDir = join(t.testdir(), 'data')
  const catalog = await openTestCatalog(t, dataDir)
  const { shelf } = catalog
  const alerts = alertsWith({ shelf })
  for (const receiver of [webhook, slack, alertmanager]) await alerts.saveReceiver(receiver)
  const shown = alerts.receivers()
  t.match(shown, [
    { name: 'AM', kind: 'alertmanager', target: 'http://am.example:9093/', secrets: ['password'] },
    { id: 'hook', name: 'Hook', target: 'https://example.com/in?…', secrets: ['secret'] },
    { name: 'Slack', kind: 'slack', target: 'https://hooks.example/…', secrets: [] },
  ])
  t.notMatch(JSON.stringify(shown), /secret-/)
  await alerts.close()
  await catalog.close()
  for (const name of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue
    const text = readFileSync(join(name.parentPath, name.name), 'latin1')
    t.notMatch(text, /secret-|example/, name.name)
  }
  const again = await openTestCatalog(t, dataDir)
  t.same(alertsWith({ shelf: again.shelf }).receivers(), shown)
})

t.test('without its key a receiver is there, and says why it is not told', async t => {
  const dataDir = join(t.testdir(), 'data')
  const first = await openTestCatalog(t, dataDir)
  await alertsWith({ shelf: first.shelf }).saveReceiver(webhook)
  const { collection, write } = first.shelf
  const other = { ...first.shelf, decrypt: () => undefined, collection, write }
  const alerts = alertsWith({ shelf: other })
  t.match(alerts.receivers(), [{ id: 'hook', target: '', secrets: [] }])
  t.match(await alerts.testReceiver('hook'), { ok: false, error: /secret\.key is not the key/ })
})

t.test('a key that receivers need is not made anew', async t => {
  const dataDir = join(t.testdir(), 'data')
  const first = await openTestCatalog(t, dataDir)
  await alertsWith({ shelf: first.shelf }).saveReceiver(webhook)
  await first.close()
  rmSync(join(dataDir, 'secret.key'))
  await t.rejects(openTestCatalog(t, dataDir), { message: /receivers of alerts are encrypted/ })
})

t.test('a secret that is left out stays, but goes nowhere else', async t => {
  const alerts = alertsWith()
  await alerts.saveReceiver(webhook)
  const secretsOf = async (url: string) => {
    const changed = { ...webhook, webhook: { url } }
    return (await alerts.saveReceiver(changed)).secrets
  }
  t.same(await secretsOf('https://example.com/other'), ['secret'])
  t.same(await secretsOf('https://elsewhere.example/in'), [])
})

t.test('an address that is sent as it was shown, and an empty secret', async t => {
  const alerts = alertsWith()
  const { target } = await alerts.saveReceiver(webhook)
  const save = async (url: string, more: object) =>
    (await alerts.saveReceiver({ ...webhook, webhook: { url, ...more } })).secrets
  const headers = { authorization: 'Bearer secret' }
  t.same(await save(target, { headers }), ['secret', 'headers'])
  t.equal(alerts.receivers()[0]?.target, target, 'its query is still there')
  t.same(await save(target, { secret: '' }), ['headers'])
  t.same(await save(target, { headers: {} }), [])
  t.same(await save('https://other.example/in?…', {}), [])
  const mail = {
    host: 'mail.example',
    port: 465,
    tls: 'tls',
    user: 'u',
    from: 'a@b.example',
    to: ['c@d.example'],
  }
  const email = { ...mail, password: 'secret-password' }
  const shown = await alerts.saveReceiver({ name: 'Mail', kind: 'email', email })
  t.match(shown, { target: 'c@d.example by mail.example', secrets: ['password'] })
  t.same(shown.reach, mail)
})

t.test('a receiver that is deleted is named by no rule', async t => {
  const alerts = alertsWith()
  await alerts.saveReceiver(webhook)
  const condition = { op: '>', threshold: 1 }
  const rule = { id: 'r', name: 'r', query: 'logs', condition, receivers: ['hook'] }
  await alerts.saveRule(rule)
  await alerts.deleteReceiver('hook')
  t.same(alerts.rule('r').receivers, [])
  t.same(alerts.receivers(), [])
  await t.rejects(alerts.deleteReceiver('hook'), { code: 'alert_receiver_unknown' })
  await t.rejects(alerts.testReceiver('hook'), { code: 'alert_receiver_unknown' })
})

t.test('what is no receiver is refused by its field', async t => {
  const alerts = alertsWith()
  const refuses = (more: object, field: string) =>
    t.rejects(
      alerts.saveReceiver({ ...webhook, ...more }),
      { code: 'field_invalid', extras: { field } },
      JSON.stringify(more),
    )
  await refuses({ name: '' }, 'name')
  await refuses({ kind: 'pigeon' }, 'kind')
  await refuses({ kind: 'slack' }, 'slack')
  await refuses({ webhook: {} }, 'webhook.url')
  for (const url of [
    'example.com',
    'ftp://example.com',
    'https://a:b@example.com',
    'javascript:1',
  ]) {
    await refuses({ webhook: { url } }, 'webhook.url')
  }
  const headers = (name: string, value: string) => ({
    webhook: { url: 'https://a.example', headers: { [name]: value } },
  })
  const refused = { code: 'field_invalid' }
  await t.rejects(alerts.saveReceiver({ ...webhook, ...headers('a b', 'c') }), refused)
  await t.rejects(alerts.saveReceiver({ ...webhook, ...headers('a', 'b\nc: d') }), refused)
})

t.test('alertReceiversMax', async t => {
  const alerts = alertsWith()
  for (let i = 0; i < limits.alertReceiversMax; i++) await alerts.saveReceiver(slack)
  await t.rejects(alerts.saveReceiver(slack), { code: 'alert_receivers_too_many' })
})
