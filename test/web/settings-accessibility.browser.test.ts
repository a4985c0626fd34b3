import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, shareSite } from './browser.ts'
import { violations } from './violations.ts'

const site = shareSite(t)
const section = '/settings/event-ingestion'

interface State {
  readonly name: string
  readonly path: string
  readonly role?: 'viewer'
  reach(page: Page): Promise<unknown>
}

/** `used` and `unused`: ids of tokens. */
function states(used: string, unused: string): readonly State[] {
  const table = (page: Page) => page.getByRole('table').waitFor()
  const dialog = (page: Page) => page.getByRole('dialog').waitFor()
  const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor()
  return [
    { name: 'tokens', path: section, reach: table },
    {
      name: 'a new token, refused',
      path: `${section}?form=new`,
      reach: async page => {
        await dialog(page)
        await page.keyboard.press('Enter')
        await page.locator('.field-error').first().waitFor()
      },
    },
    {
      name: 'deleting a token',
      path: section,
      reach: async page => {
        await page
          .getByRole('button', { name: /^Delete/ })
          .first()
          .click()
        await dialog(page)
      },
    },
    { name: 'waiting', path: `${section}?token=${unused}`, reach: text('The token') },
    {
      name: 'arrived',
      path: `${section}?token=${used}&with=docker`,
      reach: text('Docker has no log driver'),
    },
    { name: 'gone', path: `${section}?token=gone`, reach: text('This token is deleted') },
    { name: 'keys', path: '/settings/api-keys', reach: table },
    { name: 'a new key', path: '/settings/api-keys?form=new', reach: dialog },
    {
      name: 'the last admin key',
      path: '/settings/api-keys',
      reach: async page => {
        await page.getByRole('row', { name: 'this session' }).getByRole('button').click()
        await dialog(page)
      },
    },
    { name: 'storage', path: '/settings/storage', reach: text('Everything is working') },
    { name: 'forbidden', path: section, role: 'viewer', reach: text('Only administrators') },
  ]
}

browserTest(t, 'axe finds nothing wrong in any state of the settings', async t => {
  const { open, service } = await site()
  const tokens = '/api/v1/settings/ingestion-tokens'
  const { id: used } = (await service.call('GET', tokens)).body.tokens[0]
  const body = { serviceName: 'unused', environment: 'prod' }
  const { id: unused } = (await service.call('POST', tokens, { body })).body
  for (const size of ['desktop', 'phone'] as const) {
    const views = {
      admin: await open({ role: 'admin', theme: 'light', size, path: section }),
      viewer: await open({ role: 'viewer', theme: 'light', size, path: section }),
    }
    for (const { name, path, role = 'admin', reach } of states(used, unused)) {
      const { page, complaints } = views[role]
      await page.goto(path)
      await reach(page)
      t.same(await violations(page), [], `${name}, ${size}`)
      t.same(complaints, [], `${name}, ${size}`)
    }
    for (const { page } of Object.values(views)) await page.context().close()
  }
})
