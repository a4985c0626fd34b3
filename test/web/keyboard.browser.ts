/** Views that one goes through without a pointer: what is tabbed to, opened, chosen, and left. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { browserTest, pressSequence, sharedSite } from './browser.ts'

const isFocused = (wanted: Locator) => wanted.evaluate(one => one === document.activeElement)

/** By Tab alone, and not for ever: what takes so long is not within reach. */
async function tabTo(page: Page, wanted: Locator, tabsMax = 60): Promise<void> {
  await wanted.waitFor()
  for (let i = 0; i < tabsMax; i++) {
    if (await isFocused(wanted)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`not reached in ${tabsMax} tabs: ${wanted}`)
}

const own = `/logs?query=${encodeURIComponent('logs{host=~"node-.+"}')}`

browserTest(t, 'patterns are opened, kept and left out by keys', async t => {
  const { open } = await sharedSite()
  const { page } = await open({ role: 'viewer', path: own })
  await page.locator('.log-row').first().waitFor()
  await page.keyboard.press('n')
  const [first, second] = [page.locator('.pattern').nth(0), page.locator('.pattern').nth(1)]
  await tabTo(page, page.getByRole('tab', { name: 'Patterns' }), 150)
  await tabTo(page, first.locator('.pattern-text'))
  await page.keyboard.press('Enter')
  await first.locator('.pattern-detail').waitFor()
  await page.keyboard.press('Enter')
  await first.locator('.pattern-detail').waitFor({ state: 'detached' })
  const pattern = await second.getAttribute('data-pattern')
  await tabTo(page, second.getByRole('button', { name: 'Filter out this pattern' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(
    url =>
      url.search.includes(`pattern+!%3D+%22${pattern}`) ||
      url.search.includes(`pattern%21%3D%22${pattern}`),
  )
  await page.goBack()
  await tabTo(page, second.getByRole('button', { name: 'Filter for this pattern' }), 200)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.search.includes(`pattern%3D%22${pattern}`))
  await first.and(page.locator(`[data-pattern="${pattern}"]`)).waitFor()
  await second.waitFor({ state: 'detached' })
  t.equal(await page.locator('.pattern').count(), 1)
})

browserTest(t, 'a rule is made by keys, and its history is a key away', async t => {
  const { open, service } = await sharedSite()
  const { page } = await open({ role: 'editor', path: own })
  await page.locator('.log-row').first().waitFor()
  await pressSequence(page, 'g', 'a')
  await page.waitForURL('**/alerts')
  await tabTo(page, page.getByRole('link', { name: 'New rule' }))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/alerts/new')
  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.type('By keys')
  await tabTo(page, page.getByLabel('Fires on'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, page.getByLabel('None of it for'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2d')
  await tabTo(page, page.getByLabel('Is evaluated'))
  await page.keyboard.press('Space')
  for (let i = 0; i < 60; i++) {
    if (await isFocused(page.getByRole('button', { name: 'Save', exact: true }))) break
    await page.keyboard.press('Shift+Tab')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/alerts')
  const { rules } = (await service.call('GET', '/api/v1/alerts/rules')).body
  const made = rules.find(({ name }: { name: string }) => name === 'By keys')
  t.match(made, { enabled: false, newPattern: { withinMs: 172_800_000 } })
  await tabTo(page, page.getByRole('link', { name: 'History of By keys' }))
  await page.keyboard.press('Enter')
  await page.getByText('Nothing has happened yet').waitFor()
  await service.call('DELETE', `/api/v1/alerts/rules/${made.id}`)
})

browserTest(t, 'a dialog takes the focus, keeps it, and gives it back', async t => {
  const { open } = await sharedSite()
  const { page } = await open({ role: 'admin', path: '/alerts?tab=receivers' })
  const button = page.getByRole('button', { name: 'New receiver' })
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  t.ok(await isFocused(dialog.getByLabel('Name')))
  await tabTo(page, dialog.getByLabel('Kind'))
  await page.keyboard.type('E-')
  await tabTo(page, dialog.getByLabel('Credentials'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, dialog.getByLabel('Password'))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.ok(await isFocused(button))
})

browserTest(t, 'a trace is walked through by keys, lane by lane and row by row', async t => {
  const { open, service } = await sharedSite()
  const id = 'c0ffee3577b34da6a3ce929d0e0e4736'
  for (const [name, message] of [
    ['keys-front', 'asked'],
    ['keys-back', 'answered'],
  ] as const) {
    const token = await service.makeToken(name, 'prod')
    await service.send(token, [{ message, trace_id: id }])
  }
  const { page } = await open({ role: 'viewer', path: `/traces/${id}` })
  await page.locator('.log-row').nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.locator('.log-row-marked', { hasText: 'answered' }).waitFor()
  await page.keyboard.press('o')
  await page.locator('.detail').waitFor()
  await page.keyboard.press('o')
  await page.locator('.detail').waitFor({ state: 'detached' })
  await tabTo(page, page.getByRole('link', { name: 'keys-back' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === '/logs' && /keys-back/.test(url.search))
  await page.locator('.log-row', { hasText: 'answered' }).waitFor()
  t.match(page.url(), /from=/)
})
