/** With Debian's aiosmtpd as a process of its own; left out, and said so, where there is none. */
import t, { type Test } from 'tap'
import { directoryOfProcess } from '../directory-of-process.ts'
import { startService } from '../service/service-process.ts'
import { until } from '../until.ts'
import { alertsToHere } from './alerts-in.ts'
import { freePort } from './free-port.ts'
import { mailServer, noMailServer as skip } from './mail-server.ts'

const receiverFor = (port: number, more: object = {}) => ({
  id: 'mail',
  name: 'Mail',
  kind: 'email',
  email: {
    host: '127.0.0.1',
    port,
    tls: 'none',
    from: 'logs@shop.example',
    to: ['ada@shop.example', 'bob@shop.example'],
    ...more,
  },
})

const rule = {
  id: 'r',
  name: 'Fehler im Köln-Lager',
  query: 'logs',
  condition: { op: '>=', threshold: 0 },
  everyMs: 1_000,
  labels: { severity: 'page' },
  message: '{{value}} – zu wenig',
  receivers: ['mail'],
}

function alertsOf(t: Test) {
  const alerts = alertsToHere(t, { now: Date.now })
  alerts.start('')
  return alerts
}

t.test('an alert is mailed, and mailed again when nobody took it', { skip }, async t => {
  const port = await freePort()
  const alerts = alertsOf(t)
  await alerts.saveReceiver(receiverFor(port))
  await alerts.saveRule(rule)
  await until(() => alerts.states()[0]?.state === 'firing')
  t.match(await alerts.testReceiver('mail'), { ok: false, error: /ECONNREFUSED/ })
  const { mails } = await mailServer(t, 'plain', port)
  await until(() => alerts.history(1)[0]?.kind === 'delivered')
  await until(() => mails.length > 0)
  const [mail, ...more] = mails
  t.same(more, [])
  t.match(mail, { from: 'logs@shop.example', to: ['ada@shop.example', 'bob@shop.example'] })
  t.match(mail?.content, /^Message-ID: <msg_[0-9a-f]{32}@logstrata>\r?$/m)
  t.match(mail?.content, /^Auto-Submitted: auto-generated\r?$/m)
  t.match(mail?.content, /^Subject: =\?UTF-8\?Q\?=5Bfiring=5D_Fehler_im_K=C3=B6ln/m)
  t.match(
    mail?.content,
    /^firing: 0 =E2=80=93 zu wenig\r?\nseverity=3Dpage\r?\nhttps:\/\/logs\.example/m,
  )
})

t.test('what a server says of a mail for good is final', { skip }, async t => {
  const { port, mails } = await mailServer(t, 'plain')
  const alerts = alertsOf(t)
  await alerts.saveReceiver(receiverFor(port, { to: ['nobody@shop.example'] }))
  await alerts.saveRule(rule)
  await until(() => alerts.history(1)[0]?.kind === 'undelivered')
  t.match(alerts.history(1), [{ attempts: 1, error: /550 no such mailbox/ }])
  t.same(mails, [])
})

t.test(
  'who sends is said, and a certificate that nobody knows is not believed',
  { skip },
  async t => {
    const alerts = alertsOf(t)
    const plain = await mailServer(t, 'plain')
    const tried = async (port: number, more: object) => {
      await alerts.saveReceiver(receiverFor(port, more))
      return alerts.testReceiver('mail')
    }
    t.same(await tried(plain.port, { user: 'u', password: 'p' }), { ok: true })
    await until(() => plain.mails.length > 0)
    t.equal(plain.mails[0]?.isKnown, true)
    t.match(await tried(plain.port, { user: 'u', password: 'wrong' }), { ok: false, error: /535/ })
    t.match(await tried(plain.port, { tls: 'starttls' }), { ok: false, error: /STARTTLS/i })
    for (const mode of ['tls', 'starttls'] as const) {
      const { port, mails } = await mailServer(t, mode)
      t.match(await tried(port, { tls: mode }), { ok: false, error: /self.signed/i }, mode)
      t.same(mails, [])
    }
  },
)

t.test('the service mails by TLS under a certificate that it knows', { skip }, async t => {
  for (const mode of ['tls', 'starttls'] as const) {
    const { port, mails, certificate } = await mailServer(t, mode)
    const service = await startService(directoryOfProcess(`mailing-by-${mode}`), {
      flags: ['--alert-private-networks', '127.0.0.1'],
      environment: { NODE_EXTRA_CA_CERTS: certificate.cert },
    })
    const body = receiverFor(port, { tls: mode, user: 'u', password: 'p' })
    const saved = await service.call('POST', '/api/v1/alerts/receivers', { body })
    const target = 'ada@shop.example, bob@shop.example by 127.0.0.1'
    t.match(saved.body, { kind: 'email', target, secrets: ['password'] })
    const path = '/api/v1/alerts/receivers/mail/test'
    t.same((await service.call('POST', path, { body: {} })).body, { ok: true }, mode)
    await until(() => mails.length > 0)
    t.match(mails, [{ isEncrypted: true, isKnown: true }])
    await service.end()
  }
})

t.test('a mail server at a private address is refused', async t => {
  const alerts = alertsToHere(t, { networks: [] })
  alerts.start('')
  for (const host of ['127.0.0.1', 'localhost']) {
    await alerts.saveReceiver(receiverFor(25, { host }))
    t.match(await alerts.testReceiver('mail'), { ok: false, error: /is a private address/ }, host)
  }
})
