import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, shareSite } from './browser.ts'
import { starterLogs } from './dashboards/board-pages.ts'
import { violations } from './violations.ts'

const site = shareSite(t)

for (const theme of ['light', 'dark'] as const) {
  browserTest(
    t,
    `${theme}: axe finds nothing wrong, and nothing is wider than a phone`,
    async t => {
      const { open } = await site()
      const states: readonly [string, string, (page: Page) => Promise<unknown>][] = [
        ['list', '/dashboards', page => page.getByRole('table').first().waitFor()],
        ['view', starterLogs, page => page.locator('.figure').first().waitFor()],
        [
          'variable',
          starterLogs,
          page => page.getByRole('button', { name: 'service: all' }).click(),
        ],
        [
          'widget',
          `${starterLogs}?edit=1`,
          page => page.getByRole('button', { name: 'Edit Records', exact: true }).click(),
        ],
        [
          'variables',
          `${starterLogs}?edit=1`,
          page => page.getByRole('button', { name: 'Variables', exact: true }).click(),
        ],
        [
          'json',
          `${starterLogs}?edit=1`,
          page => page.getByRole('button', { name: 'JSON', exact: true }).click(),
        ],
      ]
      for (const size of ['desktop', 'phone'] as const) {
        for (const [name, path, reach] of states) {
          const { page, complaints } = await open({ role: 'admin', theme, size, path })
          await page.locator('h1').first().waitFor()
          await reach(page)
          await page.waitForLoadState('networkidle')
          t.same(await violations(page), [], `${name}, ${size}`)
          const { width } = page.viewportSize()!
          t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, name)
          t.same(complaints, [], `${name}, ${size}`)
          await page.context().close()
        }
      }
    },
  )
}
