import t from 'tap'
import { at, browserTest, isDrawn, type Site, sharedSite } from './browser.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

let sent: Promise<void> | undefined

/** A request through two services, with a second in which nothing happens, a JSON message and links. */
function sendTrace(site: Site): Promise<void> {
  sent ??= send(site)
  return sent
}

async function send({ service }: Site): Promise<void> {
  const start = Date.now() - 60_000
  const event = (ms: number, level: string, message: string, more = {}) => {
    return { time: start + ms, level, message, trace_id: traceId, ...more }
  }
  const payload = { order: { id: 12_345, lines: [{ sku: 'a', count: 2 }] }, isPaid: true }
  const batches = {
    'trace-shop': [
      event(0, 'info', 'order begun'),
      event(5, 'info', `body ${JSON.stringify(payload)}`, {
        docs: 'https://example.org/orders?id=1',
        hostile: 'javascript:alert(1)',
        filters: '{"colour":["red","blue"]}',
      }),
      event(1_600, 'info', 'order placed'),
    ],
    'trace-bank': [event(20, 'info', 'charging'), event(1_500, 'error', 'card refused')],
  }
  for (const [name, body] of Object.entries(batches)) {
    const token = await service.makeToken(name, 'prod')
    await service.send(token, body, 'time')
  }
}

browserTest(t, 'a record leads to its trace: services as lanes, gaps, all records', async t => {
  const site = await sharedSite()
  await sendTrace(site)
  const path = at('logs{service.name="trace-bank"}')
  const { page } = await site.open({ role: 'viewer', path })
  await page.locator('.log-row', { hasText: 'card refused' }).click()
  await page.getByRole('link', { name: 'Trace' }).click()
  await page.waitForURL(`**/traces/${traceId}`)
  await page.getByText('5 records · 2 services · 1.6 s · 1 error').waitFor()
  const rows = await page.locator('.log-row').allInnerTexts()
  const order = ['order begun', 'body', 'charging', 'card refused', 'order placed']
  for (const [i, text] of order.entries()) t.match(rows[i], text)
  const lanes = page.getByRole('region', { name: 'Services of the trace' })
  const names = await lanes.getByRole('link').allInnerTexts()
  t.same(names, ['trace-shop', 'trace-bank'], 'in the order in which they come into it')
  t.same(await lanes.locator('.lanes-gap').allInnerTexts(), ['1.48 s'])
  await lanes
    .locator('.lane-track')
    .nth(1)
    .click({ position: { x: 2, y: 8 } })
  await page.locator('.log-row-marked', { hasText: 'charging' }).waitFor()
  await page.keyboard.press('o')
  await page.locator('.detail').waitFor()
  await page.locator('[data-field="service.name"] .field-value').click()
  await page.waitForURL(url => url.pathname === '/logs' && /trace-bank/.test(url.search))
  const times = (url: string) => {
    const asked = new URL(url, 'http://x').searchParams
    return ['from', 'to'].map(name => Date.parse(asked.get(name) ?? ''))
  }
  const [from = Number.NaN, to = Number.NaN] = times(page.url())
  t.ok(to - from >= 1_600 && to - from < 4_000, 'in the seconds of the trace')
  await page.locator('.log-row', { hasText: 'card refused' }).waitFor()
  await page.goBack()
  const lane = lanes.getByRole('link', { name: 'trace-bank' })
  // Its time comes a moment after the answer.
  await lane.and(page.locator('[href*="from="]')).waitFor()
  const href = await lane.getAttribute('href')
  t.same(times(href ?? ''), [from, to], 'as by the name of a lane')
})

browserTest(t, 'by a key, too; and to a tracer elsewhere, of the web only', async t => {
  const site = await sharedSite()
  await sendTrace(site)
  const path = at('logs{service.name="trace-shop"}')
  const { page } = await site.open({ role: 'viewer', path })
  await page.locator('.log-row').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('i')
  await page.waitForURL(`**/traces/${traceId}`)
  await page.getByRole('button', { name: 'Link to a tracer' }).click()
  const template = page.getByRole('textbox', { name: 'Address of a trace' })
  await template.fill(`javascript:alert("\${traceId}")`)
  await template.press('Enter')
  await page.getByText('write an http(s) address').waitFor()
  await template.fill(`https://tempo.example/trace/\${traceId}`)
  await template.press('Enter')
  const link = page.getByRole('link', { name: 'Open in tracer' })
  t.equal(await link.getAttribute('href'), `https://tempo.example/trace/${traceId}`)
  t.equal(await link.getAttribute('rel'), 'noopener noreferrer')
  await page.goto(`/traces/${'0'.repeat(32)}`)
  await page
    .getByText('No records of this trace')
    .or(page.getByText(/trace/i).nth(2))
    .first()
    .waitFor()
})

browserTest(t, 'JSON folds and unfolds, and addresses of the web are links', async t => {
  const site = await sharedSite()
  await sendTrace(site)
  const path = at('logs{service.name="trace-shop"} |= "body"')
  const { page } = await site.open({ role: 'viewer', path })
  await page.locator('.log-row').first().click()
  const message = page.locator('[data-field=message]')
  await message.getByText('12345').waitFor()
  const order = message.locator('summary', { hasText: 'order:' })
  await order.focus()
  await page.keyboard.press('Enter')
  await message.getByText('12345').waitFor({ state: 'hidden' })
  await order.click()
  t.ok(await message.getByText('12345').isVisible())
  await message.getByRole('button', { name: 'Raw' }).click()
  t.match(await message.locator('pre').innerText(), /^body \{"order":\{"id":12345,/)
  t.equal(await page.locator('[data-field=filters] .json').count(), 1, 'in attributes, too')

  const link = page.locator('[data-field=docs]').getByRole('link')
  t.equal(await link.getAttribute('href'), 'https://example.org/orders?id=1')
  t.equal(await link.getAttribute('rel'), 'noopener noreferrer')
  t.equal(await page.locator('[data-field=hostile]').getByRole('link').count(), 0)
  await isDrawn(page)
})
