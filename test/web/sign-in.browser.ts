import t from 'tap'
import { browserTest, leavePages, siteOfFile, startSite } from './browser.ts'

const site = siteOfFile({ isEmpty: true })

browserTest(t, 'one signs in with an API key, and is led back to where one was', async t => {
  const { open, keys } = await site()
  const { page } = await open({ path: '/dashboards?env=prod' })
  await page.waitForURL('**/sign-in?return=*')
  // A moment after the address.
  await page.waitForFunction(() => document.title === 'Sign in · Logstrata')

  await page.getByLabel('API key').fill(`  ${keys.viewer} `)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  t.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/dashboards?env=prod')
  t.equal(await page.evaluate(() => document.cookie), '', 'no script reads the cookie')

  await page.reload()
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
})

browserTest(
  t,
  'a wrong key is told apart from a token and from a service that is down',
  async t => {
    const { open, service } = await startSite(t, { isEmpty: true })
    const token = await service.makeToken()
    const { page } = await open({ path: '/sign-in' })
    const input = page.getByLabel('API key')
    const says = async (key: string, expected: RegExp) => {
      await input.fill(key)
      await input.press('Enter')
      await page.getByText(expected).waitFor()
      t.equal(await input.getAttribute('aria-invalid'), 'true', String(expected))
    }
    await input.press('Enter')
    await page.getByText('Paste an API key').waitFor()
    await says('key_wrong', /not a live API key/)
    await says(token, /ingestion token/)
    await service.end()
    await says('key_wrong', /cannot be reached/)
  },
)

browserTest(t, 'after signing in one stays on this host, whatever the link says', async t => {
  const { open, keys, service } = await site()
  for (const to of [
    'https://evil.example/x',
    '//evil.example',
    'javascript:alert(1)',
    '\\\\evil.example',
  ]) {
    const { page } = await open({ path: `/sign-in?${new URLSearchParams({ return: to })}` })
    await page.getByLabel('API key').fill(keys.viewer)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Logs', exact: true }).waitFor()
    t.equal(new URL(page.url()).origin, service.url, to)
    await leavePages()
  }
})

browserTest(t, 'signing out ends the session', async t => {
  const { open } = await site()
  const { page } = await open({ role: 'viewer' })
  await page.getByRole('button', { name: 'Signed in as viewer' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  t.equal((await page.context().request.get('/api/v1/session')).status(), 401)
})

browserTest(t, 'who may not see the settings is told why', async t => {
  const { open } = await site()
  for (const role of ['viewer', 'editor'] as const) {
    const { page } = await open({ role, path: '/settings' })
    await page.getByText('Only administrators').waitFor()
    t.equal(await page.getByRole('table').count(), 0, role)
  }
  const { page } = await open({ role: 'admin', path: '/settings' })
  await page.getByRole('heading', { name: /./ }).first().waitFor()
  t.equal(await page.getByText('Only administrators').count(), 0)
})

browserTest(t, 'a page whose key was deleted asks for another one', async t => {
  const { open, service } = await site() // The last test: nobody else can sign in with this key.
  const { page } = await open({ role: 'viewer', path: '/dashboards' })
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  // An answer still under way would be refused, and lead to the sign-in page before the click.
  await page.waitForLoadState('networkidle')
  const { body } = await service.call('GET', '/api/v1/settings/api-keys')
  const key = body.keys.find(({ role }: { role: string }) => role === 'viewer')
  await service.call('DELETE', `/api/v1/settings/api-keys/${key.id}`)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.waitForURL('**/sign-in?return=*')
  t.match(new URL(page.url()).searchParams.get('return'), '/logs', 'and leads back')
})
