import t from 'tap'
import { browserTest, openLogs, openShared, type Site, sharedSite } from './browser.ts'

const queryOf = (url: URL) => url.searchParams.get('query') ?? 'logs'

browserTest(t, 'patterns are listed with their variables, and a click filters', async t => {
  const { page } = await openLogs()
  await page.keyboard.press('n')
  await page.waitForURL('**tab=patterns*')
  const list = page.getByRole('list', { name: 'Patterns' })
  const placed = list.getByRole('listitem').filter({ hasText: /order <\*> placed/ })
  await placed.waitFor()
  t.match(await placed.innerText(), /[\d.]+K\s+\d+ %/)
  await placed.getByRole('button', { name: /order <\*> placed/ }).click()
  t.match(await placed.locator('.pattern-detail').innerText(), /<\*> 1\s+\d{5}.*levels\s+info/s)
  const id = await placed.getAttribute('data-pattern')
  await placed.getByRole('button', { name: 'Filter for this pattern' }).click()
  await page.waitForURL(url => queryOf(url) === `logs{pattern="${id}"}`)
  await page.getByText('1 pattern', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Patterns' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page
    .locator('.log-row', { hasText: /order \d+ placed/ })
    .first()
    .waitFor()
  // Those of the question before stay until the answer is there.
  const others = page.locator('.log-row', { hasNotText: /order \d+ placed/ })
  await others.first().waitFor({ state: 'detached' })
  const messages = await page.locator('.log-row .log-message').allInnerTexts()
  t.ok(
    messages.every(text => /^order \d+ placed/.test(text)),
    'the records are its own',
  )
  await page.keyboard.press('n')
  await placed.getByRole('button', { name: 'Filter for this pattern' }).click()
  await page.waitForURL(url => queryOf(url) === 'logs')
  await placed.getByRole('button', { name: 'Filter out this pattern' }).click()
  await page.waitForURL(url => queryOf(url) === `logs{pattern!="${id}"}`)
  await list.getByText('retrying payment').waitFor()
  await placed.waitFor({ state: 'detached' })
})

browserTest(t, 'only patterns that were not there the day before are shown', async t => {
  // Of the records that were there first: other tests add kinds of their own.
  const asked = new URLSearchParams({
    query: 'logs{host=~"node-.+"}',
    tab: 'patterns',
    from: 'now-10m',
  })
  const { page } = await openShared({ role: 'viewer', path: `/logs?${asked}` })
  const list = page.getByRole('list', { name: 'Patterns' })
  await list.getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: 'Only new since the day before' }).click()
  await page.waitForURL('**new=1*')
  await page.getByText('No new patterns').waitFor()
  await page.goto('/logs?tab=patterns&new=1&from=now-2h')
  await page.getByText(/^(\d+) of \1 patterns are new$/).waitFor()
  await list.getByText('new', { exact: true }).first().waitFor()
  t.equal(
    await list.getByRole('listitem').count(),
    await list.getByText('new', { exact: true }).count(),
  )
})

/** A minute in which something happens that happens at no other time. */
async function sendBurst({ service }: Site): Promise<number> {
  const start = Math.floor(Date.now() / 60_000 - 20) * 60_000
  const events = Array.from({ length: 600 }, (_, i) => {
    const at = start - 600_000 + 2_000 * i
    const isBurst = at >= start && at < start + 60_000
    return isBurst
      ? { time: at, level: 'error', message: `pool ${i} has no connection`, zone: 'b' }
      : { time: at, level: 'info', message: `job ${i} done`, zone: 'a' }
  })
  const token = await service.makeToken('burst-service', 'prod')
  await service.send(token, events, 'time')
  return start
}

browserTest(
  t,
  'what changed in a stretch of the histogram is ranked, and a click filters',
  async t => {
    const site = await sharedSite()
    const start = await sendBurst(site)
    const query = 'logs{service.name="burst-service"}'
    const asked = new URLSearchParams({
      query,
      from: new Date(start - 600_000).toISOString(),
      to: new Date(start + 599_999).toISOString(),
    })
    const { page } = await site.open({ role: 'viewer', path: `/logs?${asked}` })
    await page.locator('.log-row').first().waitFor()
    const chart = page.locator('.chart-plot')
    await chart.focus()
    const readout = page.locator('.readout')
    do await page.keyboard.press('ArrowRight')
    while (!/error/.test(await readout.innerText()))
    await page.keyboard.press('Shift+Enter')
    await page.waitForURL('**tab=changes*')
    const messages = page.getByRole('region', { name: 'Messages that stand out' })
    await messages.getByText(/has no connection/).waitFor()
    t.equal(await messages.getByRole('listitem').count(), 1, 'and nothing that is as ever')
    const values = page.getByRole('region', { name: 'Values that stand out' })
    await values.getByRole('button', { name: /zone b/ }).click()
    await page.waitForURL(url => queryOf(url) === 'logs{service.name="burst-service", zone="b"}')
  },
)
