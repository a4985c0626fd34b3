import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { browserTest, isDrawn, siteOfFile } from './browser.ts'

/** The receiver of the test lies on this machine, which alerts may not reach otherwise. */
const flags = ['--alert-private-networks', '127.0.0.0/8']
const site = siteOfFile({ isEmpty: true, flags })

/** Who is told: answers 200, and keeps what came. */
async function listening(t: Test) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await new Response(request as never).text())
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Errors of the last hours, four in each of three bursts. */
async function sendBursts(service: Awaited<ReturnType<typeof site>>['service']): Promise<void> {
  const token = await service.makeToken('shop', 'prod')
  const body = [6, 4, 2].flatMap(hours =>
    [0, 1, 2, 3].map(second => ({
      level: 'error',
      message: 'out of stock',
      time: Date.now() - hours * hourMs + second * 1_000,
    })),
  )
  await service.send(token, body, 'time')
}

browserTest(
  t,
  'a query becomes a rule, whose preview says how often it would have fired',
  async t => {
    const { open, service } = await site()
    await sendBursts(service)
    const query = 'count(logs{service.name="shop"})'
    const path = `/logs?${new URLSearchParams({ query, from: 'now-12h' })}`
    const { page } = await open({ role: 'editor', path })
    await page.getByRole('button', { name: 'Save as', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Alert' }).click()
    await page.waitForURL('**/alerts/new?*')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'Would not have fired in the last 24 h' }).waitFor()
    await page.getByLabel('Value', { exact: true }).fill('3')
    await preview.getByRole('heading', { name: 'Would have fired 3 times' }).waitFor()
    await preview.locator('.uplot').waitFor()
    t.equal(await preview.getByRole('table').getByRole('row').count(), 4, 'each with its time')
    await page.getByLabel('Over the last').fill('soon')
    await page.getByText('write a duration such as 5m').waitFor()
    await page.getByLabel('Over the last').fill('5m')
    await page.getByLabel('Name').fill('Out of stock')
    await page.getByLabel('Labels').fill('severity=page')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/alerts')
    const row = page.getByRole('region', { name: 'Rules of alerts' }).getByText('Out of stock')
    await row.click()
    await page.getByRole('heading', { name: 'Out of stock' }).waitFor()
    t.equal(await page.getByLabel('Value', { exact: true }).inputValue(), '3')
    const { body } = await service.call('GET', '/api/v1/alerts/rules')
    t.match(body.rules, [
      { query, condition: { op: '>', threshold: 3 }, labels: { severity: 'page' } },
    ])
  },
)

browserTest(
  t,
  'a receiver is made, tried, and told; what fires is listed, and can be silenced',
  async t => {
    const { open, service } = await site()
    const { bodies, url } = await listening(t)
    const { page } = await open({ role: 'admin', path: '/alerts?tab=receivers' })
    await page.getByRole('button', { name: 'New receiver' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('The shift')
    await dialog.getByLabel('Address').fill(url)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Test The shift' }).click()
    await page.getByText('The shift was told of a test.').waitFor()
    t.equal(bodies.length, 1)

    const { body } = await service.call('GET', '/api/v1/alerts/receivers')
    const token = await service.makeToken('till', 'prod')
    const events = Array.from({ length: 5 }, () => ({ level: 'error', message: 'no paper' }))
    await service.send(token, events)
    const rule = {
      name: 'No paper',
      query: 'count by (environment) (logs{service.name="till"})',
      condition: { op: '>', threshold: 1 },
      everyMs: 1_000,
      windowMs: 3_600_000,
      delayMs: 0,
      receivers: [body.receivers[0].id],
    }
    await service.call('POST', '/api/v1/alerts/rules', { body: rule })
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    const active = page.getByRole('region', { name: 'Alerts that are active' })
    await active.getByText('Firing').waitFor()
    t.match(await active.innerText(), /No paper.*environment prod.*5/s)

    await active.getByRole('button', { name: 'Silence' }).click()
    t.match(
      await dialog.getByLabel('Of alerts with these labels').inputValue(),
      'alertname="No paper"',
    )
    await dialog.getByLabel('Why').fill('it is on its way')
    await page.keyboard.press('Enter')
    await active.getByText('silenced').waitFor()
    await page.getByRole('link', { name: 'Silences' }).click()
    await page.getByText('it is on its way').waitFor()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No silence holds').waitFor()

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('cell', { name: 'fired' }).first().waitFor()
    await isDrawn(page)
  },
)

browserTest(t, 'viewers see alerts and cannot change them', async t => {
  const { open } = await site()
  const { page } = await open({ role: 'viewer', path: '/logs' })
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('navigation', { name: 'Alerts' }).waitFor()
  await page.getByRole('link', { name: 'Out of stock' }).first().waitFor()
  t.equal(await page.getByRole('link', { name: 'New rule' }).count(), 0)
  await page.getByRole('link', { name: 'Receivers' }).click()
  await page.getByText('The shift').waitFor()
  t.equal(await page.getByRole('button', { name: /^Test/ }).count(), 0)
})
