import t from 'tap'
import { browserTest, holds, isDrawn, shareSite, type View } from './browser.ts'

const shared = shareSite(t)

const boxOf = ({ page }: View) => page.getByRole('textbox', { name: 'Query' })
const optionsOf = ({ page }: View) => page.getByRole('option').allInnerTexts()

async function openLogs() {
  const site = await shared()
  const view = await site.open({ role: 'viewer', path: '/logs' })
  await view.page.locator('.log-row').first().waitFor()
  return { ...site, view, box: boxOf(view) }
}

browserTest(t, 'a query is written with completion alone, by keys', async t => {
  const { view, box } = await openLogs()
  const { page, complaints } = view
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('lo')
  await page.getByRole('option', { name: 'logs' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('{serv')
  await page.getByRole('option', { name: 'service.name' }).waitFor()
  await page.keyboard.press('Tab')
  await holds(t, box, 'logs{service.name=')
  await page.getByRole('option', { name: /checkout/ }).waitFor()
  t.match((await optionsOf(view))[0], /^checkout\n1,\d\d\d$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await holds(t, box, 'logs{service.name="payments"')
  await page.keyboard.type('}')
  await page.keyboard.press('Enter')
  await page.waitForURL('**query=*payments*')
  await page.getByText(/^[89]\d\d records/).waitFor()
  t.same(complaints, [])
})

browserTest(t, 'a name that must be quoted is quoted, and Esc leaves the text alone', async t => {
  const { service, view, box } = await openLogs()
  const token = await service.makeToken('odd', 'test')
  await service.call('POST', '/api/v1/webhook/event/log', { token, body: { 'odd key': 'a "b"' } })
  await box.fill('')
  await box.pressSequentially('logs{odd')
  await view.page.getByRole('option', { name: 'odd key' }).waitFor()
  await view.page.keyboard.press('Escape')
  await holds(t, box, 'logs{odd')
  t.same(await optionsOf(view), [])
  await view.page.keyboard.press('Control+Space')
  await view.page.getByRole('option', { name: 'odd key' }).waitFor()
  await view.page.keyboard.press('Tab')
  await holds(t, box, 'logs{"odd key"=')
  await view.page.getByRole('option').first().waitFor()
  await view.page.keyboard.press('Tab')
  await holds(t, box, 'logs{"odd key"="a \\"b\\""')
})

browserTest(t, 'a mistake is underlined where it is, and the old rows stay', async t => {
  const { view, box } = await openLogs()
  const { page } = view
  await box.fill('logs{log_level="error" host="a"}')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  t.match(await alert.innerText(), 'expected')
  t.equal(await page.locator('.syntax-fault').innerText(), 'host')
  t.equal(await box.getAttribute('aria-invalid'), 'true')
  t.ok(await page.locator('.log-row').count())
  await box.press('End')
  await page.keyboard.type(' ')
  await alert.waitFor({ state: 'detached' })
  t.equal(await page.locator('.syntax-fault').count(), 0, 'it goes when the text changes')
})

browserTest(t, 'what was run before comes back by keys', async t => {
  const { view, box } = await openLogs()
  const { page } = view
  for (const query of ['logs |= "first"', 'logs |= "second"']) {
    await box.fill(query)
    await box.press('Enter')
    await page.waitForURL(url => url.searchParams.get('query') === query)
    await isDrawn(page) // By then what was run is written into the box, over whatever stands there.
  }
  await box.fill('half typ')
  await box.press('ControlOrMeta+ArrowUp')
  await holds(t, box, 'logs |= "second"')
  await box.press('ControlOrMeta+ArrowUp')
  await holds(t, box, 'logs |= "first"')
  await box.press('ControlOrMeta+ArrowDown')
  await box.press('ControlOrMeta+ArrowDown')
  await holds(t, box, 'half typ')
})

browserTest(
  t,
  'the box grows to five lines, with letters and colours in the same places',
  async t => {
    const { view, box } = await openLogs()
    const { page } = view
    const height = async () => (await page.locator('.query-frame').boundingBox())!.height
    const line = await box.evaluate(one => Number.parseFloat(getComputedStyle(one).lineHeight))
    await box.fill('logs')
    const one = await height()
    await box.press('Shift+Enter')
    await page.keyboard.type('|= "x"')
    t.equal(await height(), one + line)
    t.notMatch(page.url(), 'query=')
    await box.fill('a\n'.repeat(20))
    t.equal(await height(), one + 4 * line)
    const sizes = await page.evaluate(() => {
      const [text, area] = ['.query-text', '.query-area'].map(one => document.querySelector(one)!)
      return [text!.getBoundingClientRect(), area!.getBoundingClientRect()].map(one => [
        one.width,
        one.height,
      ])
    })
    t.same(sizes[0], sizes[1])
  },
)

browserTest(t, 'typing does not wait for the service', async t => {
  const { view, box } = await openLogs()
  const { page } = view
  await page.route('**/api/v1/query/logs/{fields,values}', () => {}) // Never answered.
  await box.fill('')
  await box.pressSequentially('logs{serv')
  await page.getByRole('option', { name: 'service.name' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('"checkout"}')
  await holds(t, box, 'logs{service.name="checkout"}')
  await page.keyboard.press('Enter')
  await page.getByText(/^1,[45]\d\d records/).waitFor()
})
