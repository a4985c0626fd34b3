import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, type Site, shareSite } from './browser.ts'
import { put, starterLogs } from './dashboards/board-pages.ts'
import { violations } from './violations.ts'

const site = shareSite(t)

browserTest(t, 'axe finds nothing wrong, and nothing is wider than a phone', async t => {
  const { open } = await site()
  const changing = await put(await site(), 'changing', { widgets: [] })
  const states: readonly [string, string, (page: Page) => Promise<unknown>][] = [
    ['list', '/dashboards', page => page.getByRole('table').first().waitFor()],
    ['view', starterLogs, figuresAreShown],
    [
      'variable',
      starterLogs,
      async page => {
        await press(page, 'service: all')
        await page.locator('.value-choices .menu-item').nth(2).waitFor()
      },
    ],
    [
      'widget',
      `${starterLogs}?edit=1`,
      async page => {
        await figuresAreShown(page)
        await press(page, 'Edit Records')
      },
    ],
    ['variables', `${starterLogs}?edit=1`, page => press(page, 'Variables')],
    ['json', `${starterLogs}?edit=1`, page => press(page, 'JSON')],
    ['conflict', `${changing}?edit=1`, async page => conflict(page, await site())],
  ]
  for (const size of ['desktop', 'phone'] as const) {
    const { page, complaints } = await open({ role: 'admin', theme: 'light', size, path: '/logs' })
    for (const [name, path, reach] of states) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      await reach(page)
      t.same(await violations(page), [], `${name}, ${size}`)
      const { width } = page.viewportSize()!
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, name)
      t.same(complaints, [], `${name}, ${size}`)
    }
    await page.context().close()
  }
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function figuresAreShown(page: Page): Promise<void> {
  await page.locator('.figure').first().waitFor()
  await page.locator('.uplot').first().waitFor()
}

/** Saves what somebody else has saved meanwhile. */
async function conflict(page: Page, all: Site): Promise<void> {
  await press(page, 'Settings')
  await put(all, 'changing', { widgets: [], changedAt: Date.now() })
  await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Overwrite with mine' }).waitFor()
}
