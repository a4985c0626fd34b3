import t from 'tap'
import { browserTest, isDrawn, logsAreShown, openShared, sharedSite } from './browser.ts'
import { chooseTheme, rowHeightOf } from './ways.ts'

browserTest(t, 'dragging over the histogram narrows the time range', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  await logsAreShown(page)
  const plot = page.locator('.u-over')
  const { x, y, width, height } = (await plot.boundingBox())!
  await page.mouse.move(x + width / 4, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL('**from=*')
  const { searchParams } = new URL(page.url())
  const [from, to] = ['from', 'to'].map(name => Date.parse(searchParams.get(name)!))
  t.ok(Math.abs(to! + 1 - from! - 15 * 60_000) <= 2 * 60_000, 'a quarter of the hour')
  t.same([from! % 60_000, (to! + 1) % 60_000], [0, 0], 'of whole bars')
  await page.getByText(/^[78]\d\d records/).waitFor()
  await page.getByRole('button', { name: /^Time range: [^.]*$/ }).waitFor()
})

browserTest(t, 'a click anywhere on a bar is about this bar, and dragging marks it', async t => {
  const end = Date.now() - (Date.now() % 60_000)
  const [from, to] = [end - 3_600_000, end - 1].map(time => new Date(time).toISOString())
  const path = `/logs?from=${from}&to=${to}`
  const { page } = await openShared({ role: 'viewer', path })
  const zoomed = async () => {
    await page.waitForURL(url => url.searchParams.get('from') !== from)
    const { searchParams } = new URL(page.url())
    return ['from', 'to'].map(name => searchParams.get(name))
  }
  await logsAreShown(page)
  const plot = page.locator('.u-over')
  const { x, y, width, height } = (await plot.boundingBox())!
  const readAt = async (left: number) => {
    await page.mouse.move(x + left, y + height / 2)
    await isDrawn(page)
    return page.locator('.readout-time').innerText()
  }
  let first = width / 2
  const before = await readAt(first)
  while ((await readAt(first)) === before) first += 1
  const bar = await readAt(first)
  let last = first
  while ((await readAt(last + 1)) === bar) last += 1

  await page.mouse.move(x + first + 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + last - 2, y + height / 2, { steps: 4 })
  const marked = (await page.locator('.u-select').boundingBox())!
  t.ok(Math.abs(marked.x - x - first) < 2, 'from where the bar begins')
  t.ok(Math.abs(marked.x + marked.width - x - last - 1) < 2, 'to where it ends')
  await page.mouse.up()
  const dragged = await zoomed()
  await page.goto(path)
  await logsAreShown(page)
  await page.mouse.click(x + last - 1, y + height / 2)
  t.same(await zoomed(), dragged)
  t.match(bar, dragged[0]!.slice(14, 16), 'the minute that was read')
})

browserTest(
  t,
  'a finger drawn over the histogram narrows it too, and scrolls up and down',
  async t => {
    const { page } = await openShared({ role: 'viewer', path: '/logs', size: 'phone' })
    await logsAreShown(page)
    const { x, y, width, height } = (await page.locator('.u-over').boundingBox())!
    const wire = await page.context().newCDPSession(page)
    const draw = async (dx: number, dy: number) => {
      const at = (part: number) => ({
        touchPoints: [{ x: x + width / 4 + dx * part, y: y + height / 2 + dy * part }],
      })
      await wire.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0) })
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await wire.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(part) })
      }
      await wire.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await draw(20, 200)
    t.notMatch(page.url(), 'from=')
    await draw(width / 4, 10)
    await page.waitForURL('**from=*')
    const { searchParams } = new URL(page.url())
    const [from, to] = ['from', 'to'].map(name => Date.parse(searchParams.get(name)!))
    t.ok(Math.abs(to! - from! - 15 * 60_000) <= 2 * 60_000, 'a quarter of the hour')
  },
)

browserTest(t, 'a chart is read and used by keys, and as a table', async t => {
  const { page } = await openShared({ role: 'viewer', path: '/logs' })
  await logsAreShown(page)
  const chart = page.getByRole('region', { name: /Records by time and level/ })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  const readout = page.locator('.readout')
  await readout.waitFor()
  t.match(await readout.innerText(), /info\s+\d+/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**from=*')

  t.match(
    await page.locator('figcaption').innerText(),
    /Records by time and level, 20\d\d-.* info: from/,
  )
  await page.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('columnheader', { name: 'info' }).waitFor()
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await page.locator('.u-over').waitFor()
})

browserTest(t, 'a chart takes the width of its place and the colours of the theme', async t => {
  const view = await openShared({ role: 'viewer', path: '/logs', theme: 'light' })
  const { page, isPhone } = view
  await logsAreShown(page)
  const width = await page.locator('.uplot').evaluate(one => one.getBoundingClientRect().width)
  t.ok(width > (isPhone ? 320 : 1_100), `${width} pixels`)
  /** Waits until the middle of a bar is drawn, in another colour than `before`, and tells it. */
  const colourAfter = async (before: string) => {
    const found = await page.waitForFunction(unwanted => {
      const canvas = document.querySelector<HTMLCanvasElement>('.uplot canvas')!
      const [x, y] = [canvas.width >> 1, Math.round(canvas.height * 0.4)]
      const { data } = canvas.getContext('2d')!.getImageData(x, y, 1, 1)
      return data[3] === 255 && data.join() !== unwanted && data.join()
    }, before)
    return String(await found.jsonValue())
  }
  const light = await colourAfter('')
  await chooseTheme(view, 'dark')
  t.not(await colourAfter(light), light)
  await page.setViewportSize({ width: 700, height: 900 })
  await page.waitForFunction(before => {
    const { width } = document.querySelector('.uplot')!.getBoundingClientRect()
    return width < 700 && Math.abs(width - before) > 100
  }, width)
})

browserTest(t, 'of a long list only what is in sight exists, and it follows scrolling', async t => {
  const view = await openShared({ role: 'viewer', path: '/logs' })
  const { page } = view
  const list = page.getByRole('region', { name: /Records/ }).last()
  await page.locator('.log-row').first().waitFor()
  const count = await page.locator('.virtual-row').count()
  t.ok(count < 100, `${count} of 1,000 rows exist`)
  const shown = () =>
    page.evaluate(() => {
      const frame = document.querySelector('.virtual-list')!.getBoundingClientRect()
      const at = (y: number) => document.elementFromPoint(frame.left + 20, y)?.closest('li')
      return [at(frame.top + 10), at(frame.bottom - 10)].map(row =>
        row?.getAttribute('aria-posinset'),
      )
    })
  t.equal((await shown())[0], '1')
  await list.focus()
  await page.keyboard.press('End')
  // A row exists before it is in sight.
  let last: string | null | undefined
  for (const until = Date.now() + 10_000; last !== '1000' && Date.now() < until; ) {
    last = (await shown())[1]
  }
  t.equal(last, '1000')
  for (const top of [5_000, 12_345, 100]) {
    await list.evaluate((element, offset) => element.scrollTo(0, offset), top)
    await page.waitForFunction(
      ([row]) => document.querySelector(`li[aria-posinset="${row}"]`) !== null,
      [Math.floor(top / rowHeightOf(view)) + 1],
    )
    t.notOk((await shown()).includes(undefined), `${top}: no hole`)
  }
})

browserTest(t, 'a hostile record is only text', async t => {
  const { open, service } = await sharedSite()
  const token = await service.makeToken('<b>bold</b>', 'test')
  const hostile = [
    '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">',
    `\u202egnp.exe \u0000\u001b[31mred\u0007 ${'long '.repeat(20_000)}`,
    'javascript:window.hacked=1',
  ]
  for (const message of hostile) {
    await service.send(token, { message, '<i>': message })
  }
  const path = `/logs?query=${encodeURIComponent('logs{service.name="<b>bold</b>"}')}`
  const { page } = await open({ role: 'viewer', path })
  await page.locator('.log-row', { hasText: '<script>' }).waitFor()
  t.equal(await page.locator('.log-row').count(), 3)
  t.equal(await page.locator('.log-row script, .log-row img, .log-row b').count(), 0)
  t.equal(await page.evaluate(() => 'hacked' in window), false)
  const { width } = page.viewportSize()!
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
})
