import type { Page } from 'playwright-core'
import t from 'tap'
import { until } from '../until.ts'
import { browserTest, logsAreShown, openShared } from './browser.ts'

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

async function openRange(page: Page) {
  await page.getByRole('button', { name: /^Time range/ }).click()
  const form = page.getByRole('dialog', { name: 'Time range' })
  await form.getByRole('textbox', { name: 'Range' }).waitFor()
  return form
}

browserTest(t, 'a range is typed in one line, and is there again next time', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  const form = await openRange(page)
  const range = form.getByRole('textbox', { name: 'Range' })
  await range.fill('sometime')
  await range.press('Enter')
  await form.getByText(/write now-2h to now-1h/).waitFor()
  await range.fill('now-2h to now-1h')
  await range.press('Enter')
  await page.waitForURL('**from=now-2h*')
  t.equal(param(page, 'to'), 'now-1h')
  const again = await openRange(page)
  await again.getByRole('button', { name: 'Yesterday' }).click()
  await page.waitForURL('**from=yesterday*')
  const last = await openRange(page)
  await last.getByRole('button', { name: 'now-2h – now-1h' }).click()
  await page.waitForURL('**from=now-2h*')
})

browserTest(t, 'days are picked in a calendar, by the pointer and by keys', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs', timezone: 'UTC' })
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const named = (back: number) => format.format(Date.now() - back * 86_400_000)
  const form = await openRange(page)
  await form.getByRole('button', { name: named(0) }).focus()
  await page.keyboard.press('ArrowUp')
  await form.locator(`[aria-label="${named(7)}"]:focus`).waitFor()
  await page.keyboard.press('Enter')
  t.equal(await form.getByRole('textbox', { name: 'From' }).inputValue(), day(7))
  await page.keyboard.press('ArrowRight')
  await form.locator(`[aria-label="${named(6)}"]:focus`).waitFor()
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(url => url.searchParams.get('from') === `${day(7)}T00:00:00.000Z`)
  t.equal(param(page, 'to'), `${day(6)}T23:59:59.999Z`)
})

browserTest(t, 'the period before is a faint line, and the oldest may be first', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  await logsAreShown(page)
  const times = () => page.locator('.log-row time').allInnerTexts()
  const newest = (await times())[0]!
  await page.keyboard.press('a')
  await page.waitForURL('**order=oldest*')
  await page
    .getByRole('grid', { name: /oldest first/ })
    .or(page.getByLabel(/oldest first/))
    .first()
    .waitFor()
  await page.locator('.log-row', { hasText: newest }).waitFor({ state: 'detached' })
  const isInOrder = async (why: string) => {
    const oldest = await times()
    t.same(oldest, oldest.toSorted(), why)
    t.notOk(oldest.includes(newest), why)
  }
  await isInOrder('in order of time')
  await page.reload()
  await logsAreShown(page)
  await isInOrder('the address keeps it') // The range has gone on meanwhile: the first may be another.

  const asked = page.waitForRequest(request => {
    const body = request.postDataJSON()
    return request.url().endsWith('/histogram') && body?.bucketMs !== undefined
  })
  await page.keyboard.press('y')
  const { startTime, endTime, bucketMs } = (await asked).postDataJSON()
  await page.waitForURL('**compare=1*')
  t.equal((endTime + 1 - startTime) % bucketMs, 0)
  const plot = page
    .locator('.logs-chart')
    .getByRole('region')
    .or(page.locator('.chart-plot'))
    .first()
  // With the answer about the period before the chart is drawn anew.
  await until(async () => {
    await plot.focus()
    await page.keyboard.press('ArrowRight')
    return page.getByText('period before').isVisible()
  })
})
