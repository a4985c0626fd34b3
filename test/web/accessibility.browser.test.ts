import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, shareSite } from './browser.ts'
import { violations } from './violations.ts'

const site = shareSite(t)

for (const theme of ['light', 'dark'] as const) {
  browserTest(t, `${theme}: axe finds nothing wrong in any state of the frame`, async t => {
    const { open, service } = await site()
    await service.call('POST', '/api/v1/dashboards/update', {
      body: { dashboard: { metadata: { title: 'Overview' } } },
    })
    for (const size of ['desktop', 'phone'] as const) {
      const states: readonly [string, string, (page: Page) => Promise<unknown>][] = [
        ['sign-in', '/sign-in', page => page.keyboard.press('Enter')],
        ['logs', '/logs', page => page.locator('.log-row').first().waitFor()],
        [
          'no record',
          '/logs?query=logs%7Ba%3D"b"%7D',
          page => page.getByText('No record').waitFor(),
        ],
        ['wrong query', '/logs?query=logs%7B', page => page.getByRole('alert').waitFor()],
        ['completion', '/logs', complete],
        ['time range', '/logs', page => press(page, 't', '.range-form')],
        ['user', '/logs', page => page.getByRole('button', { name: 'Signed in' }).click()],
        ['shortcuts', '/dashboards', page => press(page, '?', 'dialog')],
        ['palette', '/dashboards', page => press(page, 'ControlOrMeta+k', 'dialog')],
        ['dashboards', '/dashboards', page => page.getByRole('table').waitFor()],
        ['settings', '/settings', page => page.getByRole('table').waitFor()],
      ]
      for (const [name, path, reach] of states) {
        const role = name === 'sign-in' ? undefined : 'admin'
        const { page, complaints } = await open({ role, theme, size, path })
        await page.locator('h1').first().waitFor({ state: 'attached' })
        await reach(page)
        t.same(await violations(page), [], `${name}, ${size}`)
        t.same(complaints, [], `${name}, ${size}`)
        await page.context().close()
      }
    }
  })
}

async function complete(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await page.getByRole('textbox', { name: 'Query' }).fill('')
  await page.getByRole('textbox', { name: 'Query' }).pressSequentially('logs{serv')
  await page.getByRole('option').first().waitFor()
}

async function press(page: Page, key: string, shown: string): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.keyboard.press(key)
  await page.locator(shown).waitFor()
}
