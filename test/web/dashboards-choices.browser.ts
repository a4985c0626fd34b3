import t from 'tap'
import { browserTest, isDrawn, sharedSite } from './browser.ts'
import { at, chart, put, stat, widget } from './dashboards/board-pages.ts'

const services = {
  name: 'service',
  defaultValue: '.*',
  overridable: true,
  selectorSettings: { metricName: 'logs', attribute: 'service.name' },
}

browserTest(
  t,
  'a variable takes several values, which the address has, or all, or none',
  async t => {
    const site = await sharedSite()
    const path = await put(site, 'several', {
      variables: [services],
      widgets: [
        stat('Of any', 'count(logs{service.name=~"$service"})', at(0, 0, 4, 2)),
        stat('Of equal', 'count(logs{service.name="$service"})', at(4, 0, 4, 2)),
      ],
    })
    const { page } = await site.open({ role: 'viewer', path: `${path}?from=now-2h` })
    const any = widget(page, 'Of any').locator('.stat')
    const equal = widget(page, 'Of equal').locator('.stat')
    const all = await any.innerText()
    await page.getByRole('button', { name: 'service: all' }).click()
    const choices = page.getByRole('dialog', { name: 'Values of service' })
    await choices.getByRole('checkbox', { name: 'Also payments' }).focus()
    await page.keyboard.press('Space')
    await choices.getByRole('checkbox', { name: 'Also search' }).check()
    await page.waitForURL('**var.service=payments&var.service=search')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'service: payments, search' }).waitFor()
    await equal.waitFor()
    await page.waitForFunction(
      ([one, other]) => {
        const texts = [...document.querySelectorAll('.stat')].map(stat => stat.textContent)
        return texts.length === 2 && texts[0] === texts[1] && texts[0] !== one && other
      },
      [all, true] as const,
    )
    await page.reload()
    await equal.waitFor()
    t.equal(await any.innerText(), await equal.innerText(), 'the service understands both the same')

    await page.getByRole('button', { name: 'service: payments, search' }).click()
    t.equal(await choices.getByRole('checkbox', { checked: true }).count(), 2)
    await choices.getByRole('button', { name: 'None' }).click()
    await page.waitForURL('**var.service=')
    await choices.getByRole('button', { name: 'All', exact: true }).click()
    await page.waitForURL(url => !url.search.includes('var.service'))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'service: all' }).waitFor()
  },
)

browserTest(t, 'a widget fills the page, by its address too, and Escape leaves', async t => {
  const site = await sharedSite()
  const path = await put(site, 'filling', {
    widgets: [
      chart('Drawn large', 'count by (log_level) (logs)', at(0, 0, 6, 3)),
      stat('Beside it', 'count(logs)', at(6, 0, 3, 2)),
    ],
  })
  const { page } = await site.open({ role: 'viewer', path })
  const expand = page.getByRole('button', { name: 'Drawn large: full screen' })
  await expand.focus()
  await page.keyboard.press('Enter')
  const filling = page.locator('.widget-filling')
  await filling.locator('.uplot').waitFor()
  const isFilled = async () => {
    const { x, y, width, height } = (await filling.boundingBox())!
    const window = page.viewportSize()!
    t.same([x, y, width, height], [0, 0, window.width, window.height])
    const plot = (await filling.locator('.uplot').boundingBox())!
    t.ok(plot.height > 0.7 * window.height, 'so does its chart')
  }
  await isFilled()
  t.match(new URL(page.url()).searchParams.get('widget'), 'content/widgets/0')
  await page.keyboard.press('Escape')
  await filling.waitFor({ state: 'detached' })
  await isDrawn(page)
  t.ok(await expand.evaluate(one => one === document.activeElement), 'the focus is where it was')
  await page.goBack()
  await filling.locator('.uplot').waitFor()
  await page.reload()
  await filling.locator('.uplot').waitFor()
  await isFilled()
  await filling.getByRole('button', { name: 'Leave the full screen' }).click()
  await filling.waitFor({ state: 'detached' })
})

browserTest(t, 'the palette finds dashboards, saved queries and services', async t => {
  const site = await sharedSite()
  await put(site, 'found-by-name', { title: 'found-by-name', widgets: [] })
  const saved = {
    name: 'Slow payments of today',
    query: 'logs{log_level="warn"}',
    columns: ['host'],
  }
  await site.service.call('POST', '/api/v1/saved-queries', { body: saved })
  const { page } = await site.open({ role: 'viewer', path: '/logs' })
  await page.locator('.log-row').first().waitFor()
  const find = async (text: string, option: RegExp) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Find a command' }).fill(text)
    await page.getByRole('option', { name: option }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await find('slow paym', /^Slow payments of today/)
  await page.waitForURL(url => url.searchParams.get('query') === saved.query)
  t.equal(new URL(page.url()).searchParams.get('columns'), 'host')
  await find('service checkout', /^checkout/)
  await page.waitForURL(url => url.searchParams.get('query') === 'logs{service.name="checkout"}')
  await find('by-name', /^found-by-name/)
  await page.waitForURL('**/dashboards/found-by-name')
})
