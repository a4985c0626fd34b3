import t from 'tap'
import { browserTest, sharedSite } from './browser.ts'

browserTest(t, 'a query is saved under a name, run from there, and deleted with undo', async t => {
  const { open } = await sharedSite()
  const query = 'logs{log_level="error"}'
  const path = `/logs?columns=host&query=${encodeURIComponent(query)}`
  const { page } = await open({ role: 'editor', path })
  await page.locator('.log-row').first().waitFor()
  await page.keyboard.press('q')
  const dialog = page.getByRole('dialog', { name: 'Saved queries' })
  await dialog.getByText('None yet').waitFor()
  await dialog.getByRole('textbox', { name: 'Save this query as' }).fill('Errors by host')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /^Errors by host/ }).waitFor()

  for (const size of ['desktop', 'phone'] as const) {
    const viewer = await open({ role: 'viewer', path: '/logs', size })
    await viewer.page.locator('.log-row').first().waitFor()
    await viewer.page.getByRole('button', { name: 'Saved queries' }).click()
    await viewer.page.getByRole('button', { name: /^Errors by host/ }).click()
    await viewer.page.waitForURL(url => url.searchParams.get('query') === query)
    t.equal(new URL(viewer.page.url()).searchParams.get('columns'), 'host')
    await viewer.page.getByRole('button', { name: 'Saved queries' }).click()
    await viewer.page.getByRole('button', { name: /^Errors by host/ }).waitFor()
    t.equal(await viewer.page.getByRole('button', { name: 'Delete Errors by host' }).count(), 0)
    await viewer.page.context().close()
  }

  await dialog.getByRole('button', { name: 'Delete Errors by host' }).click()
  await dialog.getByText('None yet').waitFor()
  const savedAgain = page.waitForResponse(
    answer => answer.request().method() === 'POST' && answer.url().endsWith('/saved-queries'),
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await savedAgain // The list is read when it opens, and not again.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await dialog.getByRole('button', { name: /^Errors by host/ }).waitFor()
})
