import t from 'tap'
import { browserTest, holds, isDrawn, openLogs, sharedSite, type View } from './browser.ts'

const boxOf = ({ page }: View) => page.getByRole('textbox', { name: 'Query' })
const optionsOf = ({ page }: View) => page.getByRole('option').allInnerTexts()

async function openBox() {
  const view = await openLogs()
  return { ...(await sharedSite()), view, page: view.page, box: boxOf(view) }
}

browserTest(t, 'a query is written with completion alone, by keys', async t => {
  const { view, page, box } = await openBox()
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('lo')
  await page.getByRole('option', { name: 'logs the records' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('{serv')
  await page.getByRole('option', { name: 'service.name' }).waitFor()
  await page.keyboard.press('Tab')
  await holds(t, box, 'logs{service.name=""}')
  await page.getByRole('option', { name: /checkout/ }).waitFor()
  t.match((await optionsOf(view))[0], /^checkout\n1,\d\d\d$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await holds(t, box, 'logs{service.name="payments"}')
  await page.keyboard.press('Enter')
  await page.waitForURL('**query=*payments*')
  await page.getByText(/^[89]\d\d records/).waitFor()
})

browserTest(t, 'stages are completed, and the labels that they make', async t => {
  const { page, box } = await openBox()
  await box.fill('')
  await box.pressSequentially('{} | pat')
  await page.getByRole('option', { name: /^pattern/ }).waitFor()
  await page.keyboard.press('Tab')
  await holds(t, box, '{} | pattern "<name>"')
  const staged = '{} | pattern "order <number> <state>"'
  await box.fill(`${staged} | st`)
  await box.pressSequentially('at')
  await page.getByRole('option', { name: 'state' }).waitFor()
  await page.keyboard.press('Tab')
  await holds(t, box, `${staged} | state=""`)
  await page.getByRole('option', { name: /^placed/ }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('query') === `${staged} | state="placed"`)
  await page.getByText(/^2,\d\d\d records/).waitFor()
})

browserTest(t, 'words are a query; the page says which, and a click adds a word', async () => {
  const { page, box } = await openBox()
  await box.fill('Upstream TIMEOUT -payments')
  await page.keyboard.press('Enter')
  await page.getByText('Read as').waitFor()
  const level = page.getByRole('list', { name: 'Levels' }).getByRole('button', { name: 'error' })
  await level.click()
  await page.waitForURL(
    url => url.searchParams.get('query') === 'Upstream TIMEOUT -payments level:error',
  )
  await page.locator('.log-row', { hasText: 'upstream timeout after' }).first().waitFor()
  await page.locator('.logs-meaning').getByRole('link').click()
  await page.waitForURL(url => /^logs/.test(url.searchParams.get('query') ?? ''))
  await page.getByText('Read as').waitFor({ state: 'detached' })
  await page.locator('.log-row', { hasText: 'upstream timeout after' }).first().waitFor()
})

browserTest(t, 'a name that must be quoted is quoted, and Esc leaves the text alone', async t => {
  const { service, view, box } = await openBox()
  const token = await service.makeToken('odd', 'test')
  await service.send(token, { 'odd key': 'a "b"' })
  await box.fill('')
  await box.pressSequentially('logs{odd')
  await view.page.getByRole('option', { name: 'odd key' }).waitFor()
  await view.page.keyboard.press('Escape')
  await holds(t, box, 'logs{odd')
  t.same(await optionsOf(view), [])
  await view.page.keyboard.press('Control+Space')
  await view.page.getByRole('option', { name: 'odd key' }).waitFor()
  await view.page.keyboard.press('Tab')
  await holds(t, box, 'logs{"odd key"=""}')
  await view.page.getByRole('option').first().waitFor()
  await view.page.keyboard.press('Tab')
  await holds(t, box, 'logs{"odd key"="a \\"b\\""}')
})

browserTest(t, 'Tab takes what is offered, Enter runs what is written', async () => {
  const { page, box } = await openBox()
  await box.fill('')
  await box.pressSequentially('logs{host=~"node-1"}')
  await box.press('ArrowLeft')
  await box.press('ArrowLeft')
  await page.keyboard.type('1')
  await page.getByRole('option', { name: 'node-11' }).waitFor()
  await box.press('Enter')
  await page.waitForURL(url => url.searchParams.get('query') === 'logs{host=~"node-11"}')
  await page.getByRole('option').first().waitFor({ state: 'detached' })

  await box.fill('')
  await box.pressSequentially('refused payment')
  await box.press('Enter')
  await page.waitForURL(url => url.searchParams.get('query') === 'refused payment')
  await page.getByText('Read as').waitFor()
  await box.fill('')
  await box.pressSequentially('logs{log_level="warn"} retrying')
  await page.getByRole('option', { name: '|= "retrying"' }).waitFor()
  await box.press('Tab')
  await box.press('Enter')
  const expected = 'logs{log_level="warn"} |= "retrying"'
  await page.waitForURL(url => url.searchParams.get('query') === expected)
})

browserTest(t, 'what a completion wrote ahead may be typed all the same', async t => {
  const { page, box } = await openBox()
  const types = async (label: string, typed: string, expected: string) => {
    await box.fill('')
    await box.pressSequentially(label)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(typed)
    await holds(t, box, expected)
  }
  await types('logs{serv', 'checkout', 'logs{service.name="checkout"}')
  await types('logs{serv', '="checkout"}', 'logs{service.name="checkout"}')
  await types('logs{serv', ' = "a=b"} |= "x"', 'logs{service.name="a=b"} |= "x"')
  await types('logs{serv', '!="checkout"}', 'logs{service.name!="checkout"}')
  await types('logs{serv', '=~"check.*"}', 'logs{service.name=~"check.*"}')
  await types('count(logs{serv', '="a"})', 'count(logs{service.name="a"})')
  await types('logs |', ' "timeout"', 'logs |= "timeout"')
})

browserTest(t, 'a mistake is marked once, while one types, and is gone when mended', async t => {
  const { page, box } = await openBox()
  const said = page.getByText(/^expected /)
  const fault = page.locator('.syntax-fault')
  await box.fill('')
  for (const begun of ['logs{log_level=', '"error" ']) {
    await page.keyboard.type(begun)
    t.equal(await fault.count(), 0, `${begun} is not finished`)
  }
  await page.keyboard.type('host="a"}')
  await said.waitFor()
  t.equal(await fault.innerText(), 'host')
  t.equal(await box.getAttribute('aria-invalid'), 'true')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  t.equal(await said.count(), 1)
  t.equal(await fault.count(), 1)
  for (let i = 0; i < 'host="a"}'.length; i++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type(',')
  await said.waitFor({ state: 'detached' })
  t.equal(await fault.count(), 0)
})

browserTest(
  t,
  'a query that cannot be read leaves all as it is, whatever it begins with',
  async t => {
    const { view, box } = await openBox()
    const { page } = view
    const shown = () =>
      page
        .locator('.logs-cost, .legend, .log-row')
        .allInnerTexts()
        .then(texts => texts.slice(0, 7).join('\n'))
    await page.getByRole('list', { name: 'Levels' }).getByRole('button').first().waitFor()
    const before = await shown()
    for (const wrong of ['logs{', 'count(', 'timeout |= "a"', '{a="b"', '1 +', ')', '']) {
      await box.fill(wrong)
      await page.keyboard.press('Escape')
      await box.press('Enter')
      await page.getByRole('alert').waitFor()
      await isDrawn(page)
      t.equal(await shown(), before, wrong)
      t.notMatch(page.url(), 'query=')
    }
    // Expressions are read by the service alone.
    for (const wrong of ['logs |~ "("', 'count(logs |~ "(")']) {
      await box.fill(wrong)
      await box.press('Enter')
      await page.waitForURL(url => url.searchParams.get('query') === wrong)
      await page.getByRole('alert').waitFor()
      t.equal(await shown(), before, wrong)
      t.equal(await page.getByText(/missing closing/).count(), 1, 'marked once')
    }
    await page.goto('/logs?query=logs%7B')
    await page.getByText('The query cannot be parsed').waitFor()
  },
)

browserTest(t, 'what was run before comes back by keys', async t => {
  const { page, box } = await openBox()
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
    const { view, box } = await openBox()
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
  const { page, box } = await openBox()
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
