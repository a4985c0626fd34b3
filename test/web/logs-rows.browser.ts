import type { Page } from 'playwright-core'
import t from 'tap'
import {
  at,
  browserTest,
  isDrawn,
  leavePages,
  openLogs,
  openShared,
  sharedSite,
} from './browser.ts'
import { rowHeightOf } from './ways.ts'

/** The text of the query in the address. */
function queryOf(page: Page): string {
  return new URL(page.url()).searchParams.get('query') ?? 'logs'
}

browserTest(t, 'a copied link leads to the record, however far down it is', async t => {
  const { open } = await sharedSite()
  const view = await open({ role: 'viewer', path: '/logs' })
  const { page } = view
  const rowHeight = rowHeightOf(view)
  await page.locator('.log-row').first().waitFor()
  const list = page.getByRole('region', { name: /^Records, / })
  await list.evaluate(one => one.scrollTo(0, one.scrollHeight))
  await page.waitForFunction(
    wanted => document.querySelector('.virtual-list')!.scrollHeight >= wanted,
    2_000 * rowHeight,
  )
  await list.evaluate((one, top) => one.scrollTo(0, top), 1_495 * rowHeight)
  const message = page.locator('li[aria-posinset="1500"] .log-message')
  const text = await message.innerText()
  await message.click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  t.match(link, /from=20\d\d-.*to=20\d\d-.*record=/)

  const there = await open({ role: 'viewer', path: link })
  await there.page.locator('.detail').waitFor()
  const row = there.page.locator('.log-row-marked .log-message')
  t.equal(await row.innerText(), text)
  t.ok(await row.isVisible())
  await there.page.getByText('Records up to').waitFor()
  await there.page.getByRole('button', { name: 'Show the newest' }).click()
  await there.page.getByText('Records up to').waitFor({ state: 'detached' })
  t.notMatch(there.page.url(), 'record=')
})

browserTest(t, 'scrolling to the end loads more, until all are there', async t => {
  const { page } = await openLogs()
  const count = Number((await page.locator('.logs-cost strong').innerText()).replace(',', ''))
  const list = await page.getByRole('region', { name: /^Records, / }).elementHandle()
  for (const rows of [1_000, 2_000, count]) {
    // To the end again and again: it moves away each time that more have come.
    await page.waitForFunction(
      ([one, wanted]) => {
        one?.scrollTo(0, one.scrollHeight)
        const drawn = [...document.querySelectorAll('li[aria-posinset]')]
        return drawn.some(row => Number(row.getAttribute('aria-posinset')) >= wanted)
      },
      [list, rows] as const,
    )
  }
  t.ok((await page.locator('.virtual-row').count()) < 100)
})

browserTest(t, 'every row tells how many there are, also when more were loaded', async t => {
  const view = await openShared({ role: 'viewer', path: '/logs' })
  const { page } = view
  await page.locator('li[aria-setsize="1000"]').first().waitFor()
  const list = page.getByRole('region', { name: /^Records, / })
  await list.evaluate((one, top) => one.scrollTo(0, top), 985 * rowHeightOf(view))
  // The rows that stay in sight while more come.
  await page.locator('li[aria-posinset="990"][aria-setsize="2000"]').waitFor()
  t.equal(await page.locator('li[aria-setsize="1000"]').count(), 0)
})

browserTest(
  t,
  'behind the message there are as many attributes as the line has room for',
  async t => {
    const { open, service } = await sharedSite()
    const token = await service.makeToken('roomy', 'test')
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(name => [name, 'x'.repeat(40)]))
    const body = [
      { message: 'few', order: 81723, host: 'node-1' },
      { message: 'many', ...many },
      { message: 'y'.repeat(500), ...many },
      { message: 'turning', a: 'שלום', b: '\u202e' },
    ]
    await service.send(token, body)
    const path = at('logs{service.name="roomy"}')
    const { page } = await open({ role: 'viewer', path })
    const row = (text: string) => page.locator('.log-row', { hasText: text })
    await row('few').waitFor()
    t.match(
      await row('few').locator('.log-message').textContent(),
      /^few {2}(order=81723|host=node-1)/,
    )
    // It is known only when the first rows have been measured.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.log-row')].some(row => {
        const message = row.querySelector('.log-message')!
        const isCut = message.scrollWidth > message.clientWidth
        return (
          row.textContent!.includes('many') &&
          isCut &&
          message.scrollWidth < message.clientWidth + 16
        )
      }),
    )
    t.equal(await row('yyy').locator('.log-glance').count(), 0)
    t.equal(
      await row('yyy').locator('.log-message').textContent(),
      'y'.repeat(500),
      'can be copied',
    )
    t.same(await row('turning').locator('.log-glance bdi').allTextContents(), [
      '  a=שלום',
      '  b=<U+202E>',
    ])
  },
)

browserTest(t, 'wrapped lines fit from the start, on a page that opens with them', async () => {
  const { open, service } = await sharedSite()
  const token = await service.makeToken('long', 'test')
  const message = 'wrapped '.repeat(60)
  await service.send(token, { message })
  const { page } = await open({ role: 'viewer', path: at('logs{service.name="long"}') })
  await page.locator('.log-row').waitFor()
  await page.keyboard.press('w')
  await page.locator('.log-message-wrapped').waitFor()
  await page.route('**/api/v1/query/logs', async route => {
    // The rows come last of all, when nothing else moves any more.
    await page.getByRole('list', { name: 'Levels' }).getByRole('button').first().waitFor()
    await page.locator('.uplot canvas').waitFor()
    await isDrawn(page)
    await route.continue()
  })
  await page.reload()
  await page.locator('.log-message-wrapped').waitFor()
  // Neither cut off below, nor with an empty line.
  await page.waitForFunction(() => {
    const { scrollHeight, clientHeight, firstElementChild } =
      document.querySelector('.log-message-wrapped')!
    const drawn = firstElementChild!.getBoundingClientRect().height
    return scrollHeight <= clientHeight && Math.abs(drawn - clientHeight) < 20
  })
})

browserTest(
  t,
  'wrapped rows keep their attributes, and times need no parts of seconds',
  async t => {
    const { open, service } = await sharedSite()
    const token = await service.makeToken('whole', 'test')
    const time = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
    const attributes = { order: '81723', trace_id: '4bf92f3577b34da6', host: 'node-12' }
    const body = Array.from({ length: 20 }, (_, index) => {
      return {
        time: time - 1_000 * index,
        message: `order ${'placed '.repeat(index)}`,
        ...attributes,
      }
    })
    await service.send(token, body, 'time')
    const { page } = await open({
      role: 'viewer',
      path: at('logs{service.name="whole"}'),
    })
    const row = page.locator('.log-row').first()
    await row.waitFor()
    t.match(await row.locator('time').innerText(), /^\d\d:\d\d:\d\d$/)
    await page.keyboard.press('w')
    await page.locator('.log-message-wrapped').first().waitFor()
    t.match(await row.innerText(), /order=81723 {2}host=node-12 {2}trace_id=4bf92f3577b34da6$/)
    // All of each is in sight: neither cut off below, nor with an empty line.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.log-message-wrapped')].every(one => {
        const last = one.lastElementChild!.lastElementChild!.getBoundingClientRect()
        const { bottom } = one.getBoundingClientRect()
        return last.bottom <= bottom + 1 && last.bottom > bottom - 20
      }),
    )
    const late = [{ time: time + 1, message: 'of a part' }]
    await service.send(token, late, 'time')
    await page.keyboard.press('r')
    await page.locator('.log-row', { hasText: 'of a part' }).waitFor()
    t.match(await row.locator('time').innerText(), /\.001$/, 'with parts where there are some')
  },
)

browserTest(
  t,
  'records can be wrapped, shown as JSON, in UTC, and with matches marked',
  async t => {
    const { page } = await openShared({
      role: 'viewer',
      path: at('logs |= "timeout"'),
      timezone: 'Asia/Kolkata', // Half an hour off, so that it is told from UTC at any hour.
    })
    await page.locator('.log-row').first().waitFor()
    t.equal(await page.locator('.log-row mark').first().innerText(), 'timeout')
    const view = async (item: string) => {
      await page.getByRole('button', { name: 'View', exact: true }).click()
      await page.getByRole('menuitemradio', { name: item }).click()
    }
    await view('As JSON')
    await page.waitForURL('**view=json*')
    await page.locator('.log-row-json').first().waitFor()
    const shown = await page.locator('.log-row .log-message').first().innerText()
    t.match(shown, '{"timestamp":')
    await page.keyboard.press('w')
    await page.locator('.log-message-wrapped').first().waitFor()
    const ends = await page.evaluate(() =>
      [...document.querySelectorAll('.virtual-row')].slice(0, 10).map(row => {
        const { top, height } = row.getBoundingClientRect()
        return [top, top + height] as const
      }),
    )
    for (const [index, [top]] of ends.entries()) {
      if (index > 0)
        t.ok(Math.abs(top - ends[index - 1]![1]) <= 1, `row ${index}: no gap, no overlap`)
    }
    await view('As rows')
    const before = await page.locator('.log-row time').first().innerText()
    t.match(before, /^\d\d:\d\d:\d\d\.\d{3}$/)
    await view('UTC')
    await page.waitForFunction(
      shown => document.querySelector('.log-row time')!.textContent !== shown,
      before,
    )
    const after = await page.locator('.log-row time').first().innerText()
    const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
    t.equal((minutes(before) - minutes(after) + 1_440) % 1_440, 330)
    await page.keyboard.press('w')
  },
)

browserTest(t, 'on a phone the chosen columns are a line of each row', async t => {
  const path = at('logs{service.name="checkout"}', '&columns=host,order,none')
  const { page } = await openShared({ role: 'viewer', size: 'phone', path })
  const rows = page.locator('.log-row')
  await rows.first().waitFor()
  const line = rows.first().locator('.log-columns')
  t.match(await line.innerText(), /^host node-\d+\s*order \d{5}\s*none –$/)
  const tops = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('.log-row')].slice(0, 5)
    return rows.map(row => row.getBoundingClientRect()).map(({ top, height }) => [top, height])
  })
  for (const [index, [top, height]] of tops.entries()) {
    t.equal(height, 64)
    if (index > 0) t.equal(top! - tops[index - 1]![0]!, 64, 'no gap, no overlap')
  }
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
  await page.goto(at('logs{service.name="checkout"}'))
  await rows.first().waitFor()
  t.equal((await rows.first().boundingBox())!.height, 44, 'without columns two lines do')
})

browserTest(t, 'the surroundings of a record are shown without losing the search', async t => {
  const { page } = await openShared({ role: 'viewer', path: at('logs{log_level="error"}') })
  await page.locator('.log-row').first().waitFor()
  await page.locator('.log-row .log-message').nth(5).click()
  await page.getByRole('button', { name: 'Surrounding records' }).click()
  const dialog = page.getByRole('dialog', { name: 'Surrounding records' })
  await dialog.locator('.context-center .log-row').waitFor()
  t.ok((await dialog.locator('.log-row').count()) > 26, 'also records that do not match')
  const before = await dialog.locator('.log-row').count()
  await dialog.getByRole('button', { name: 'Earlier records' }).click()
  await page.waitForFunction(
    count => document.querySelectorAll('dialog .log-row').length > count,
    before,
  )
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal(queryOf(page), 'logs{log_level="error"}')
})

browserTest(
  t,
  'a hostile record is shown as text, visibly, and long ones when asked for',
  async t => {
    const { open, service } = await sharedSite()
    const token = await service.makeToken('evil', 'test')
    const message = `\u202eexe.txt\u0000\u001b[31mred\u001b[0m <script>window.hacked = 1</script> ${'long '.repeat(200_000)}END`
    await service.send(token, { message, '<img src=x onerror=hacked=1>': '<b>\u2066</b>' })
    const path = at('logs{service.name="evil"}')
    for (const size of ['desktop', 'phone'] as const) {
      const { page } = await open({ role: 'viewer', path, size })
      const row = page.locator('.log-row')
      await row.waitFor()
      t.match(await row.innerText(), '<U+202E>exe.txt␀red <script>')
      t.equal(await row.locator('.ansi-red').innerText(), 'red')
      await row.locator('.log-message').click()
      const detail = page.locator('.detail')
      await detail.waitFor()
      t.notMatch(await detail.innerText(), 'END')
      await detail.getByRole('button', { name: /^Show all \(977 KiB\)/ }).click()
      t.match(await detail.innerText(), 'END')
      t.match(await detail.innerText(), '<b><U+2066></b>')
      t.equal(await page.locator('.logs script, .logs img, .logs b').count(), 0)
      t.equal(await page.evaluate(() => 'hacked' in window), false)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
      await leavePages()
    }
  },
)
