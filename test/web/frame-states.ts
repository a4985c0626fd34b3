/** The states of the frame and of the log viewer, each looked at by axe; one test file for each size. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Site } from './browser.ts'
import { violations } from './violations.ts'

/** axe finds nothing wrong in any state, neither light nor dark. */
export async function checkFrame(
  t: Test,
  { open, service }: Site,
  size: 'desktop' | 'phone',
): Promise<void> {
  await service.call('POST', '/api/v1/dashboards/update', {
    body: { dashboard: { metadata: { title: 'Overview' } } },
  })
  const states: readonly [string, string, (page: Page) => Promise<unknown>][] = [
    ['sign-in', '/sign-in', refuseEmptyKey],
    ['logs', '/logs', page => page.locator('.log-row').first().waitFor()],
    ['no record', '/logs?query=logs%7Ba%3D"b"%7D', page => page.getByText('No record').waitFor()],
    ['opened record', '/logs?columns=host', openRecord],
    ['top values', '/logs', topValues],
    ['surroundings', '/logs', surroundings],
    ['JSON', '/logs?view=json', page => page.locator('.log-row').first().waitFor()],
    ['live', '/logs?live=1', page => page.getByText('100 shown').waitFor()],
    [
      'figures',
      '/logs?query=count%20by%20(host)%20(logs)',
      page => page.getByRole('table').first().waitFor(),
    ],
    [
      'fields',
      '/logs',
      page =>
        size === 'phone'
          ? page.getByRole('button', { name: 'Show the fields' }).click()
          : focusField(page),
    ],
    ['wrong query', '/logs?query=logs%7B', page => page.getByRole('alert').waitFor()],
    ['completion', '/logs', complete],
    ['time range', '/logs', page => press(page, 't', '.range-form')],
    ['user', '/logs', page => page.getByRole('button', { name: 'Signed in' }).click()],
    ['shortcuts', '/dashboards', page => press(page, '?', 'dialog')],
    ['palette', '/dashboards', page => press(page, 'ControlOrMeta+k', 'dialog')],
    ['dashboards', '/dashboards', page => page.getByRole('table').first().waitFor()],
    ['settings', '/settings', page => page.getByRole('table').first().waitFor()],
  ]
  const stranger = await open({ theme: 'light', size, path: '/sign-in' })
  const admin = await open({ role: 'admin', theme: 'light', size, path: '/logs' })
  for (const [name, path, reach] of states) {
    const { page, complaints } = name === 'sign-in' ? stranger : admin
    await page.goto(path)
    await page.locator('h1').first().waitFor({ state: 'attached' })
    await reach(page)
    t.same(await violations(page), [], `${name}, ${size}`)
    t.same(complaints, [], `${name}, ${size}`)
  }
  for (const { page } of [stranger, admin]) await page.context().close()
}

async function refuseEmptyKey(page: Page): Promise<void> {
  await page.getByLabel('API key').press('Enter')
  await page.locator('.field-error').waitFor()
}

async function complete(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await page.getByRole('textbox', { name: 'Query' }).fill('')
  await page.getByRole('textbox', { name: 'Query' }).pressSequentially('logs{serv')
  await page.getByRole('option').first().waitFor()
}

async function openRecord(page: Page): Promise<void> {
  await page.locator('.log-row .log-message').nth(2).click()
  await page.locator('.detail').waitFor()
}

async function focusField(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await press(page, 'v', '.detail')
}

async function topValues(page: Page): Promise<void> {
  await openRecord(page)
  const field = page.locator('[data-field="service.name"]').first()
  await field.hover()
  const more = field.getByRole('button', { name: 'Actions for service.name' })
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Top values of service.name' }).click()
  await page.locator('.top-values .facet-value').first().waitFor()
}

async function surroundings(page: Page): Promise<void> {
  await openRecord(page)
  await page.getByRole('button', { name: 'Surrounding records' }).click()
  await page.locator('.context-center').waitFor()
}

async function press(page: Page, key: string, shown: string): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.keyboard.press(key)
  await page.locator(shown).waitFor()
}
