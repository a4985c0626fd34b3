import t from 'tap'
import { browserTest, shareSite } from './browser.ts'

const site = shareSite(t, { isEmpty: true })

browserTest(t, 'without any token one is led to make the first', async t => {
  const { open } = await site()
  const { page, complaints } = await open({ role: 'admin', path: '/settings' })
  await page.getByText('There is no ingestion token yet').waitFor()
  await page.getByRole('button', { name: 'Make the first token' }).click()
  await page.getByRole('dialog', { name: 'New ingestion token' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.same(complaints, [])
})

browserTest(t, 'while the service is away, what was read stays and is said to be old', async t => {
  const { open } = await site()
  for (const path of ['/settings/storage', '/settings']) {
    const { page } = await open({ role: 'admin', path })
    await page.getByText(/All is well|There is no ingestion token yet/).waitFor()
    await page.context().setOffline(true)
    await page.getByText('Not up to date: the service cannot be reached').waitFor()
    t.ok(await page.getByText(/All is well|There is no ingestion token yet/).isVisible(), path)
    await page.context().setOffline(false)
    await page.getByText('Not up to date').waitFor({ state: 'detached' })
    await page.context().close()
  }
})
