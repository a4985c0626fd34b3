import t from 'tap'
import { browserTest, openShared, sharedSite } from './browser.ts'
import { at, chart, put, starterLogs, stat, widget } from './dashboards/board-pages.ts'

browserTest(t, 'a starter dashboard shows values, charts and records of what came in', async t => {
  const { page } = await openShared({ role: 'viewer', path: starterLogs })
  await widget(page, 'Services').getByText('3', { exact: true }).waitFor()
  t.match(await widget(page, 'Records').locator('.stat').innerText(), /^(3,000|2,[6-9]\d\d)$/)
  const gauge = widget(page, 'Share of errors').locator('.gauge-dial')
  const [textWidth, dialWidth] = await gauge.evaluate(dial => {
    const text = document.createRange()
    text.selectNodeContents(dial.querySelector('.stat')!)
    return [text.getBoundingClientRect().width, dial.getBoundingClientRect().width]
  })
  t.ok(textWidth! < 0.7 * dialWidth!, 'the value of a gauge stays within its arc')
  const chart = widget(page, 'Records per minute by level')
  await chart.locator('.uplot').waitFor()
  t.same(
    await chart
      .getByRole('list', { name: 'Legend of Records' })
      .getByRole('listitem')
      .allInnerTexts(),
    ['error', 'warn', 'info', 'debug'],
  )
  t.equal(await page.title(), 'Ingested logs · Logstrata')
  t.equal(await page.getByRole('button', { name: /^env:/ }).count(), 0, 'it hides the environment')
  await widget(page, 'Latest errors').scrollIntoViewIfNeeded()
  await widget(page, 'Latest errors').getByText('upstream timeout').first().waitFor()
})

browserTest(t, 'a variable narrows every widget, and stands in the address', async () => {
  const { page } = await openShared({ role: 'viewer', path: starterLogs })
  await widget(page, 'Services').getByText('3', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'service: all' }).click()
  const choices = page.getByRole('dialog', { name: 'Values of service' })
  await choices.getByRole('button', { name: /^payments/ }).click()
  await page.waitForURL('**var.service=payments')
  await widget(page, 'Services').getByText('1', { exact: true }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'service: payments' }).click()
  await page.getByRole('textbox', { name: 'Find a value of service' }).fill('checkout|search')
  await page.keyboard.press('Enter')
  await widget(page, 'Services').getByText('2', { exact: true }).waitFor()
  await page.goBack()
  await widget(page, 'Services').getByText('1', { exact: true }).waitFor()
})

browserTest(t, 'a click on a bar leads to its records in the log viewer', async t => {
  const { page } = await openShared({
    role: 'viewer',
    path: `${starterLogs}?var.service=checkout`,
  })
  const over = widget(page, 'Records per minute by level').locator('.u-over')
  await over.waitFor()
  const { width, height } = (await over.boundingBox())!
  await over.click({ position: { x: width * 0.6, y: height * 0.8 } })
  await page.waitForURL('**/logs?query=*')
  const asked = new URL(page.url()).searchParams
  t.equal(asked.get('query'), 'logs{service.name=~"checkout", environment=~".*"}')
  t.equal(Date.parse(asked.get('to')!) - Date.parse(asked.get('from')!), 59_999)
  await page.locator('.log-row').first().waitFor()
})

browserTest(t, 'dragging over bars shows whole ones, and is one step of Back', async t => {
  const { page } = await openShared({ role: 'viewer', path: starterLogs })
  // All charts are drawn: those of other widths share the crosshair, and what is selected.
  await page.waitForFunction(() => document.querySelectorAll('.u-over').length >= 2)
  const over = widget(page, 'Records per minute by level').locator('.u-over')
  await over.waitFor()
  const { x, y, width, height } = (await over.boundingBox())!
  const steps = await page.evaluate(() => history.length)
  await page.mouse.move(x + width * 0.31, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.57, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL('**from=*')
  const { searchParams } = new URL(page.url())
  for (const name of ['from', 'to']) t.match(searchParams.get(name), /:00\.000Z$/, name)
  t.equal(await page.evaluate(() => history.length), steps + 1)
  // Minutes suffice: no seconds, and no parts of one.
  const range = page.getByRole('button', { name: /^Time range: (?!.*\d:\d\d:\d).+ – / })
  await range.waitFor()
})

browserTest(t, 'the environment, the first range and every kind of widget are obeyed', async t => {
  const all = await sharedSite()
  const path = await put(all, 'kinds', {
    widgets: [
      {
        type: 'group',
        position: at(0, 0, 12, 3),
        group: { title: 'Inside', widgets: [stat('Counted', 'count(logs)', at(0, 0, 4, 2))] },
      },
      { type: 'trace', position: at(0, 3, 4, 2), trace: { title: 'Spans' } },
      { type: 'pie', position: at(4, 3, 4, 2) },
      {
        type: 'markdown',
        position: at(8, 3, 4, 2),
        markdown: { content: '# Hi\n<img src=x> **b**' },
      },
      stat('Wrong', 'count(logs{a=})', at(0, 5, 6, 2)),
      stat('Large', 'count(logs)', at(6, 5, 6, 5)),
    ],
  })
  const { page } = await all.open({ role: 'viewer', path: `${path}?env=staging` })
  await widget(page, 'Counted')
    .getByText(/^(600|5\d\d)$/)
    .waitFor()
  const sizeOf = async (name: string) => {
    const value = widget(page, name).locator('.stat')
    await value.waitFor()
    return value.evaluate(one => Number.parseFloat(getComputedStyle(one).fontSize))
  }
  const [small, large] = [await sizeOf('Counted'), await sizeOf('Large')]
  t.ok(small >= 30 && large > 2 * small, `as large as there is room: ${small}, ${large} px`)
  await page.getByRole('button', { name: 'Close Inside' }).click()
  await widget(page, 'Counted').waitFor({ state: 'detached' })
  await page.getByText('this one has logs only').waitFor()
  await page.getByText('cannot draw a widget of the type “pie”').waitFor()
  await page.getByRole('heading', { name: 'Hi' }).waitFor()
  t.equal(await page.locator('.markdown img').count(), 0)
  t.match(await page.locator('.markdown').innerText(), '<img src=x> b')
  await widget(page, 'Wrong')
    .getByText(/expected a string/i)
    .waitFor()
  t.equal(await widget(page, 'Wrong').locator('.syntax-fault').innerText(), '}')
})

browserTest(t, 'names with numbers are listed as people count', async t => {
  const all = await sharedSite()
  const token = await all.service.makeToken('farm', 'prod')
  const hosts = ['web1', 'web2', 'web10']
  const time = Date.now() - 600_000 // Lines end with the last whole bucket.
  const body = hosts.toReversed().map(host => ({ message: 'up', host, time }))
  await all.service.send(token, body, 'time')
  const query = 'count by (host) (logs{service.name="farm"})'
  const board = await put(all, 'names', {
    variables: [{ name: 'host', defaultValue: '.*', selectorSettings: { attribute: 'host' } }],
    widgets: [chart('Drawn', query, at(0, 0, 8, 4)), stat('Counted', query, at(8, 0, 4, 4))],
  })
  const { page } = await all.open({ role: 'viewer', path: board })
  for (const listed of ['.stat-list dt', '.chart-legend li']) {
    const names = page.locator(listed)
    await names.getByText('web10').waitFor()
    t.same(await names.allInnerTexts(), hosts, listed)
  }
  await page.getByRole('button', { name: 'host: all' }).click()
  const values = page.getByRole('dialog').locator('.menu-item > .truncate')
  await values.getByText('web1', { exact: true }).waitFor()
  t.same(await values.getByText('web').allInnerTexts(), hosts)
})

browserTest(t, 'charts share one crosshair, and a widget shows its query on hover', async () => {
  const all = await sharedSite()
  const path = await put(all, 'crosshair', {
    widgets: [
      chart('Upper', 'count(logs)', at(0, 0, 12, 3)),
      chart('Lower', 'count by (log_level) (logs)', at(0, 3, 12, 3)),
    ],
  })
  const { page } = await all.open({ role: 'viewer', path })
  const [upper, lower] = [widget(page, 'Upper'), widget(page, 'Lower')]
  for (const one of [upper, lower]) await one.locator('.u-over').waitFor()
  const { width } = (await upper.locator('.u-over').boundingBox())!
  await upper.locator('.u-over').hover({ position: { x: width / 2, y: 40 } })
  await page.waitForFunction(() => {
    const lines = [...document.querySelectorAll<HTMLElement>('.u-cursor-x')]
    const places = lines.map(line => line.getBoundingClientRect().left)
    const isShown = lines.every(line => !line.classList.contains('u-off'))
    return places.length === 2 && isShown && Math.abs(places[0]! - places[1]!) < 2
  })
  await lower.getByRole('heading', { name: 'Lower' }).hover()
  await lower.locator('.widget-query').getByText('count by').last().waitFor()
})

browserTest(
  t,
  'a widget is drawn in any of the ways, and the address has what its legend shows',
  async t => {
    const site = await sharedSite()
    const types = ['groupedBar', 'table', 'topList', 'pie', 'heatmap', 'figure']
    const path = await put(site, 'ways', {
      widgets: types.map((type, index) =>
        chart(
          type,
          'count by (log_level) (logs)',
          at((index % 3) * 4, index < 3 ? 0 : 4, 4, 4),
          type,
        ),
      ),
    })
    const { page } = await site.open({ role: 'editor', path })
    const table = widget(page, 'table').getByRole('table')
    await table.getByRole('row').nth(4).waitFor()
    const counts = Object.fromEntries(
      (await table.getByRole('row').allInnerTexts()).slice(1).map(row => row.trim().split(/\s+/)),
    )
    t.same(Object.keys(counts), ['info', 'warn', 'debug', 'error'], 'the largest first')
    await widget(page, 'topList').getByRole('listitem').nth(3).waitFor()
    const top = await widget(page, 'topList').getByRole('listitem').allInnerTexts()
    t.same(Object.fromEntries(top.map(row => row.trim().split(/\s+/))), counts)
    await widget(page, 'figure').scrollIntoViewIfNeeded()
    await widget(page, 'figure').getByText('before').first().waitFor()
    await widget(page, 'heatmap')
      .locator('.heatmap-row rect')
      .first()
      .waitFor({ state: 'attached' })

    const legend = widget(page, 'pie').getByRole('list', { name: /^Legend/ })
    await legend.getByRole('button', { name: /^warn/ }).click()
    await page.getByRole('img', { name: 'pie: warn 100 %' }).waitFor()
    await page.reload()
    await page.getByRole('img', { name: 'pie: warn 100 %' }).waitFor()
    const bars = widget(page, 'groupedBar').getByRole('list', { name: /^Legend/ })
    await bars.getByRole('button').nth(3).waitFor()
    t.equal(await bars.locator('[aria-pressed="true"]').count(), 4, 'each has its own')

    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Edit pie' }).click()
    await page.getByRole('combobox', { name: 'Draw as' }).selectOption('Stacked bars')
    await widget(page, 'pie').locator('.uplot').waitFor()
  },
)
