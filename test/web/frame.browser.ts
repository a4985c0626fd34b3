import t from 'tap'
import {
  browserTest,
  holds,
  leavePages,
  logsAreShown,
  openLogs,
  openShared,
  pressSequence,
} from './browser.ts'
import { chooseTheme } from './ways.ts'

browserTest(t, 'the theme follows the system until one is chosen, and then stays', async t => {
  const view = await openShared({ role: 'viewer', theme: 'dark', path: '/dashboards' })
  const { page } = view
  const shown = () => page.evaluate(() => document.documentElement.dataset.theme)
  await page.getByRole('banner').waitFor()
  t.equal(await shown(), 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light')
  await chooseTheme(view, 'dark')
  t.equal(await shown(), 'dark')
  await page.reload()
  await page.getByRole('banner').waitFor()
  t.equal(await shown(), 'dark')
  await page.getByRole('button', { name: 'Signed in as viewer' }).click()
  await page.getByRole('menuitemradio', { name: 'System theme' }).click()
  t.equal(await shown(), 'light')
})

browserTest(t, 'all pages are reached by keys, and ? lists the keys', async t => {
  const { page } = await openShared({ role: 'admin', path: '/dashboards' })
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  const reaches = async (keys: readonly string[], path: string) => {
    await pressSequence(page, ...keys)
    await page.waitForURL(`**${path}`)
    await page.locator('main').waitFor()
  }
  await reaches(['g', 's'], '/settings')
  await reaches(['g', 'l'], '/logs')
  await reaches(['g', 'd'], '/dashboards')

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  for (const text of ['Go to logs', 'Find a command', 'Go to the query']) {
    await dialog.getByText(text).waitFor()
  }
  await pressSequence(page, 'g', 'l')
  t.match(page.url(), '/dashboards', 'the page behind a dialog does nothing')
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement !== document.body && activeElement?.closest('dialog') === null
    })
    t.notOk(isOutside, 'the focus stays in the dialog')
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

browserTest(t, 'what is pressed right after a menu or a dialog opened is for it', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/dashboards' })
  const button = page.getByRole('button', { name: 'Signed in as viewer' })
  await button.waitFor()
  /** What has the focus when the browser has done what one key press asked for, and nothing more. */
  const focusedAfter = (key: string) =>
    page.evaluate(async pressed => {
      const at = document.activeElement!
      if (pressed === 'Enter') (at as HTMLElement).click()
      else at.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
      await Promise.resolve().then(() => {})
      await new Promise(resolve => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(undefined)
      })
      return document.activeElement?.textContent
    }, key)
  await button.focus()
  const first = await focusedAfter('Enter')
  t.equal(first, await page.locator('[role^=menuitem]').first().innerText())
  t.equal(
    await focusedAfter('ArrowDown'),
    await page.locator('[role^=menuitem]').nth(1).innerText(),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  t.ok(await button.evaluate(one => one === document.activeElement), 'Escape gives the focus back')

  const isInDialog = await page.evaluate(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
    await Promise.resolve().then(() => {})
    return document.querySelector('dialog')?.matches(':modal')
  })
  t.ok(isInDialog)
})

browserTest(t, 'the palette finds a command by parts of its name', async t => {
  const { page } = await openShared({ role: 'admin', path: '/dashboards' })
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find a command' }).fill('sett go')
  t.same(await page.getByRole('option').allInnerTexts(), ['Go to settings\ng\ns'])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find a command' }).fill('no such thing')
  await page.getByText('Nothing of this name').waitFor()
})

browserTest(t, 'Back goes back through pages, queries and time ranges', async t => {
  const { page } = await openLogs()
  await page.getByRole('textbox', { name: 'Query' }).fill('logs{log_level="error"}')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/logs?query=*')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Time range/ }).click()
  await page.getByRole('button', { name: 'Last 15 m' }).click()
  await page.waitForURL('**from=now-15m*')
  await page.getByRole('link', { name: 'Dashboards' }).click()
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Time range: Last 15 m' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Time range: Last 1 h' }).waitFor()
  await holds(t, page.getByRole('textbox', { name: 'Query' }), 'logs{log_level="error"}')
  await page.goBack()
  await page.waitForURL('**/logs')
  await holds(t, page.getByRole('textbox', { name: 'Query' }), 'logs')
  await page.goForward()
  await page.waitForURL('**/logs?query=*')
})

browserTest(t, 'a time range is typed, refused at its field, and gone through by keys', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  await logsAreShown(page)
  const type = async (from: string, to: string) => {
    await page.keyboard.press('t')
    await page.getByRole('textbox', { name: 'Range' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(from) // Over what is there: it is selected.
    await page.keyboard.press('Tab')
    await page.keyboard.type(to)
    await page.keyboard.press('Enter')
  }
  await type('now-10m', 'soon')
  const field = page.getByRole('textbox', { name: 'To' })
  await page.locator('.field-error', { hasText: 'write a time' }).waitFor()
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  await field.fill('now')
  await field.press('Enter')
  await page.waitForURL('**from=now-10m*')
  await page.getByRole('button', { name: 'Time range: Last 10 m' }).waitFor()
  await page.getByText(/^[345]\d\d records/).waitFor()

  const range = () => {
    const { searchParams } = new URL(page.url())
    return ['from', 'to'].map(name => Date.parse(searchParams.get(name) ?? ''))
  }
  await page.keyboard.press('[')
  await page.waitForURL('**from=20*')
  const [from, to] = range()
  t.equal(to! - from!, 600_000)
  await page.getByText(/^[345]\d\d records/).waitFor()
  await page.keyboard.press(']')
  await page.waitForURL(url => Date.parse(url.searchParams.get('from')!) === to! + 1)
  await type('2020-01-01', '2020-01-02')
  await page.getByRole('button', { name: /^Time range: 1 Jan 2020/ }).waitFor()
  await page.getByText('No record').first().waitFor()
})

browserTest(t, 'an environment that is chosen goes along from page to page', async t => {
  const { page } = await openLogs()
  await page.getByRole('button', { name: 'env: all' }).click()
  await page.getByRole('menuitemradio', { name: 'staging' }).click()
  await page.waitForURL('**env=staging')
  await page.getByText(/^6\d\d records|^5\d\d records/).waitFor()
  await page.getByRole('link', { name: 'Dashboards' }).click()
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  t.match(page.url(), '/dashboards?env=staging')
})

browserTest(t, 'an address that leads nowhere says so', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/dashboards' })
  await page.evaluate(() => history.pushState(null, '', '/nowhere'))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await page.getByText('Page not found').waitFor()
  await page.waitForFunction(() => document.title !== 'Dashboards · Logstrata')
  t.equal(await page.title(), 'Logstrata')
})

browserTest(t, 'on a phone nothing scrolls sideways', async t => {
  for (const path of ['/logs', '/dashboards', '/settings', '/sign-in']) {
    const role = path === '/sign-in' ? undefined : 'admin'
    const { page } = await openShared({ role, path, size: 'phone' })
    await page
      .locator(path === '/logs' ? '.log-row' : 'h1')
      .first()
      .waitFor()
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    t.equal(widest, 360, path)
    const clipped = await page.evaluate(() =>
      [...document.querySelectorAll('header a, header button, main button, main input')]
        .filter(element => element.checkVisibility())
        .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
        .map(element => element.textContent),
    )
    t.same(clipped, [], `${path}: all that can be pressed is in sight`)
    await leavePages()
  }
})
