import t from 'tap'
import { browserTest, leavePages, siteOfFile } from './browser.ts'

const site = siteOfFile({ isEmpty: true })

browserTest(t, 'without any token one is led to make the first', async () => {
  const { open } = await site()
  const { page } = await open({ role: 'admin', path: '/settings' })
  await page.getByText('No ingestion token yet').waitFor()
  await page.getByRole('button', { name: 'Make the first token' }).click()
  await page.getByRole('dialog', { name: 'New ingestion token' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

browserTest(t, 'Settings > Integrations > Event Ingestion is the address as well', async t => {
  const { open, keys } = await site()
  const way = '/settings/integrations/event-ingestion'
  const signedIn = await open({ role: 'admin', path: `${way}/` })
  await signedIn.page.getByText('No ingestion token yet').waitFor()
  t.equal(new URL(signedIn.page.url()).pathname, way)
  const current = signedIn.page.getByRole('link', { name: 'Event Ingestion', exact: true })
  t.equal(await current.getAttribute('aria-current'), 'page')
  await signedIn.page.getByRole('heading', { name: 'Event Ingestion', exact: true }).waitFor()
  await signedIn.page.getByRole('link', { name: 'Storage', exact: true }).click()
  await signedIn.page.getByText('Everything is working').waitFor()
  t.equal(new URL(signedIn.page.url()).pathname, '/settings/service/storage')

  const { page } = await open({ path: way })
  await page.getByLabel('API key').fill(keys.admin)
  await page.keyboard.press('Enter')
  await page.getByText('No ingestion token yet').waitFor()
  t.equal(new URL(page.url()).pathname, way)
  await page.goto(new URL('/settings/storage/event-ingestion', page.url()).href)
  await page.getByText('Settings page not found').waitFor()
})

browserTest(t, 'while the service is away, what was read stays and is said to be old', async t => {
  const { open } = await site()
  for (const path of ['/settings/storage', '/settings']) {
    const { page } = await open({ role: 'admin', path })
    await page.getByText(/Everything is working|No ingestion token yet/).waitFor()
    await page.context().setOffline(true)
    await page.getByText('Not up to date: the service cannot be reached').waitFor()
    t.ok(await page.getByText(/Everything is working|No ingestion token yet/).isVisible(), path)
    await page.context().setOffline(false)
    await page.getByText('Not up to date').waitFor({ state: 'detached' })
    await leavePages()
  }
})
