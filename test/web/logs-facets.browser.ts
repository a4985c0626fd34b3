import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { browserTest, openShared, type View } from './browser.ts'
import { fieldsOf } from './ways.ts'

async function asks(page: Page, query: string): Promise<void> {
  await page.waitForURL(url => (url.searchParams.get('query') ?? 'logs') === query)
  await page.waitForLoadState('networkidle') // A list that is just made anew moves under the pointer.
}

const fieldIn = (fields: Locator, name: string) => fields.getByRole('region', { name, exact: true })

async function openFields(): Promise<View & { fields: Locator }> {
  const view = await openShared({ role: 'viewer', path: '/logs' })
  return { ...view, fields: await fieldsOf(view) }
}

browserTest(t, 'several values of a field are chosen one by one, and taken back', async t => {
  const { page, fields } = await openFields()
  const service = (name: string) =>
    fieldIn(fields, 'service.name').getByRole('button', { name: new RegExp(`^${name}`) })
  await service('payments').click()
  await asks(page, 'logs{service.name="payments"}')
  await service('checkout').click()
  await asks(page, 'logs{service.name in ("payments", "checkout")}')
  t.equal(await service('payments').getAttribute('aria-pressed'), 'true')
  t.equal(await service('search').getAttribute('aria-pressed'), 'false', 'the others stay in sight')
  const counts = await fieldIn(fields, 'environment').getByRole('button').allInnerTexts()
  t.notMatch(counts.join(), 'staging', 'other fields are of what is chosen')
  await service('payments').click()
  await asks(page, 'logs{service.name="checkout"}')
  await service('checkout').focus()
  await page.keyboard.press('Enter')
  await asks(page, 'logs')
})

browserTest(t, 'numbers have quantiles and a slider, which write comparisons', async t => {
  const { page, fields } = await openFields()
  const duration = fieldIn(fields, 'duration_ms')
  const least = duration.getByRole('slider', { name: 'Least of duration_ms' })
  const greatest = duration.getByRole('slider', { name: 'Greatest of duration_ms' })
  await duration.getByRole('button', { name: /^p95/ }).click()
  await page.waitForURL(url =>
    /^logs\{duration_ms >= [\d.]+\}$/.test(url.searchParams.get('query') ?? ''),
  )
  await page.goBack()
  await asks(page, 'logs')
  await least.focus()
  t.match(await least.getAttribute('aria-valuetext'), /^\d/)
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await page.waitForURL(url => / >= /.test(url.searchParams.get('query') ?? ''))
  await page.waitForLoadState('networkidle')
  t.equal(await least.inputValue(), '3', 'the thumb stands where the query says')
  await greatest.focus()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(url =>
    /^logs\{duration_ms >= [\d.]+, duration_ms < [\d.]+\}$/.test(
      url.searchParams.get('query') ?? '',
    ),
  )
  await page.keyboard.press('End')
  await least.focus()
  await page.keyboard.press('Home')
  await asks(page, 'logs')
})
