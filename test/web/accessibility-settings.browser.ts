import type { Page } from 'playwright-core'
import t from 'tap'
import { areAllRight, type State } from './accessibility-states.ts'
import { browserTest, sharedSite } from './browser.ts'

const section = '/settings/event-ingestion'

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
      reach: text('fluentd driver sends to Fluent Bit'),
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
    { name: 'settings of alerts', path: '/settings/alerts', reach: text('Not yet told') },
    {
      name: 'retention',
      path: '/settings/storage',
      reach: async page => {
        await page.getByRole('button', { name: 'Change retention' }).click()
        await dialog(page)
      },
    },
    { name: 'alerts', path: '/alerts', reach: page => page.getByText('Firing').first().waitFor() },
    {
      name: 'a silence',
      path: '/alerts',
      reach: async page => {
        await page.getByRole('button', { name: 'Silence' }).first().click()
        await dialog(page)
      },
    },
    {
      name: 'a rule',
      path: '/alerts/of-axe',
      reach: page => page.getByRole('heading', { name: /^Would/ }).waitFor(),
    },
    { name: 'history', path: '/alerts?tab=history', reach: table },
    { name: 'silences', path: '/alerts?tab=silences', reach: text('No silence holds') },
    {
      name: 'a receiver',
      path: '/alerts?tab=receivers',
      reach: async page => {
        await page.getByRole('button', { name: 'New receiver' }).click()
        await dialog(page)
        await page.getByLabel('Further headers').fill('no header')
      },
    },
    {
      name: 'a mailbox',
      path: '/alerts?tab=receivers',
      reach: async page => {
        await page.getByRole('button', { name: 'New receiver' }).click()
        await page.getByLabel('Kind').selectOption('email')
        await page.getByLabel('Credentials').selectOption('basic')
      },
    },
    {
      name: 'a rule on new kinds',
      path: '/alerts/new?query=logs%7Bhost%3D"node-1"%7D',
      reach: async page => {
        await page.getByLabel('Fires on').selectOption('newPattern')
        await page.getByLabel('None of it for').fill('1h')
        await page.getByRole('table').waitFor()
      },
    },
    { name: 'forbidden', path: section, role: 'viewer', reach: text('Only administrators') },
  ]
}

for (const size of ['desktop', 'phone'] as const) {
  browserTest(t, `${size}: nothing is wrong in any state of the settings`, async t => {
    const site = await sharedSite()
    const tokens = '/api/v1/settings/ingestion-tokens'
    const { id: used } = (await site.service.call('GET', tokens)).body.tokens[0]
    const body = { serviceName: 'unused', environment: 'prod' }
    const { id: unused } = (await site.service.call('POST', tokens, { body })).body
    const rule = {
      id: 'of-axe',
      name: 'Of axe',
      query: 'count by (service.name) (logs)',
      condition: { op: '>', threshold: 1 },
      everyMs: 1_000,
      windowMs: 7_200_000,
      labels: { severity: 'page' },
    }
    await site.service.call('POST', '/api/v1/alerts/rules', { body: rule })
    await areAllRight(t, site, size, states(used, unused))
  })
}
