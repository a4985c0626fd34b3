import type { Page } from 'playwright-core'
import t from 'tap'
import { snippetsFor } from '../../src/web/settings/snippets/snippets.ts'
import type { ServiceProcess } from '../service/service-process.ts'
import { browserTest, leavePages, openShared, pressSequence, sharedSite } from './browser.ts'

const tokensPath = '/api/v1/settings/ingestion-tokens'
const section = '/settings/integrations/event-ingestion'

async function makeToken(service: ServiceProcess, serviceName: string) {
  const body = { serviceName, environment: 'prod' }
  return (await service.call('POST', tokensPath, { body })).body as { id: string; token: string }
}

function send(service: ServiceProcess, token: string) {
  return service.call('POST', '/api/v1/webhook/event/log', { token, body: { message: 'first' } })
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** The row of a table in which this text stands. */
const row = (page: Page, text: string) => page.getByRole('row', { name: text })

browserTest(t, 'a token is made, pasted, and its first event turns the light green', async t => {
  const { open, service } = await sharedSite()
  const { page } = await open({ role: 'admin', path: '/settings' })
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New ingestion token' })
  await dialog.getByLabel('Service name').fill('fresh')
  await dialog.getByLabel('Environment').fill('prod')
  await dialog.getByLabel('Parse messages that are JSON').check()
  await dialog.getByRole('button', { name: 'Create token' }).click()

  await page.getByRole('heading', { name: 'fresh in prod' }).waitFor()
  await page.getByText('Waiting for the first event').waitFor()
  await page.getByText('Messages that are JSON are parsed').waitFor()
  await page.getByRole('button', { name: 'Copy the token' }).click()
  const token = await copied(page)
  t.match(token, /^ing_[0-9a-f]{48}$/)
  t.equal((await send(service, token)).status, 200, 'the token works')
  await page.getByText('Events have arrived').waitFor()
  await page.getByText('1 so far, the last one').waitFor()

  await page.getByRole('link', { name: 'Show the records' }).click()
  await page.waitForURL('**/logs?**')
  await page.getByText(/^1 record/).waitFor()
  t.match(
    await page.getByRole('textbox', { name: 'Query' }).inputValue(),
    'logs{service.name="fresh", environment="prod"}',
  )
})

browserTest(t, 'a token for pages says so, and has a snippet for a page only', async t => {
  const { page } = await openShared({ role: 'admin', path: `${section}?form=new` })
  const dialog = page.getByRole('dialog', { name: 'New ingestion token' })
  await dialog.getByLabel('Service name').fill('shop-page')
  await dialog.getByLabel('Environment').fill('prod')
  await dialog.getByLabel('For pages in a browser').check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('It is for pages in a browser').waitFor()
  await page.getByRole('tab').first().waitFor()
  t.same(await page.getByRole('tab').allInnerTexts(), ['A page in a browser'])
  await page.getByRole('link', { name: 'Event Ingestion' }).last().click()
  await row(page, 'shop-page').getByText('for pages').waitFor()
})

browserTest(t, 'both names are required, and that is said at the field', async t => {
  const { open, service } = await sharedSite()
  const { page } = await open({ role: 'admin', path: `${section}?form=new` })
  const before = (await service.call('GET', tokensPath)).body.tokens.length
  const fields = ['Service name', 'Environment'].map(name => page.getByLabel(name))
  const saysOf = (text: string | RegExp) => page.locator('.field-error', { hasText: text })

  await page.getByRole('button', { name: 'Create token' }).click()
  await saysOf(/Required/)
    .nth(1)
    .waitFor()
  for (const field of fields) t.equal(await field.getAttribute('aria-invalid'), 'true')
  const described = await fields[0]!.getAttribute('aria-describedby')
  t.match(await page.locator(`[id="${described}"]`).innerText(), 'Required')
  t.ok(await fields[0]!.evaluate(input => input === document.activeElement))

  await fields[0]!.fill('  ')
  await fields[1]!.fill('prod')
  await page.keyboard.press('Enter')
  t.equal(await saysOf(/Required/).count(), 1, 'blanks are no name')
  await fields[0]!.fill('x'.repeat(201))
  await page.keyboard.press('Enter')
  await saysOf('200').waitFor()
  t.equal((await service.call('GET', tokensPath)).body.tokens.length, before, 'none was made')
})

browserTest(t, 'every snippet has the token, and the address that one types', async t => {
  const { open, service } = await sharedSite()
  const { id, token } = await makeToken(service, 'snippets')
  const { page } = await open({ role: 'admin', path: `${section}?token=${id}` })
  const tabs = page.getByRole('tab')
  await tabs.first().waitFor()
  const snippets = snippetsFor({ origin: service.url, token, stream: 'snippets/prod' })
  t.same(
    await tabs.allInnerTexts(),
    snippets.map(({ name }) => name),
  )
  const code = async () => (await page.locator('.code-block pre').allInnerTexts()).join('\n')
  for (const name of await tabs.allInnerTexts()) {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByRole('tab', { name, exact: true, selected: true }).waitFor()
    const text = await code()
    if (text.includes('tcp://0.0.0.0')) t.match(text, 'snippets/prod', name)
    else t.match(text, token, name)
    if (!text.includes('tcp://0.0.0.0')) t.match(text, new URL(service.url).port, name)
  }
  await page.getByRole('tab', { name: 'curl' }).click()
  const address = page.getByLabel('Address of this service')
  await address.fill('https://logs.example.com')
  t.match(await code(), 'curl https://logs.example.com/api/v1/webhook/event/log')
  await address.fill('logs')
  await page.getByText('Write it as').waitFor()
  t.match(await code(), 'https://logs.example.com', 'the last good one stays')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.match(await copied(page), `-H 'Authorization: Bearer ${token}'`)
})

browserTest(t, 'the list tells how a token is used, and copies its secret again', async t => {
  const { open, service } = await sharedSite()
  const { token } = await makeToken(service, 'listed')
  const { page } = await open({ role: 'admin', path: section })
  await row(page, 'listed').getByText('never').waitFor()
  t.notMatch(await row(page, 'listed').innerText(), token)
  t.match(await row(page, 'listed').innerText(), `…${token.slice(-4)}`)
  await page.getByRole('button', { name: 'Copy the token of listed in prod' }).click()
  await row(page, 'listed').getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await copied(page), token)
  await send(service, token)
  await row(page, 'listed')
    .getByText(/ago|just now/)
    .nth(1)
    .waitFor()
  t.match(await row(page, 'listed').innerText(), /\b1\b/)
})

browserTest(t, 'deleting asks once, and names what will stop working', async t => {
  const { open, service } = await sharedSite()
  const { id, token } = await makeToken(service, 'doomed')
  await send(service, token)
  const { page } = await open({ role: 'admin', path: section })
  const ask = () => page.getByRole('button', { name: 'Delete the token of doomed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this ingestion token?' })
  await ask()
  const text = await dialog.innerText()
  for (const part of ['doomed', 'prod', token.slice(-4), 'in use', 'cannot be undone']) {
    t.match(text, part)
  }
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  t.equal((await send(service, token)).status, 200, 'a stray Enter deletes nothing')

  await ask()
  await dialog.getByRole('button', { name: 'Delete the token' }).click()
  await row(page, 'doomed').waitFor({ state: 'detached' })
  t.equal((await send(service, token)).status, 401)
  t.equal((await service.call('GET', `${tokensPath}/${id}/secret`)).status, 404)
})

browserTest(t, 'a token that is deleted elsewhere is shown as what it is', async () => {
  const { open, service } = await sharedSite()
  const [one, other] = [await makeToken(service, 'elsewhere'), await makeToken(service, 'raced')]
  const { page } = await open({ role: 'admin', path: `${section}?token=${one.id}` })
  await page.getByText('Waiting for the first event').waitFor()
  await service.call('DELETE', `${tokensPath}/${one.id}`)
  await page.getByText('This token is deleted').waitFor()
  await page.getByRole('link', { name: 'Back to the tokens' }).click()
  await page.getByRole('button', { name: 'Delete the token of raced' }).click()
  await service.call('DELETE', `${tokensPath}/${other.id}`)
  await page.getByRole('button', { name: 'Delete the token', exact: true }).click()
  await page.getByText('Somebody else has already deleted the token').waitFor()
  await row(page, 'raced').waitFor({ state: 'detached' })
})

browserTest(t, 'everything is done by key alone', async t => {
  const { page } = await openShared({ role: 'admin', path: '/logs' })
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const tabTo = async (name: string) => {
    for (let i = 0; i < 60; i++) {
      await press('Tab')
      const { text, label } = await page.evaluate(() => ({
        text: document.activeElement?.textContent ?? '',
        label: document.activeElement?.getAttribute('aria-label') ?? '',
      }))
      if (text === name || label === name) return
    }
    throw new Error(`no way to ${name}`)
  }
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await pressSequence(page, 'g', 's')
  await page.getByRole('button', { name: 'New token' }).waitFor()
  await tabTo('New token')
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('typed')
  await press('Tab')
  await page.keyboard.type('prod')
  await press('Enter')
  await page.getByRole('heading', { name: 'typed in prod' }).waitFor()
  await tabTo('curl')
  await press('ArrowRight')
  await page.getByRole('tab', { name: 'Node: pino', selected: true }).waitFor()
  await press('End')
  await page.getByRole('tab', { name: 'Webhook', selected: true }).waitFor()
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Webhook')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo('Delete the token')
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo('Delete the token')
  await press('Enter')
  await page.getByText('The token of typed in prod is deleted').waitFor()
  await page.waitForURL(`**${section}`)
})

browserTest(t, 'who is no admin is told why, and what to ask for', async t => {
  for (const role of ['viewer', 'editor'] as const) {
    const { page } = await openShared({ role, path: '/settings' })
    await page.getByText('Only administrators manage ingestion tokens').waitFor()
    await page.getByText(`whose role is ${role}`).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('Only administrators manage API keys').waitFor()
    t.equal(await page.getByRole('button', { name: /^New/ }).count(), 0)
    await page.getByRole('link', { name: 'See the storage' }).click()
    await page.getByText('Everything is working').waitFor()
    await leavePages()
  }
})

browserTest(t, 'on a phone every section has all it has, and nothing scrolls sideways', async t => {
  const { open, service } = await sharedSite()
  const { id } = await makeToken(service, 'a-rather-long-name-of-a-service-for-a-narrow-screen')
  const paths = [
    section,
    `${section}?form=new`,
    `${section}?token=${id}&with=otel-collector`,
    `${section}?token=gone`,
    '/settings/api-keys',
    '/settings/api-keys?form=new',
    '/settings/storage',
    '/settings/alerts',
    '/settings/none',
  ]
  for (const path of paths) {
    const { page } = await open({ role: 'admin', size: 'phone', path })
    await page.locator('.table, .state, .snippet, .storage-stats, dialog').first().waitFor()
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter(element => element.checkVisibility() && element.closest('pre') === null)
        .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
        .map(element => element.outerHTML.slice(0, 80)),
    )
    t.same(beyond, [], path)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, path)
    await leavePages()
  }
})
