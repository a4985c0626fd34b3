import t from 'tap'
import { adminKey } from '../service/service-process.ts'
import { browserTest, startSite } from './browser.ts'

const keysPath = '/api/v1/settings/api-keys'

browserTest(t, 'a key is made, shown once, works, and is refused once deleted', async t => {
  const { open, service } = await startSite(t, { isEmpty: true })
  const { page } = await open({ role: 'admin', path: '/settings/api-keys' })
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('.field-error', { hasText: 'Required' }).waitFor()
  await page.getByLabel('Name').fill('reports')
  await page.getByLabel('Role').selectOption('editor')
  await page.getByLabel('Expires').selectOption('month')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'API key created' })
  await dialog.getByRole('button', { name: 'Copy the key' }).click()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  t.match(key, /^key_[0-9a-f]{48}$/)
  await dialog.getByText('For an assistant').click()
  await dialog.getByRole('tab', { name: 'Cursor' }).click()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  const { url, headers } = copied.mcpServers.logstrata
  t.same([url, headers], [`${service.url}/mcp`, { Authorization: `Bearer ${key}` }])
  const { body } = await service.call('GET', '/api/v1/session', { token: key })
  t.match(body, { name: 'reports', role: 'editor' })
  const days = (body.expiresAt - Date.now()) / 86_400_000
  t.ok(days > 29.9 && days <= 30, `${days} days`)
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  t.notMatch(await page.locator('main').innerText(), key, 'it is nowhere any more')
  const assistants = page.getByRole('region', { name: 'Connect an assistant' })
  await assistants.getByRole('tab', { name: 'Claude Code' }).focus()
  await page.keyboard.press('End')
  await assistants.getByText('codex mcp add logstrata').waitFor()

  await page.getByRole('button', { name: 'Delete reports' }).click()
  t.match(await page.getByRole('dialog').innerText(), 'cannot be undone')
  await page.getByRole('button', { name: 'Delete the key' }).click()
  await page.getByRole('row', { name: 'reports' }).waitFor({ state: 'detached' })
  t.equal((await service.call('GET', '/api/v1/session', { token: key })).status, 401)
})

browserTest(t, 'the last admin key stays, and one is told why', async t => {
  const { open, service } = await startSite(t, { isEmpty: true })
  const { page } = await open({ role: 'admin', path: '/settings/api-keys' })
  const row = page.getByRole('row', { name: 'this session' })
  await row.getByRole('button').click()
  const last = page.getByRole('dialog', { name: 'This key cannot be deleted' })
  t.match(await last.innerText(), 'Make another admin key first')
  await page.keyboard.press('Escape')
  await last.waitFor({ state: 'detached' })

  // The list says that there is another one; by the time of the deletion there is none any more.
  const body = { name: 'other', role: 'admin' }
  const { id } = (await service.call('POST', keysPath, { body })).body
  await page.reload()
  await row.getByRole('button').click()
  await page.getByText('Deleting it signs you out').waitFor()
  await service.call('DELETE', `${keysPath}/${id}`)
  await page.getByRole('button', { name: 'Delete it and sign me out' }).click()
  await page.getByText('The last admin key cannot be deleted').waitFor()
  t.equal((await service.call('GET', keysPath)).status, 200, 'the key still works')
})

browserTest(t, 'deleting the key of this session says so, and signs out', async t => {
  const { open, service } = await startSite(t, { isEmpty: true })
  const body = { name: 'other', role: 'admin' }
  const { key } = (await service.call('POST', keysPath, { body })).body
  const { page } = await open({ role: 'admin', path: '/settings/access/api-keys' })
  await page.getByRole('row', { name: 'this session' }).getByRole('button').click()
  await page.getByText('You are signed in with this key').waitFor()
  await page.getByRole('button', { name: 'Delete it and sign me out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Logstrata' }).waitFor()
  t.equal((await service.call('GET', '/api/v1/session', { token: adminKey })).status, 401)

  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/access/api-keys')
  await page.getByRole('row', { name: 'other' }).getByText('this session').waitFor()
})
