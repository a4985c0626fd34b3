import type { Page } from 'playwright-core'
import t from 'tap'
import { areAllRight, type State } from './accessibility-states.ts'
import { browserTest, type Site, sharedSite } from './browser.ts'
import { at, chart, put, starterLogs, stat } from './dashboards/board-pages.ts'

for (const size of ['desktop', 'phone'] as const) {
  browserTest(t, `${size}: nothing is wrong in any state of the dashboards`, async t => {
    const site = await sharedSite()
    await areAllRight(t, site, size, await states(site))
  })
}

async function states(site: Site): Promise<readonly State[]> {
  const small = await put(site, 'small', {
    variables: [
      { name: 'level', defaultValue: '.*', selectorSettings: { attribute: 'log_level' } },
    ],
    widgets: [
      stat('Count', 'count(logs)', at(0, 0, 3, 2)),
      chart('Drawn', 'count(logs{log_level=~"$level"})', at(3, 0, 6, 3)),
    ],
  })
  const drawn = await put(site, 'drawn', {
    widgets: ['groupedBar', 'table', 'topList', 'pie', 'heatmap', 'figure'].map((type, index) =>
      chart(
        type,
        'count by (log_level) (logs)',
        at((index % 3) * 4, index < 3 ? 0 : 4, 4, 4),
        type,
      ),
    ),
  })
  const changing = await put(site, 'changing', { widgets: [] })
  return [
    {
      name: 'list',
      path: '/dashboards',
      reach: page => page.getByRole('table').first().waitFor(),
    },
    {
      name: 'drawings',
      path: drawn,
      reach: async page => {
        await page.locator('.widget').nth(3).scrollIntoViewIfNeeded()
        await page.locator('.pie').waitFor()
        await page.locator('.widget').last().scrollIntoViewIfNeeded()
        await page.locator('.figure').first().waitFor()
      },
    },
    { name: 'view', path: starterLogs, reach: valuesAreShown },
    {
      name: 'variable',
      path: small,
      reach: async page => {
        await press(page, 'level: all')
        await page.locator('.value-choices .menu-item').nth(2).waitFor()
      },
    },
    {
      name: 'widget',
      path: `${starterLogs}?edit=1`,
      reach: async page => {
        await valuesAreShown(page)
        await press(page, 'Edit Records')
      },
    },
    { name: 'variables', path: `${small}?edit=1`, reach: page => press(page, 'Variables') },
    { name: 'json', path: `${small}?edit=1`, reach: page => press(page, 'JSON') },
    { name: 'conflict', path: `${changing}?edit=1`, reach: page => conflict(page, site) },
  ]
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function valuesAreShown(page: Page): Promise<void> {
  await page.locator('.stat').first().waitFor()
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
