import type { Page } from 'playwright-core'
import t from 'tap'
import {
  at,
  browserTest,
  holds,
  isDrawn,
  leavePages,
  openLogs,
  openShared,
  sharedSite,
} from './browser.ts'
import { fieldsOf } from './ways.ts'

/** The text of the query in the address. */
function queryOf(page: Page): string {
  return new URL(page.url()).searchParams.get('query') ?? 'logs'
}

/** Opens the first row that has the text. */
async function openRow(page: Page, text: string): Promise<void> {
  await page.locator('.log-row', { hasText: text }).first().locator('.log-message').click()
  await page.locator('.detail').first().waitFor()
}

browserTest(t, 'an opened record shows its fields, and each writes the query', async t => {
  const { page, isPhone } = await openShared({ role: 'viewer', path: '/logs' })
  await openRow(page, 'upstream timeout')
  const field = (name: string) => page.locator(`.detail [data-field="${name}"]`)
  /** Brings the actions of a field into sight. */
  const reach = (name: string) =>
    isPhone
      ? field(name)
          .getByRole('button', { name: `Actions for ${name}` })
          .click()
      : field(name).hover()
  await reach('error.code')
  await field('error.code').getByRole('button', { name: 'Filter for this error.code' }).click()
  await page.waitForURL(url => url.searchParams.get('query') === 'logs{error.code="ETIMEDOUT"}')
  await holds(t, page.getByRole('textbox', { name: 'Query' }), 'logs{error.code="ETIMEDOUT"}')

  // The rows from before have this text, too: one that is opened among them is closed with them.
  await page
    .locator('.log-row', { hasNotText: 'upstream timeout' })
    .first()
    .waitFor({ state: 'detached' })
  await openRow(page, 'upstream timeout')
  const service = await field('service.name').locator('.field-value').innerText()
  await field('service.name')
    .locator('.field-value')
    .click({ modifiers: ['Alt'] })
  const expected = `logs{error.code="ETIMEDOUT", service.name!="${service}"}`
  await page.waitForURL(url => url.searchParams.get('query') === expected)
  await page.locator('.log-service', { hasText: service }).first().waitFor({ state: 'detached' })
  await page.goBack()
  await page.locator('.log-service', { hasText: service }).first().waitFor()
  t.equal(queryOf(page), 'logs{error.code="ETIMEDOUT"}')

  await openRow(page, 'upstream timeout')
  await reach('host')
  await field('host').getByRole('button', { name: 'Add host as a column' }).click()
  await page.waitForURL('**columns=host*')
  const cell = page.locator('.log-row .log-cell').first()
  await cell.waitFor()
  t.match(await cell.innerText(), isPhone ? /^host node-\d+$/ : /^node-\d+$/)
  await page.getByRole('button', { name: 'Remove the column host' }).first().click()
  await page.locator('.log-cell').first().waitFor({ state: 'detached' })

  if (!isPhone) await reach('host')
  await field('host').getByRole('button', { name: 'Top values of host' }).click()
  const top = page.getByRole('dialog', { name: 'Top values of host' })
  t.match(await top.getByRole('button').first().innerText(), /^node-\d+\s+\d+$/)
  await page.keyboard.press('Escape')
  if (!isPhone) await reach('host')
  await field('host').getByRole('button', { name: 'Copy host' }).click()
  t.match(await page.evaluate(() => navigator.clipboard.readText()), /^node-\d+$/)
})

browserTest(t, 'top values open at their button, above all else, on phones too', async t => {
  const { open } = await sharedSite()
  for (const size of ['desktop', 'phone'] as const) {
    const { page } = await open({ role: 'viewer', path: '/logs', size })
    await openRow(page, 'upstream timeout')
    const field = page.locator('.detail [data-field="order"]')
    if (size === 'phone') await page.getByRole('button', { name: 'Actions for order' }).click()
    else await field.hover()
    const button = field.getByRole('button', { name: 'Top values of order' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Top values of order' })
    await dialog.locator('.facet-value').nth(9).waitFor()
    await isDrawn(page)
    const [from, box] = [(await button.boundingBox())!, (await dialog.boundingBox())!]
    if (size === 'phone') {
      t.same([box.x, box.width, box.y + box.height], [0, 360, 740], 'a sheet at the lower edge')
    } else {
      t.ok(box.x <= from.x + 1 && from.x < box.x + box.width, 'beside the button')
      const gap = Math.max(box.y - from.y - from.height, from.y - box.y - box.height)
      t.ok(gap >= 0 && gap < 8, `${gap} px from it`)
      t.ok(box.y >= 0 && box.y + box.height <= 900, 'inside the window')
    }
    const isAbove = await dialog.evaluate(one => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const places = [left + 12, right - 12].flatMap(x => [top + 12, bottom - 12].map(y => [x, y]))
      return places.every(([x, y]) => one.contains(document.elementFromPoint(x!, y!)))
    })
    t.ok(isAbove, `${size}: nothing lies over it`)
    await leavePages()
  }
})

browserTest(t, 'what every row shows already is no column, and no column stands twice', async t => {
  const path = at('logs', '&columns=log_level,host,message,host,service.name')
  const view = await openShared({ role: 'viewer', path })
  const { page, isPhone } = view
  const cells = page.locator('.log-row').first().locator('.log-cell')
  await cells.first().waitFor()
  t.equal(await cells.count(), 1)
  await openRow(page, 'order')
  for (const name of ['message', 'log_level', 'service.name']) {
    const field = page.locator(`.detail [data-field="${name}"]`)
    if (isPhone) await field.getByRole('button', { name: `Actions for ${name}` }).click()
    const button = field.getByRole('button', { name: `${name} has its column already` })
    t.ok(await button.isDisabled(), name)
  }
  const fields = await fieldsOf(view)
  await fields.getByRole('region', { name: 'environment' }).hover()
  await fields.getByRole('button', { name: 'Add environment as a column' }).waitFor()
  t.equal(await fields.getByRole('button', { name: 'Add log_level as a column' }).count(), 0)
})

browserTest(
  t,
  'on a phone an opened record shows a field in a line, and its actions when asked',
  async t => {
    const { page } = await openShared({ role: 'viewer', size: 'phone', path: '/logs' })
    await openRow(page, 'order')
    const heights = await page.locator('.detail-field').evaluateAll(all => {
      return all.map(one => one.getBoundingClientRect().height)
    })
    t.ok(heights.length >= 5 && heights.every(height => height <= 34), heights.join())
    const host = page.locator('.detail [data-field="host"]')
    const filter = host.getByRole('button', { name: 'Filter for this host' })
    t.notOk(await filter.isVisible())
    await host.getByRole('button', { name: 'Actions for host' }).tap()
    t.ok((await filter.boundingBox())!.height >= 40, 'for a thumb')
    await filter.tap()
    await page.waitForURL(url => /host="node-/.test(url.searchParams.get('query') ?? ''))
  },
)

browserTest(t, 'records are gone through, opened and filtered by keys alone', async t => {
  const { page } = await openLogs()
  const marked = () => page.locator('li:has(.log-row-marked)').getAttribute('aria-posinset')
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
  t.equal(await marked(), '2')
  await page.getByRole('region', { name: /^Records, / }).focus()
  await page.keyboard.press('ArrowDown')
  t.equal(await marked(), '3')
  await page.keyboard.press('Enter')
  await page.locator('.detail').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.detail').waitFor({ state: 'detached' })

  await page.keyboard.press('x')
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))
  await page.waitForFunction(
    () => document.activeElement?.closest('[data-field]')?.getAttribute('data-field') === 'message',
  )
  await page.keyboard.press('j')
  t.equal(await focused(), 'log_level')
  await page.keyboard.press('v')
  const top = page.getByRole('dialog', { name: 'Top values of log_level' })
  await top.getByRole('button').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await top.waitFor({ state: 'detached' })
  t.equal(await focused(), 'log_level')

  // Out of the fields at both of their ends.
  const record = await marked()
  await page.keyboard.press('k')
  t.equal(await focused(), 'message')
  await page.keyboard.press('k')
  t.equal(await marked(), record, 'above the first field is its record')
  await page.keyboard.press('k')
  t.equal(await marked(), String(Number(record) - 1))
  await page.keyboard.press('j')
  await page.keyboard.press('v')
  await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
  const count = await page.locator('.detail [data-field]').count()
  for (let i = 0; i < count; i++) await page.keyboard.press('j')
  t.equal(await focused(), undefined)
  t.equal(await marked(), String(Number(record) + 1), 'below the last field is the next record')

  await page.keyboard.press('k')
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
  await page.keyboard.press('j')
  t.equal(await focused(), 'log_level')
  const level = await page.locator('.log-row-marked [class*="level-"]').evaluate(one => {
    return [...one.classList].find(name => name.startsWith('level-'))
  })
  await page.keyboard.press('x')
  await page.waitForURL(url => /log_level!=/.test(url.searchParams.get('query') ?? ''))
  // What was marked may be gone: the keys then begin with what is in sight.
  await page.locator(`.log-row .${level}`).first().waitFor({ state: 'detached' })
  await page.keyboard.press('o')
  await page.locator('.detail').waitFor()
})
