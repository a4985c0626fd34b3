import t from 'tap'
import { browserTest, openShared, startSite } from './browser.ts'

browserTest(t, 'before any event, the page tells how to send one, and of the first', async t => {
  const { open, service } = await startSite(t, { isEmpty: true })
  for (const size of ['desktop', 'phone'] as const) {
    const viewer = await open({ role: 'viewer', path: '/logs', size })
    await viewer.page.getByText('No event has arrived yet').waitFor()
    await viewer.page.getByText('Ask an administrator').waitFor()
    t.equal(await viewer.page.getByRole('link', { name: /ingestion token/ }).count(), 0)
  }
  const { page } = await open({ role: 'admin', path: '/logs' })
  const link = page.getByRole('link', { name: 'Make an ingestion token' })
  t.equal(await link.getAttribute('href'), '/settings')
  await page.getByText('Waiting for the first event').waitFor()
  const token = await service.makeToken('checkout', 'prod')
  await service.send(token, { message: 'hello' })
  await page.locator('.light-on').waitFor()
  await page.getByRole('button', { name: 'Show it' }).click()
  await page.locator('.log-row', { hasText: 'hello' }).waitFor()
})

browserTest(t, 'where nothing matches, ways are offered that find something', async t => {
  const query = encodeURIComponent('logs{log_level="error"} |= "nothing has this"')
  const { page } = await openShared({ role: 'viewer', path: `/logs?query=${query}` })
  await page.getByRole('button', { name: 'Without |= "nothing has this"' }).click()
  await page.waitForURL(url => url.searchParams.get('query') === 'logs{log_level="error"}')
  await page.locator('.log-row').first().waitFor()

  const past = Date.now() - 5 * 3_600_000
  const range = `from=${past - 1_000}&to=${past}`
  await page.goto(`/logs?${range}`)
  await page.getByRole('button', { name: /^Last 24 h/ }).click()
  await page.locator('.log-row').first().waitFor()
  t.match(page.url(), 'from=now-24h')
})
