import t from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { browserTest, siteOfFile } from './browser.ts'

const site = siteOfFile({ isEmpty: true })

type Service = Awaited<ReturnType<typeof site>>['service']

/** Kinds of messages of the last days: one that always came, one of the last hours, one as old. */
async function sendKinds(service: Service, serviceName: string): Promise<void> {
  const token = await service.makeToken(serviceName, 'prod')
  const at = (hours: number, message: string) => ({
    level: 'info',
    message,
    time: Date.now() - hours * hourMs,
  })
  const body = [
    ...[50, 40, 30, 20, 10, 5, 1].map(hours => at(hours, 'order 17 is packed')),
    at(3, 'the oven is on fire in hall 4'),
    at(3, 'the oven is on fire in hall 5'),
  ]
  await service.send(token, body, 'time')
}

browserTest(t, 'a rule about new kinds of messages is made, previewed and kept', async t => {
  const { open, service } = await site()
  await sendKinds(service, 'kitchen')
  const query = 'logs{service.name="kitchen", environment="prod"}'
  const path = `/alerts/new?${new URLSearchParams({ query })}`
  const { page } = await open({ role: 'editor', path })
  const preview = page.getByRole('region', { name: 'Preview' })
  await page.getByLabel('Fires on').selectOption({ label: 'new kinds' })
  t.equal(await page.getByLabel('Value', { exact: true }).inputValue(), '0')
  await page.getByLabel('None of it for').fill('7 days of')
  await page.getByText('write a duration such as 5m').waitFor()
  await page.getByLabel('None of it for').fill('1d')
  await preview.getByRole('heading', { name: 'Would have fired once' }).waitFor()
  await preview.getByText('the oven is on fire in hall').first().waitFor()
  await page.getByLabel('When its count is').selectOption({ label: 'at least' })
  await page.getByLabel('Value', { exact: true }).fill('3')
  await preview.getByRole('heading', { name: 'Would not have fired' }).waitFor()
  await page.getByLabel('Value', { exact: true }).fill('2')
  await preview.getByRole('heading', { name: 'Would have fired once' }).waitFor()
  await page.getByLabel('Name').fill('New in the kitchen')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('new kinds, none for 24 h: >= 2 within 5 m').waitFor()

  await page.getByRole('link', { name: 'New in the kitchen', exact: true }).first().click()
  await page.getByRole('heading', { name: 'New in the kitchen' }).waitFor()
  t.equal(await page.getByLabel('None of it for').inputValue(), '1d')
  await page.getByLabel('Looks after').fill('1m')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/alerts')
  const { body } = await service.call('GET', '/api/v1/alerts/rules')
  const newPattern = { withinMs: 24 * hourMs }
  t.match(body.rules, [{ query, newPattern, delayMs: 60_000, condition: { threshold: 2 } }])
})

browserTest(t, 'the history is of one rule where that is wanted', async t => {
  const { open, service } = await site()
  const rule = (id: string, name: string) => ({
    id,
    name,
    query: 'count(logs)',
    condition: { op: '>=', threshold: 0 },
    everyMs: 1_000,
    delayMs: 0,
  })
  await service.call('POST', '/api/v1/alerts/rules', { body: rule('first', 'The first') })
  await service.call('POST', '/api/v1/alerts/rules', { body: rule('second', 'The second') })
  const { page } = await open({ role: 'viewer', path: '/alerts' })
  const active = page.getByRole('region', { name: 'Alerts that are active' })
  for (const name of ['The first', 'The second']) await active.getByText(name).waitFor()
  await page.getByRole('link', { name: 'History of The second' }).click()
  const history = page.getByRole('region', { name: 'What happened to alerts' })
  await history.getByRole('link', { name: 'The second' }).first().waitFor()
  t.equal(await history.getByRole('link', { name: 'The first' }).count(), 0)
  await page.getByLabel('Rule', { exact: true }).selectOption({ label: 'all rules' })
  await history.getByRole('link', { name: 'The first' }).first().waitFor()
  await page.getByLabel('Rule', { exact: true }).selectOption({ label: 'The first' })
  await history.getByRole('link', { name: 'The second' }).first().waitFor({ state: 'detached' })
  t.match(page.url(), /rule=first/)
  await page.goBack()
  await history.getByRole('link', { name: 'The second' }).first().waitFor()
})

browserTest(t, 'up to when records were looked at is said, and how late that was', async t => {
  const { open, service } = await site()
  const body = { id: 'late', name: 'Late', query: 'count(logs)', delayMs: 3_600_000 }
  const rule = { ...body, condition: { op: '<', threshold: 0 }, everyMs: 1_000 }
  await service.call('POST', '/api/v1/alerts/rules', { body: rule })
  const { page } = await open({ role: 'viewer', path: '/alerts', timezone: 'UTC' })
  const row = page.getByRole('row').filter({ hasText: 'Late' }).last()
  await row.getByText(/records to \d\d:\d\d:\d\d/).waitFor()
  let lateMs = 1_900
  await page.route('**/api/v1/alerts/states', async route => {
    const answer = await route.fetch()
    const { states } = await answer.json()
    const stood = { upTo: Date.UTC(2026, 0, 2, 3, 4, 5), lateMs }
    const late = states.map((state: object) => ({ ...state, ...stood }))
    await route.fulfill({ json: { states: late } })
  })
  await page.reload()
  await row.getByText('records to 03:04:05').waitFor()
  t.notMatch(await row.innerText(), / late$/m, 'that was in time')
  lateMs = 75_400
  await page.reload()
  await row.getByText('1 m 15 s late').waitFor()
  await page.unroute('**/api/v1/alerts/states')
})
