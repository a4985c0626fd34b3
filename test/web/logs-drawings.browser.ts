import { readFile } from 'node:fs/promises'
import t from 'tap'
import { at, browserTest, isDrawn, openShared, sharedSite } from './browser.ts'

/** The records that all sites have: other tests add hosts and levels of their own. */
const sample = 'logs{host=~"node-.+"}'
const byHost = `count by (host) (${sample})`

browserTest(t, 'values are drawn in each of the ways, which the address keeps', async t => {
  const { page } = await openShared({ role: 'viewer', path: at(byHost) })
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Draw as/ }).click()
    await page.getByRole('menuitemradio', { name, exact: true }).click()
  }
  await page.getByRole('region', { name: /^Values over time/ }).waitFor()
  t.equal(new URL(page.url()).searchParams.get('draw'), null)
  const list = page.getByRole('list', { name: 'Legend of the values' })
  for (const [name, draw] of [
    ['Bars', 'bars'],
    ['Stacked bars', 'stack'],
  ] as const) {
    await choose(name)
    await page.waitForURL(`**draw=${draw}*`)
    await page.locator('.uplot').waitFor()
    t.equal(await list.getByRole('button').count(), 12)
  }
  await choose('Pie')
  const pie = page.getByRole('img', { name: /^Values of the whole time range: node-\d+ \d+ %/ })
  await pie.waitFor()
  t.equal(await pie.locator('circle').count(), 12)
  t.match(await list.getByRole('button').first().innerText(), /node-\d+\s*\d+ · \d+ %/)

  await choose('Top list')
  const top = page.getByRole('region', { name: 'Values of the whole time range' })
  const values = (await top.locator('.top-list-value').allInnerTexts()).map(Number)
  t.equal(values.length, 12)
  t.same(
    values,
    values.toSorted((a, b) => b - a),
    'the largest first',
  )
  t.match(await top.getByRole('link').first().getAttribute('href'), /query=logs%7Bhost%3D/)

  await choose('Heatmap')
  await page.reload()
  const map = page.getByRole('region', { name: /^Values over time/ })
  await map.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  t.match(await map.getByRole('status').innerText(), /node-\d+: (\d+|nothing)/)
  await page.getByRole('button', { name: 'Show as table' }).click()
  t.equal(await map.getByRole('columnheader').count(), 13, 'the same values as a table')

  await choose('Figure with trend')
  const figures = page.getByRole('region', { name: 'Values of the whole time range' })
  t.match(await figures.getByRole('listitem').first().innerText(), /node-\d+\s+\d+\s+.*before/)
  await choose('Table')
  await page.getByRole('table').waitFor()
  t.equal(await page.locator('.uplot').count(), 0)
})

browserTest(t, 'the legend shows one series alone, or lets it come and go, by key too', async t => {
  const { page } = await openShared({
    role: 'viewer',
    path: at(`count by (log_level) (${sample})`),
  })
  const list = page.getByRole('list', { name: 'Legend of the values' })
  const shown = () => list.locator('button[aria-pressed="true"]').allInnerTexts()
  await list.getByRole('button', { name: 'warn' }).click()
  t.same(await shown(), ['warn'])
  t.equal(new URL(page.url()).searchParams.get('only'), 'warn')
  await list.getByRole('button', { name: 'error' }).click({ modifiers: ['Shift'] })
  t.same(await shown(), ['error', 'warn'])
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Enter')
  t.same(await shown(), ['error', 'warn', 'debug'])
  await page.reload()
  await list.waitFor()
  t.same(await shown(), ['error', 'warn', 'debug'], 'the address says so')
  await list.getByRole('button', { name: 'debug' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  t.equal((await shown()).length, 4, 'all again')

  const swatch = page.getByRole('row', { name: /^warn/ }).locator('.aggregate-swatch')
  const colorOf = (element: Element) => getComputedStyle(element).backgroundColor
  const inLegend = list.getByRole('button', { name: 'warn' }).locator('.swatch')
  t.equal(await swatch.evaluate(colorOf), await inLegend.evaluate(colorOf), 'one colour for one')

  await list.getByRole('button', { name: 'warn' }).click()
  await isDrawn(page)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await coming
  t.match(file.suggestedFilename(), /^values-[\dT-]+\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  t.equal(lines[0], 'time,warn')
  t.ok(lines.length > 50 && lines.slice(1).every(line => /^[\dT:.-]+Z,\d*$/.test(line)))
})

browserTest(
  t,
  'what is shown becomes a widget of a new dashboard, or of one that there is',
  async t => {
    const { open, service } = await sharedSite()
    const { page } = await open({ role: 'editor', path: at(byHost, '&draw=top') })
    await page.getByRole('button', { name: 'Save as', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Widget of a dashboard' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a widget' })
    await dialog.getByLabel('Title of the widget').fill('Hosts by records')
    await dialog.getByLabel('Title of the dashboard').fill('Made of queries')
    await page.keyboard.press('Enter')
    const widget = page.getByRole('region', { name: 'Hosts by records' }).first()
    await widget.locator('.top-list-value').nth(11).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!

    await page.goto(at('logs{log_level="error"}', '&columns=order'))
    await page.locator('.log-row').first().waitFor()
    await page.keyboard.press('q')
    await page.getByRole('button', { name: 'Widget of a dashboard' }).click()
    await dialog.getByLabel('Dashboard', { exact: true }).selectOption(id)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dashboards/${id}*`)
    await page.getByRole('region', { name: 'logs{log_level="error"}' }).first().waitFor()
    const { body } = await service.call('GET', `/api/v1/dashboards/${id}`)
    t.match(body.dashboard.content.widgets, [
      { type: 'chart', chart: { chartType: 'topList' } },
      {
        type: 'log',
        log: { displaySettings: { columns: ['log_level', 'service.name', 'message', 'order'] } },
      },
    ])
  },
)
