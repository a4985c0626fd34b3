import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hookServer } from '../alerts/hook-server.ts'
import { mailServer, noMailServer } from '../alerts/mail-server.ts'
import { until } from '../until.ts'
import { browserTest, siteOfFile } from './browser.ts'

/** The receivers of the tests lie on this machine, which alerts may not reach otherwise. */
const flags = ['--alert-private-networks', '127.0.0.0/8']
const site = siteOfFile({ isEmpty: true, flags })

async function receiversPage() {
  const { open } = await site()
  const { page } = await open({ role: 'admin', path: '/alerts?tab=receivers' })
  const dialog = page.getByRole('dialog')
  const edit = async (name: string, action: 'Edit' | 'New') => {
    const button = action === 'New' ? 'New receiver' : `Edit ${name}`
    await page.getByRole('button', { name: button }).click()
    if (action === 'New') await dialog.getByLabel('Name').fill(name)
  }
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const tryOut = async (name: string) => {
    await page.getByRole('button', { name: `Test ${name}` }).click()
    await page.getByText(`${name} was told of a test.`).first().waitFor()
  }
  return { page, dialog, edit, save, tryOut }
}

browserTest(
  t,
  'a webhook has headers of its own, which stay until they are taken away',
  async t => {
    const hook = await hookServer(t)
    const { page, dialog, edit, save, tryOut } = await receiversPage()
    await edit('The hook', 'New')
    await dialog.getByLabel('Address').fill(`${hook.url}?key=k`)
    await dialog.getByLabel('Further headers').fill('no header')
    await dialog.getByText('write one a line, as Name: value').waitFor()
    await dialog.getByLabel('Further headers').fill('Authorization: Bearer abc\nX-Team: shop')
    await save()
    await tryOut('The hook')
    t.match(hook.requests, [{ headers: { authorization: 'Bearer abc', 'x-team': 'shop' } }])

    await edit('The hook', 'Edit')
    await dialog.getByLabel('Name').fill('That hook')
    t.notMatch(await page.content(), /Bearer abc|key=k/, 'no secret is shown again')
    await save()
    await tryOut('That hook')
    t.match(hook.requests[1], { path: '/hook?key=k', headers: { authorization: 'Bearer abc' } })

    await edit('That hook', 'Edit')
    await dialog.getByLabel('Keep further headers').uncheck()
    t.equal(await dialog.getByLabel('Further headers', { exact: true }).inputValue(), '')
    await save()
    await tryOut('That hook')
    t.same(hook.requests[2]?.headers.authorization, undefined)
  },
)

browserTest(t, 'an Alertmanager is asked by name or with a token', async t => {
  const hook = await hookServer(t)
  const { dialog, edit, save, tryOut } = await receiversPage()
  // What the page says of the try before may still stand there.
  const told = async (tries: number) => {
    while (hook.requests.length < tries) await pause(20)
    return hook.requests[tries - 1]?.headers.authorization
  }
  await edit('Manager', 'New')
  await dialog.getByLabel('Kind').selectOption({ label: 'Alertmanager' })
  await dialog.getByLabel('Address').fill(new URL(hook.url).origin)
  await dialog.getByLabel('Credentials').selectOption({ label: 'User and password' })
  await dialog.getByLabel('User').fill('ada')
  await dialog.getByLabel('Password').fill('pass')
  await save()
  await tryOut('Manager')
  t.equal(await told(1), `Basic ${btoa('ada:pass')}`)

  await edit('Manager', 'Edit')
  t.equal(await dialog.getByLabel('User').inputValue(), 'ada')
  t.equal(await dialog.getByLabel('Keep the password').isChecked(), true)
  await dialog.getByLabel('Address').fill('http://elsewhere.example')
  t.equal(await dialog.getByLabel('Keep the password').count(), 0, 'nothing is kept for others')
  t.equal(await dialog.getByLabel('Password').inputValue(), '')
  await dialog.getByLabel('Address').fill(new URL(hook.url).origin)
  await dialog.getByLabel('User').fill('bob')
  await save()
  await tryOut('Manager')
  t.equal(await told(2), `Basic ${btoa('bob:pass')}`)

  await edit('Manager', 'Edit')
  await dialog.getByLabel('Credentials').selectOption({ label: 'Bearer token' })
  await dialog.getByLabel('Token').fill('tok')
  await save()
  await tryOut('Manager')
  t.equal(await told(3), 'Bearer tok')
})

const mailTest = async (t: Test) => {
  const { port, mails } = await mailServer(t, 'plain')
  const { dialog, edit, save, tryOut } = await receiversPage()
  await edit('People', 'New')
  await dialog.getByLabel('Kind').selectOption({ label: 'E-mail' })
  await dialog.getByLabel('Mail server').fill(`127.0.0.1:${port}`)
  await dialog.getByLabel('Encryption').selectOption({ label: 'none' })
  await dialog.getByLabel('From').fill('logs@shop.example')
  await dialog.getByLabel('To').fill('ada, bob@shop.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('email.to').waitFor()
  await dialog.getByLabel('To').fill('ada@shop.example, bob@shop.example')
  await dialog.getByLabel('Credentials').selectOption({ label: 'User and password' })
  await dialog.getByLabel('User').fill('u')
  await dialog.getByLabel('Password').fill('p')
  await save()
  await tryOut('People')
  const to = ['ada@shop.example', 'bob@shop.example']
  await until(() => mails.length === 1)
  t.match(mails, [{ from: 'logs@shop.example', to, isKnown: true }])

  await edit('People', 'Edit')
  t.equal(await dialog.getByLabel('Mail server').inputValue(), `127.0.0.1:${port}`)
  await dialog.getByLabel('To').fill('carl@shop.example')
  await save()
  await tryOut('People')
  await until(() => mails.length === 2)
  t.match(mails[1], { to: ['carl@shop.example'], isKnown: true }, 'all else is as it was')
}

const title = 'a mailbox is told, set up in the form'
if (noMailServer === false) browserTest(t, title, mailTest)
else t.test(title, { skip: noMailServer }, mailTest)
