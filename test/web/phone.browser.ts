import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, isDrawn, sharedSite } from './browser.ts'
import { at, put, stat, stored, widget } from './dashboards/board-pages.ts'

const look = { theme: 'dark', size: 'phone' } as const

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).tap()

browserTest(t, 'on a phone one searches, filters, reads around and follows', async t => {
  const { open, service } = await sharedSite()
  const { page } = await open({ role: 'viewer', path: '/logs', ...look })
  const asks = (query: string) =>
    page.waitForURL(url => (url.searchParams.get('query') ?? 'logs') === query)
  const row = page.locator('.log-row').first()
  const openRow = async () => {
    await isDrawn(page) // A new address closes what is open, a moment later.
    await row.locator('.log-message').tap()
  }
  await row.waitFor()
  await page.getByRole('textbox', { name: 'Query' }).fill('logs{log_level="error"}')
  await press(page, 'Run')
  await asks('logs{log_level="error"}')
  await page.getByRole('button', { name: 'Time range: Last 1 h' }).tap()
  await press(page, 'Last 6 h')
  await page.waitForURL('**from=now-6h*')
  await openRow()
  await press(page, 'Actions for error.code')
  await press(page, 'Filter for this error.code')
  await asks('logs{log_level="error", error.code="ETIMEDOUT"}')
  await openRow()
  await press(page, 'Surrounding records')
  const dialog = page.getByRole('dialog', { name: 'Surrounding records' })
  await dialog.locator('.context-center').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await dialog.waitFor({ state: 'detached' })
  await press(page, 'View')
  await page.getByRole('menuitemradio', { name: 'As JSON' }).tap()
  await page.locator('.log-row-json').first().waitFor()

  await press(page, 'Live')
  await page.waitForURL('**live=1*')
  await page.getByText(/\d shown/).waitFor()
  const token = await service.makeToken('phone', 'prod')
  const body = { level: 'error', message: 'ring', error: { code: 'ETIMEDOUT' } }
  await service.send(token, body)
  await page.locator('.log-row', { hasText: 'ring' }).waitFor()
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
})

browserTest(t, 'on a phone a dashboard is read, edited and saved', async t => {
  const all = await sharedSite()
  const variables = [
    { name: 'service', defaultValue: '.*', selectorSettings: { attribute: 'service.name' } },
  ]
  const content = {
    variables,
    widgets: [
      stat('Count', 'count(logs{service.name=~"$service"})', at(0, 0, 3, 2)),
      stat('Beside', 'count(logs)', at(3, 0, 3, 2)),
      stat('Alone', 'count(logs)', at(6, 0, 3, 2)),
    ],
  }
  const path = await put(all, 'pocket', content)
  const { page } = await all.open({ role: 'editor', path, ...look })
  await widget(page, 'Count').locator('.stat').waitFor()
  const places = await Promise.all(
    ['Count', 'Beside', 'Alone'].map(name => widget(page, name).boundingBox()),
  )
  const [count, beside, alone] = places.map(place => place!)
  t.ok(count!.y === beside!.y && count!.x + count!.width < beside!.x, 'two small ones in a row')
  t.ok(alone!.y > count!.y && alone!.width > 2 * count!.width, 'a third has its own')
  await press(page, 'service: all')
  await page.getByRole('dialog', { name: 'Values of service' }).getByText('search').tap()
  await page.waitForURL('**var.service=search')
  await press(page, /^Edit/)
  await press(page, 'Edit Count')
  await page.getByRole('textbox', { name: 'Title' }).fill('Errors')
  await press(page, 'Close')
  await press(page, 'Save')
  await page.getByText('All saved').waitFor()
  t.equal((await stored(all, 'pocket')).content.widgets[0].stat.title, 'Errors')
  await widget(page, 'Errors').locator('.stat').waitFor()
  await press(page, 'Done')
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
})

browserTest(t, 'on a phone a token is made, copied and deleted', async t => {
  const { open, service } = await sharedSite()
  const { page } = await open({ role: 'admin', path: '/settings', ...look })
  await press(page, 'New token')
  await page.getByLabel('Service name').fill('pocket')
  await page.getByLabel('Environment').fill('prod')
  await press(page, 'Create token')
  await page.getByRole('heading', { name: 'pocket in prod' }).waitFor()
  await press(page, 'Copy the token')
  const token = await page.evaluate(() => navigator.clipboard.readText())
  const send = () => service.send(token, { message: 'hello' })
  await send()
  await page.getByText('Events have arrived').waitFor()
  await press(page, 'Delete the token')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the token' }).tap()
  await page.getByText('The token of pocket in prod is deleted').waitFor()
  await t.rejects(send(), /401/)
})
