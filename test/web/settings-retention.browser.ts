import t from 'tap'
import { dayMs } from '../../src/time-units.ts'
import { browserTest, siteOfFile } from './browser.ts'

const flags = ['--journal-file-bytes', '4KiB', '--journal-file-age', '1s']
const site = siteOfFile({ isEmpty: true, flags })

browserTest(t, 'a shorter retention asks once, and says what will go', async t => {
  const { open, service } = await site()
  const token = await service.makeToken('kept', 'prod')
  const body = [0, 1, 40, 41].map(back => ({
    message: 'x'.repeat(3_000),
    time: Date.now() - back * dayMs - 60_000,
  }))
  await service.send(token, body, 'time')
  const { page } = await open({ role: 'admin', path: '/settings/storage' })
  await page.getByText('kept for ever').waitFor()
  await page.getByText('0 in the journal').waitFor()
  await page.getByText('Last backup').waitFor()
  await page.getByText('Last check of all files').waitFor()

  await page.getByRole('button', { name: 'Change retention' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change retention' })
  await dialog.getByLabel('Keep records for').fill('a month')
  await dialog.getByText('write a duration such as 30d').waitFor()
  await dialog.getByLabel('Keep records for').fill('30d')
  await page.keyboard.press('Enter')
  await dialog.getByText(/^This deletes 2 records of .* to .*, [\d.]+ KiB\./).waitFor()
  t.equal((await service.query('count(logs)')).body.count, 4, 'nothing is gone yet')
  await dialog.getByRole('button', { name: 'Delete them' }).click()
  await page.getByText('Retention is changed.').waitFor()
  await page.locator('.storage-stat', { hasText: 'By age' }).getByText('30 d').waitFor()
  await page.getByText(/^2 segments$/).waitFor()
  t.equal((await service.query('count(logs)')).body.count, 2)

  const { page: other } = await open({ role: 'viewer', path: '/settings/storage' })
  await other.getByText('set here, by admins').first().waitFor()
  t.equal(await other.getByRole('button', { name: 'Change retention' }).count(), 0)
})
