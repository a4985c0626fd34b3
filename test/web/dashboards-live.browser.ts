import t from 'tap'
import { browserTest, type Site, sharedSite } from './browser.ts'
import { at, put, stat, widget } from './dashboards/board-pages.ts'
import { fillScreen } from './ways.ts'

/** Sends events of a service of its own, each on another host. */
async function sender({ service }: Site, name: string) {
  const token = await service.makeToken(name, 'prod')
  return async (...hosts: readonly string[]) => {
    const body = hosts.map(host => ({ message: 'here', host }))
    await service.send(token, body)
  }
}

browserTest(t, 'a dashboard that refreshes by itself shows what has arrived', async () => {
  const all = await sharedSite()
  const send = await sender(all, 'refreshed')
  await send('a')
  const query = 'count(logs{service.name="refreshed"})'
  const path = await put(all, 'refreshing', { widgets: [stat('Count', query, at(0, 0, 3, 2))] })
  const { page } = await all.open({ role: 'viewer', path })
  const shows = (count: string) => widget(page, 'Count').getByText(count, { exact: true }).waitFor()
  await shows('1')
  await page.clock.install()
  await page.getByRole('button', { name: 'Refresh automatically: off' }).click()
  await page.getByRole('menuitemradio', { name: 'Every 10s' }).click()
  await page.waitForURL('**refresh=10s')
  await send('b', 'c')
  await page.clock.runFor(10_100)
  await shows('3')
  await send('d')
  await page.keyboard.press('r')
  await shows('4')
})

browserTest(t, 'a variable offers the values that there are when it is opened', async t => {
  const all = await sharedSite()
  const send = await sender(all, 'hosted')
  await send('host-1', 'host-1')
  const variable = {
    name: 'host',
    defaultValue: '.*',
    selector: {
      dynamic: { attributeKey: 'host', selectorQueries: ['logs{service.name="hosted"}'] },
    },
  }
  const query = 'count(logs{service.name="hosted", host=~"$host"})'
  const content = { variables: [variable], widgets: [stat('Count', query, at(0, 0, 3, 2))] }
  const { page } = await all.open({
    role: 'viewer',
    path: await put(all, 'live-values', content),
  })
  const list = page.getByRole('dialog', { name: 'Values of host' })
  const open = () => page.getByRole('button', { name: 'host: all' }).click()
  await widget(page, 'Count').getByText('2', { exact: true }).waitFor()
  await open()
  await list.getByRole('button', { name: /^host-1\s*2$/ }).waitFor()
  const choices = list.locator('.value-choices').getByRole('button')
  t.equal(await choices.count(), 2, 'all, and the one there is')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })

  await send('host-2')
  await open()
  await list.getByRole('button', { name: /^host-2/ }).click()
  await page.waitForURL('**var.host=host-2')
  await page.keyboard.press('r')
  await widget(page, 'Count').getByText('1', { exact: true }).waitFor()
})

browserTest(t, 'the first time range and the hidden environment are obeyed', async t => {
  const all = await sharedSite()
  const content = { widgets: [stat('Count', 'count(logs)', at(0, 0, 3, 2))] }
  const settings = { defaultTimeRange: '30m', hideGlobalEnvironmentSelector: true }
  const hiding = await put(all, 'hiding', content, settings)
  const usual = await put(all, 'usual', content)
  const { page } = await all.open({ role: 'viewer', path: `${hiding}?env=staging` })
  const environment = page.getByRole('button', { name: /^env:/ })
  const counts = (text: RegExp) => widget(page, 'Count').getByText(text).waitFor()
  await page.getByRole('button', { name: 'Time range: Last 30 m' }).waitFor()
  await counts(/^1,[345]\d\d$/) // Of all environments.
  t.equal(await environment.count(), 0)
  await page.goto(`${hiding}?from=now-15m&to=now`)
  await page.getByRole('button', { name: 'Time range: Last 15 m' }).waitFor()
  await counts(/^[67]\d\d$/)

  await page.goto(`${usual}?env=staging`)
  await page.getByRole('button', { name: 'Time range: Last 1 h' }).waitFor()
  await page.getByRole('button', { name: 'env: staging' }).waitFor()
  await counts(/^(600|5\d\d)$/)
})

browserTest(t, 'a dashboard fills the screen with all that floats, and gives it back', async () => {
  const all = await sharedSite()
  const content = { widgets: [stat('Count', 'count(logs)', at(0, 0, 3, 2))] }
  const path = await put(all, 'full', content)
  const view = await all.open({ role: 'editor', path })
  const { page } = view
  await widget(page, 'Count').locator('.stat').waitFor()
  const isFull = (wanted: boolean) =>
    page.waitForFunction(
      expected => (document.fullscreenElement?.matches('.board') ?? false) === expected,
      wanted,
    )
  await fillScreen(view)
  await isFull(true)
  await page.getByRole('button', { name: 'Refresh automatically: off' }).click()
  await page.getByRole('menuitemradio', { name: 'Every 1m' }).click()
  await page.waitForURL('**refresh=1m')
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Remove Count' }).click()
  await page.waitForFunction(() => {
    const toasts = [...document.querySelectorAll('.toast')]
    return toasts.length === 1 && document.fullscreenElement?.contains(toasts[0]!)
  })
  await page.keyboard.press('f')
  await isFull(false)
})
