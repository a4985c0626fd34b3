import t from 'tap'
import { browserTest, sharedSite, startSite } from './browser.ts'
import { fieldsOf } from './ways.ts'

browserTest(t, 'a live tail shows what arrives, pauses when one scrolls, and goes on', async t => {
  const { open, service } = await sharedSite()
  const token = await service.makeToken('checkout', 'prod')
  const send = (message: string) => service.send(token, { message })
  const { page } = await open({ role: 'viewer', path: '/logs' })
  await page.locator('.log-row').first().waitFor()
  await page.keyboard.press('l')
  await page.waitForURL('**live=1*')
  await page.getByText('100 shown').waitFor()
  const first = page.locator('li[aria-posinset="1"] .log-message')
  // What was there before is no news; the page takes half a second to be sure.
  await page.clock.install()
  await page.clock.fastForward(1_000)
  await send('first news')
  await page.locator('.log-row-fresh', { hasText: 'first news' }).waitFor()
  t.match(await first.innerText(), 'first news')
  await page.getByText('101 shown').waitFor()

  await page.getByRole('region', { name: /^Records, / }).evaluate(one => one.scrollTo(0, 400))
  await page.getByText('Paused').waitFor()
  await send('second news')
  await page.getByText('1 new').waitFor()
  t.equal(await page.getByText('second news').count(), 0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('.log-row', { hasText: 'second news' }).waitFor()
  t.match(await first.innerText(), 'second news')

  await first.click()
  await page.locator('.detail').waitFor()
  await page.getByText('Paused').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('0 shown').waitFor()
  await page.keyboard.press('l')
  await page.getByText(/\d records/).waitFor()
  t.notMatch(page.url(), 'live')
})

browserTest(
  t,
  'under a tail rows stand in order of time, and histogram and fields go on',
  async t => {
    const { open, service } = await sharedSite()
    const token = await service.makeToken('late', 'prod')
    const send = (message: string, agoMs: number, level: string) =>
      service.send(token, { message, level, time: Date.now() - agoMs }, 'time')
    const query = encodeURIComponent('logs{service.name="late"}')
    // Times of their own, which end that very moment: following them, they go on.
    const times = `from=${Date.now() - 600_000}&to=${Date.now()}`
    const view = await open({ role: 'viewer', path: `/logs?query=${query}&${times}` })
    const { page } = view
    await page.getByText('0 records').waitFor()
    await page.keyboard.press('l')
    await page.getByText('0 shown').waitFor()
    await page.getByRole('button', { name: /^Time range: Last 10 m/ }).waitFor()
    for (const [message, agoMs] of [
      ['middle', 20_000],
      ['oldest', 30_000],
      ['newest', 10_000],
    ] as const) {
      await send(message, agoMs, 'warn')
    }
    await page.getByText('3 shown').waitFor()
    t.same(
      (await page.locator('.log-row .log-message').allInnerTexts()).map(text => text.trim()),
      ['newest', 'middle', 'oldest'],
    )
    const legend = page.getByRole('list', { name: 'Levels' })
    await legend.getByRole('button', { name: /^warn 3/ }).waitFor()
    await send('further', 0, 'error')
    await legend.getByRole('button', { name: /^error 1/ }).waitFor()
    const fields = await fieldsOf(view)
    const level = fields.getByRole('region', { name: 'log_level' })
    await level.getByRole('button', { name: /^warn\s*3/ }).waitFor()
    await send('and more', 0, 'warn')
    await level.getByRole('button', { name: /^warn\s*4/ }).waitFor()
  },
)

browserTest(t, 'a tail goes on after the service was restarted', async t => {
  const { open, service, restart } = await startSite(t, { isEmpty: true, canRestart: true })
  const token = await service.makeToken('checkout', 'prod')
  const send = (message: string) => service.send(token, { message })
  await send('before')
  const { page } = await open({ role: 'viewer', path: '/logs?live=1' })
  await page.locator('.log-row', { hasText: 'before' }).waitFor()
  await restart()
  await send('after')
  await page.locator('.log-row', { hasText: 'after' }).waitFor()
  t.equal(await page.locator('.log-row').count(), 2, 'none twice')
})

browserTest(t, 'auto-refresh asks again, but not while somebody reads', async t => {
  const { open, service } = await sharedSite()
  const token = await service.makeToken('refreshed', 'prod')
  const send = (message: string) => service.send(token, { message })
  await send('one')
  const path = `/logs?query=${encodeURIComponent('logs{service.name="refreshed"}')}`
  const { page } = await open({ role: 'viewer', path })
  await page.locator('.log-row').waitFor()
  await page.clock.install()
  await page.getByRole('button', { name: 'Refresh: off' }).click()
  await page.getByRole('menuitemradio', { name: 'Every 10 s' }).click()
  await page.waitForURL('**refresh=10s*')
  await send('two')
  await page.clock.runFor(10_100)
  await page.locator('.log-row', { hasText: 'two' }).waitFor()
  await page.locator('.log-row .log-message').first().click()
  await page.locator('.detail').waitFor()
  await send('three')
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.clock.runFor(20_500)
  t.same(asked, [])
  t.equal(await page.locator('.log-row').count(), 2)
})
