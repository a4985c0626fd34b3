import t from 'tap'
import { hang, hookServer } from '../alerts/hook-server.ts'
import { until } from '../until.ts'
import { browserTest, siteOfFile } from './browser.ts'

/** The receivers of the tests lie on this machine, which alerts may not reach otherwise. */
const flags = ['--alert-private-networks', '127.0.0.0/8']
const site = siteOfFile({ isEmpty: true, flags })

browserTest(t, 'the settings say whether rules are asked and people told, and by whom', async t => {
  const { open, service } = await site()
  const hook = await hookServer(t)
  const { page } = await open({ role: 'admin', path: '/settings/storage' })
  await page.getByRole('navigation', { name: 'Settings' }).getByText('Alerts').click()
  const figure = (title: string) => page.locator('.storage-stat', { hasText: title })
  await figure('Asked last').getByText('not yet').waitFor()
  await figure('Firing').getByText('nothing', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'New receiver' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('On call')
  await dialog.getByLabel('Address').fill(hook.url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'On call' }).waitFor()
  await figure('Not yet told').getByText('receivers have all notices').waitFor()

  hook.answers.push(hang)
  const { receivers } = (await service.call('GET', '/api/v1/alerts/receivers')).body
  const rule = {
    name: 'Silent',
    query: 'count(logs)',
    condition: { op: '<', threshold: 1 },
    everyMs: 1_000,
    delayMs: 0,
    windowMs: 1_000,
    receivers: [receivers[0].id],
  }
  await service.call('POST', '/api/v1/alerts/rules', { body: rule })
  await until(() => hook.requests.length > 0)
  await figure('Not yet told').getByText('1 notice', { exact: true }).waitFor()
  await figure('Firing').getByText('1 alert', { exact: true }).waitFor()
  await figure('Asked last')
    .getByText(/just now|ago/)
    .waitFor()
  t.match(await figure('Rules').first().innerText(), /Rules\s+1/)

  const { page: other } = await open({ role: 'viewer', path: '/settings/alerts' })
  await other.getByRole('row', { name: 'On call' }).waitFor()
  t.equal(await other.getByRole('button', { name: 'New receiver' }).count(), 0)
  await other.getByRole('link', { name: 'Rules and history' }).click()
  await other.getByRole('heading', { name: 'Rules', exact: true }).waitFor()
})
