import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { at, browserTest, isDrawn, openLogs, openShared, sharedSite } from './browser.ts'
import { fieldsOf } from './ways.ts'

async function asks(page: Page, query: string): Promise<void> {
  await page.waitForURL(url => (url.searchParams.get('query') ?? 'logs') === query)
}

browserTest(
  t,
  'a click on a level in the legend filters, with Alt or Shift it excludes',
  async () => {
    const { page } = await openShared({ role: 'viewer', path: '/logs' })
    const legend = page.getByRole('list', { name: 'Levels' })
    const level = (name: string) => legend.getByRole('button', { name })
    await level('warn').click()
    await asks(page, 'logs{log_level="warn"}')
    await level('info').waitFor({ state: 'detached' })
    await page.goBack()
    await level('info').click({ modifiers: ['Shift'] })
    await asks(page, 'logs{log_level!="info"}')
    await level('info').waitFor({ state: 'detached' })
    await level('debug').click({ modifiers: ['Alt'] })
    await asks(page, 'logs{log_level!="info", log_level!="debug"}')
  },
)

browserTest(t, 'the fields show their top values; a click filters, Alt-click excludes', async t => {
  const view = await openShared({ role: 'viewer', path: '/logs' })
  const { page, isPhone } = view
  const fields = await fieldsOf(view)
  const value = (field: string, text: string) =>
    fields.getByRole('region', { name: field, exact: true }).getByRole('button', { name: text })
  await value('service.name', 'payments').click()
  await asks(page, 'logs{service.name="payments"}')
  await value('service.name', 'payments').and(page.locator('[aria-pressed=true]')).waitFor()
  await value('service.name', 'payments').click()
  await asks(page, 'logs')
  await value('environment', 'staging').click({ modifiers: ['Alt'] })
  await asks(page, 'logs{environment!="staging"}')

  await fields.getByRole('searchbox', { name: 'Find a field' }).fill('TRACE')
  await fields.getByRole('button', { name: /^trace_id/ }).click()
  await fields.locator('.facet-note, .facet-value').first().waitFor()
  await fields.getByRole('button', { name: 'Add trace_id as a column' }).click()
  await page.waitForURL('**columns=trace_id*')
  await fields.getByRole('searchbox').fill('no such field')
  await fields.getByText('No matching field').waitFor()

  if (isPhone) await fields.getByRole('button', { name: 'Close' }).click()
  else await page.getByRole('button', { name: 'Hide the fields' }).click()
  await fields.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('.log-row').first().waitFor()
  t.equal(await fields.count(), 0, 'the choice is kept')
  await page.keyboard.press('s')
  await fields.getByRole('searchbox', { name: 'Find a field' }).waitFor()
})

browserTest(
  t,
  'what stages make has its fields, and a click filters behind the stage',
  async () => {
    const staged = '| pattern "order <number> <state>"'
    const view = await openShared({ role: 'viewer', path: at(`{} ${staged}`) })
    const { page } = view
    const fields = await fieldsOf(view)
    const value = (field: string, text: string) =>
      fields.getByRole('region', { name: field, exact: true }).getByRole('button', { name: text })
    await value('state', 'placed').click()
    await asks(page, `{} ${staged} | state="placed"`)
    await value('state', 'placed').and(page.locator('[aria-pressed=true]')).waitFor()
    await page.waitForLoadState('networkidle')
    await value('service.name', 'payments').click()
    await asks(page, `{service_name="payments"} ${staged} | state="placed"`)
    await value('service.name', 'payments').and(page.locator('[aria-pressed=true]')).waitFor()
    await page.waitForLoadState('networkidle') // A list that is just made anew moves under the pointer.
    await value('state', 'placed').click()
    await asks(page, `{service_name="payments"} ${staged}`)
  },
)

browserTest(t, 'on a phone the fields are a sheet', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs', size: 'phone' })
  await page.locator('.log-row').first().waitFor()
  await page.getByRole('button', { name: 'Show the fields' }).click()
  const sheet = page.getByRole('dialog', { name: 'Fields' })
  await sheet.getByRole('region', { name: 'service.name' }).waitFor()
  const { x, y, width, height } = (await sheet.boundingBox())!
  t.same([x, width, y + height], [0, 360, 740], 'at the lower edge, as wide as the screen')
  t.ok(height > 600, `${height} px for fields`)
  await sheet.getByRole('button', { name: /^warn/ }).click()
  await asks(page, 'logs{log_level="warn"}')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.locator('.log-row', { hasText: 'retrying payment' }).first().waitFor()
})

browserTest(t, 'an answer says what it cost; a wrong query keeps the old one', async t => {
  const { page } = await openLogs()
  t.match(await page.locator('.logs-cost').innerText(), /^[23],\d{3} records · .* m?s · .* read$/)
  const before = await page.locator('.log-row').first().innerText()
  await page.getByRole('textbox', { name: 'Query' }).fill('logs{log_level=}')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  t.equal(await page.locator('.log-row').first().innerText(), before)
  await page.locator('.syntax-fault').first().waitFor()
})

browserTest(t, 'a refusal clears what was said of the answer before it', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  const legend = page.getByRole('list', { name: 'Levels' }).getByRole('button')
  const cost = page.locator('.logs-cost')
  await page.locator('.log-row').first().waitFor()
  await legend.first().waitFor()
  const refusal = {
    status: 503,
    contentType: 'application/problem+json',
    body: JSON.stringify({ title: 'Too busy', status: 503, code: 'busy', detail: 'later' }),
  }
  await page.route('**/api/v1/query/logs', route => route.fulfill(refusal))
  await page.route('**/api/v1/query_range**', route => route.fulfill(refusal))
  const isClear = async (wanted: string) => {
    await page.getByText('Too busy').waitFor()
    t.equal((await cost.innerText()).trim(), '', wanted)
    t.equal(await legend.count(), 0)
    t.equal(await page.locator('.uplot').count(), 0)
  }
  await page.getByRole('textbox', { name: 'Query' }).fill('logs{host="node-1"}')
  await page.keyboard.press('Enter')
  await isClear('records')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.log-row').first().waitFor()
  await page.getByText(/^\d+ records/).waitFor()

  await page.goto(at('count by (host) (logs)'))
  await page.getByText('12 groups').waitFor()
  await page.route('**/api/v1/query*', route => route.fulfill(refusal))
  await page.getByRole('textbox', { name: 'Query' }).fill('rate(logs)')
  await page.keyboard.press('Enter')
  await isClear('values')
})

browserTest(t, 'the fields stay with a query of several selectors, or of none', async t => {
  const query = 'count(logs{log_level="error"}) / count(logs)'
  const view = await openShared({ role: 'viewer', path: at(query) })
  const { page } = view
  await page.getByText('1 value').waitFor()
  const fields = await fieldsOf(view)
  const level = fields.getByRole('region', { name: 'log_level' })
  t.match(await level.getByRole('button', { name: /^error/ }).innerText(), /error\s+\d+/)
  await fields.getByText('Of the first of 2 selectors').waitFor()
  await fields.getByRole('button', { name: /^payments/ }).click()
  await asks(
    page,
    'count(logs{log_level="error", service.name="payments"}) / count(logs{service.name="payments"})',
  )
  await page.goto(at('1 + 2'))
  await page.getByText('1 value').waitFor()
  await (await fieldsOf(view)).getByRole('button', { name: /^checkout/ }).waitFor()
})

browserTest(t, 'a slow query tells so, and can be cancelled', async t => {
  const { page } = await openLogs()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/v1/query/logs', async route => {
    await held
    await route.continue().catch(() => {}) // It was cancelled meanwhile.
  })
  await page.keyboard.press('r')
  await page.getByText('Scanning').waitFor()
  await page.locator('.logs-rows').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Scanning').waitFor({ state: 'detached' })
  t.ok((await page.locator('.log-row').count()) > 10, 'the old result stays')
  release()
})

browserTest(t, 'a query that gives values shows a chart and a table of groups', async t => {
  const path = at('count by (service.name) (logs)')
  const { page } = await openShared({ role: 'viewer', path })
  await page.getByRole('region', { name: /^Values over time/ }).waitFor()
  const table = page.getByRole('table')
  const first = await table.getByRole('row').nth(1).innerText()
  t.match(first.trim(), /^checkout\s+1,\d{3}$/)
  t.equal(await page.locator('.log-row').count(), 0)
  await page.goto(at('sum(logs | unwrap duration_ms) / count(logs)'))
  await page.getByText('1 value').waitFor()
  const value = page.locator('.aggregate-value strong')
  t.match(await value.innerText(), /^[\d.]+$/)
  const size = await value.evaluate(one => Number.parseFloat(getComputedStyle(one).fontSize))
  t.ok(size >= 40, `one number is read from afar: ${size} px`)
  t.equal(await table.count(), 0, 'a table of one number says no more')
})

browserTest(t, 'a ranking draws the groups of its table, over the whole time', async t => {
  const ranking = 'topk(2, count by (host) (logs{log_level="info"}))'
  const { page } = await openShared({ role: 'viewer', path: at(ranking) })
  const table = page.getByRole('region', { name: 'Values of the whole time range' })
  await table.waitFor()
  const groups = await table.getByRole('row').locator('td:first-child').allInnerTexts()
  t.equal(groups.length, 2)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const drawn = page.getByRole('region', { name: 'Values over time' })
  t.same(await drawn.getByRole('columnheader').allInnerTexts(), ['Time', ...groups])
  t.notMatch(await drawn.innerText(), '–', 'each has all of its points')
  t.notMatch(await drawn.innerText(), /:\d\d\.\d/, 'at whole seconds')
})

browserTest(t, 'a line ends where there is no value, and a lone point is seen', async t => {
  const { open, service } = await sharedSite()
  const token = await service.makeToken('sparse', 'prod')
  const end = Date.now() - 60_000
  const body = [30, 20, 19, 5].map(minutes => ({ ms: 7, time: end - minutes * 60_000 }))
  await service.send(token, body, 'time')
  const query = 'avg(logs{service.name="sparse"} | unwrap ms)'
  const { page } = await open({ role: 'viewer', path: at(query) })
  await page.locator('.uplot').waitFor()
  await isDrawn(page)
  /** How many stretches of the axis of time have the line's colour somewhere above them. */
  const stretches = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.uplot canvas')!
    const { width, height } = canvas
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
    const isColoured = (x: number) =>
      Array.from({ length: height }, (_, y) => 4 * (y * width + x)).some(
        at => data[at + 3]! > 200 && Math.abs(data[at]! - data[at + 2]!) > 100,
      )
    const columns = Array.from({ length: width }, (_, x) => isColoured(x))
    return columns.filter((is, x) => is && !columns[x - 1]).length
  })
  t.equal(stretches, 3, 'two lone points, and two that are joined')
})

browserTest(t, 'a group of values leads to the records that it was made of', async t => {
  const query = 'count by (service.name, log_level) (logs{host!=""} |= "pay")'
  const path = `${at(query)}&from=now-30m&to=now`
  const { page } = await openShared({ role: 'viewer', path })
  const row = page.getByRole('row', { name: /payments\s+warn/ })
  const counted = (await row.getByRole('cell').nth(2).innerText()).trim()
  await row.getByRole('link', { name: 'Show the records of payments, warn' }).focus()
  await page.keyboard.press('Enter')
  await asks(page, 'logs{host!="", service.name="payments", log_level="warn"} |= "pay"')
  await page.locator('.log-row').first().waitFor()
  t.equal(new URL(page.url()).searchParams.get('from'), 'now-30m', 'of the same time')
  const found = Number(await page.locator('.logs-cost strong').innerText())
  t.ok(Math.abs(found - Number(counted)) <= 3, `${found} of ${counted}`)
  await page.goBack()
  await row.waitFor()

  await page.goto(at('count(logs offset 1d) + 1'))
  await page.getByText('1 value').waitFor()
  t.equal(await page.getByRole('link', { name: /^Show the records/ }).count(), 0, 'of no other')
})

browserTest(t, 'the whole result can be exported as NDJSON and CSV', async t => {
  const { page } = await openShared({ role: 'viewer', path: at('logs{log_level="warn"}') })
  await page.locator('.log-row').first().waitFor()
  const count = Number(await page.locator('.logs-cost strong').innerText())
  const download = async (name: string) => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name }).click()
    const file = await coming
    return {
      name: file.suggestedFilename(),
      lines: (await readFile(await file.path(), 'utf8')).trim().split('\n'),
    }
  }
  const ndjson = await download('NDJSON')
  t.match(ndjson.name, /^logs-20.*\.ndjson$/)
  t.ok(Math.abs(ndjson.lines.length - count) <= 5, `${ndjson.lines.length} of ${count}`)
  t.equal(JSON.parse(ndjson.lines[0]!).log_level, 'warn')
  const csv = await download('CSV')
  t.match(csv.name, /\.csv$/)
  t.match(csv.lines[0], 'timestamp')
})
