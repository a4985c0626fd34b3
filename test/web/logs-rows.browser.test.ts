import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, holds, isDrawn, shareSite, startSite } from './browser.ts'
import { fieldsOf, rowHeightOf } from './ways.ts'

const site = shareSite(t)

const at = (query: string, more = '') => `/logs?query=${encodeURIComponent(query)}${more}`

/** The text of the query in the address. */
function queryOf(page: Page): string {
  return new URL(page.url()).searchParams.get('query') ?? 'logs'
}

/** Opens the first row that has the text. */
async function openRow(page: Page, text: string): Promise<void> {
  await page.locator('.log-row', { hasText: text }).first().locator('.log-message').click()
  await page.locator('.detail').first().waitFor()
}

browserTest(t, 'an opened record shows its fields, and each writes the query', async t => {
  const { open } = await site()
  const { page, isPhone, complaints } = await open({ role: 'viewer', path: '/logs' })
  await openRow(page, 'upstream timeout')
  const field = (name: string) => page.locator(`.detail [data-field="${name}"]`)
  /** Brings the actions of a field into sight. */
  const reach = (name: string) =>
    isPhone
      ? field(name)
          .getByRole('button', { name: `Actions for ${name}` })
          .click()
      : field(name).hover()
  await reach('error.code')
  await field('error.code').getByRole('button', { name: 'Filter for this error.code' }).click()
  await page.waitForURL(url => url.searchParams.get('query') === 'logs{error.code="ETIMEDOUT"}')
  await holds(t, page.getByRole('textbox', { name: 'Query' }), 'logs{error.code="ETIMEDOUT"}')

  await openRow(page, 'upstream timeout')
  const service = await field('service.name').locator('.field-value').innerText()
  await field('service.name')
    .locator('.field-value')
    .click({ modifiers: ['Alt'] })
  const expected = `logs{error.code="ETIMEDOUT", service.name!="${service}"}`
  await page.waitForURL(url => url.searchParams.get('query') === expected)
  await page.locator('.log-service', { hasText: service }).first().waitFor({ state: 'detached' })
  await page.goBack()
  await page.locator('.log-service', { hasText: service }).first().waitFor()
  t.equal(queryOf(page), 'logs{error.code="ETIMEDOUT"}')

  await openRow(page, 'upstream timeout')
  await reach('host')
  await field('host').getByRole('button', { name: 'Add host as a column' }).click()
  await page.waitForURL('**columns=host*')
  const cell = page.locator('.log-row .log-cell').first()
  await cell.waitFor()
  t.match(await cell.innerText(), isPhone ? /^host node-\d+$/ : /^node-\d+$/)
  await page.getByRole('button', { name: 'Remove the column host' }).first().click()
  await page.locator('.log-cell').first().waitFor({ state: 'detached' })

  if (!isPhone) await reach('host')
  await field('host').getByRole('button', { name: 'Top values of host' }).click()
  const top = page.getByRole('dialog', { name: 'Top values of host' })
  t.match(await top.getByRole('button').first().innerText(), /^node-\d+\s+\d+$/)
  await page.keyboard.press('Escape')
  if (!isPhone) await reach('host')
  await field('host').getByRole('button', { name: 'Copy host' }).click()
  t.match(await page.evaluate(() => navigator.clipboard.readText()), /^node-\d+$/)
  t.same(complaints, [])
})

browserTest(t, 'top values open at their button, above all else, on phones too', async t => {
  const { open } = await site()
  for (const size of ['desktop', 'phone'] as const) {
    const { page, complaints } = await open({ role: 'viewer', path: '/logs', size })
    await openRow(page, 'upstream timeout')
    const field = page.locator('.detail [data-field="order"]')
    if (size === 'phone') await page.getByRole('button', { name: 'Actions for order' }).click()
    else await field.hover()
    const button = field.getByRole('button', { name: 'Top values of order' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Top values of order' })
    await dialog.locator('.facet-value').nth(9).waitFor()
    await isDrawn(page)
    const [from, box] = [(await button.boundingBox())!, (await dialog.boundingBox())!]
    if (size === 'phone') {
      t.same([box.x, box.width, box.y + box.height], [0, 360, 740], 'a sheet at the lower edge')
    } else {
      t.ok(box.x <= from.x + 1 && from.x < box.x + box.width, 'beside the button')
      const gap = Math.max(box.y - from.y - from.height, from.y - box.y - box.height)
      t.ok(gap >= 0 && gap < 8, `${gap} px from it`)
      t.ok(box.y >= 0 && box.y + box.height <= 900, 'inside the window')
    }
    const isAbove = await dialog.evaluate(one => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const places = [left + 12, right - 12].flatMap(x => [top + 12, bottom - 12].map(y => [x, y]))
      return places.every(([x, y]) => one.contains(document.elementFromPoint(x!, y!)))
    })
    t.ok(isAbove, `${size}: nothing lies over it`)
    t.same(complaints, [])
    await page.context().close()
  }
})

browserTest(t, 'what every row shows already is no column, and no column stands twice', async t => {
  const { open } = await site()
  const path = at('logs', '&columns=log_level,host,message,host,service.name')
  const view = await open({ role: 'viewer', path })
  const { page, isPhone, complaints } = view
  const cells = page.locator('.log-row').first().locator('.log-cell')
  await cells.first().waitFor()
  t.equal(await cells.count(), 1)
  await openRow(page, 'order')
  for (const name of ['message', 'log_level', 'service.name']) {
    const field = page.locator(`.detail [data-field="${name}"]`)
    if (isPhone) await field.getByRole('button', { name: `Actions for ${name}` }).click()
    const button = field.getByRole('button', { name: `${name} has its column already` })
    t.ok(await button.isDisabled(), name)
  }
  const fields = await fieldsOf(view)
  await fields.getByRole('region', { name: 'environment' }).hover()
  await fields.getByRole('button', { name: 'Add environment as a column' }).waitFor()
  t.equal(await fields.getByRole('button', { name: 'Add log_level as a column' }).count(), 0)
  t.same(complaints, [])
})

browserTest(t, 'a copied link leads to the record, however far down it is', async t => {
  const { open } = await site()
  const view = await open({ role: 'viewer', path: '/logs' })
  const { page, complaints } = view
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
  t.same([...complaints, ...there.complaints], [])
})

browserTest(t, 'scrolling to the end loads more, until all are there', async t => {
  const { open } = await site()
  const { page } = await open({ role: 'viewer', path: '/logs' })
  await page.locator('.log-row').first().waitFor()
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
  const { open } = await site()
  const view = await open({ role: 'viewer', path: '/logs' })
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
    const { open, service } = await startSite(t, { isEmpty: true })
    const token = await service.makeToken('checkout', 'test')
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(name => [name, 'x'.repeat(40)]))
    const body = [
      { message: 'few', order: 81723, host: 'node-1' },
      { message: 'many', ...many },
      { message: 'y'.repeat(500), ...many },
      { message: 'turning', a: 'שלום', b: '\u202e' },
    ]
    await service.call('POST', '/api/v1/webhook/event/logs', { token, body })
    const { page, complaints } = await open({ role: 'viewer', path: '/logs' })
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
    t.same(complaints, [])
  },
)

browserTest(t, 'wrapped lines fit from the start, on a page that opens with them', async t => {
  const { open, service } = await startSite(t, { isEmpty: true })
  const token = await service.makeToken('checkout', 'test')
  const message = 'wrapped '.repeat(60)
  await service.call('POST', '/api/v1/webhook/event/log', { token, body: { message } })
  const { page } = await open({ role: 'viewer', path: '/logs' })
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
    const { open, service } = await site()
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
    await service.call('POST', '/api/v1/webhook/event/logs?timestamp_field=time', { token, body })
    const { page, complaints } = await open({
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
    await service.call('POST', '/api/v1/webhook/event/logs?timestamp_field=time', {
      token,
      body: late,
    })
    await page.keyboard.press('r')
    await page.locator('.log-row', { hasText: 'of a part' }).waitFor()
    t.match(await row.locator('time').innerText(), /\.001$/, 'with parts where there are some')
    t.same(complaints, [])
  },
)

browserTest(
  t,
  'records can be wrapped, shown as JSON, in UTC, and with matches marked',
  async t => {
    const { open } = await site()
    const { page, complaints } = await open({
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
    t.same(complaints, [])
  },
)

browserTest(t, 'on a phone the chosen columns are a line of each row', async t => {
  const { open } = await site()
  const path = at('logs{log_level="info"}', '&columns=host,order,none')
  const { page, complaints } = await open({ role: 'viewer', size: 'phone', path })
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
  await page.goto(at('logs{log_level="info"}'))
  await rows.first().waitFor()
  t.equal((await rows.first().boundingBox())!.height, 44, 'without columns two lines do')
  t.same(complaints, [])
})

browserTest(
  t,
  'on a phone an opened record shows a field in a line, and its actions when asked',
  async t => {
    const { open } = await site()
    const { page, complaints } = await open({ role: 'viewer', size: 'phone', path: '/logs' })
    await openRow(page, 'order')
    const heights = await page.locator('.detail-field').evaluateAll(all => {
      return all.map(one => one.getBoundingClientRect().height)
    })
    t.ok(heights.length >= 5 && heights.every(height => height <= 34), heights.join())
    const host = page.locator('.detail [data-field="host"]')
    const filter = host.getByRole('button', { name: 'Filter for this host' })
    t.notOk(await filter.isVisible())
    await host.getByRole('button', { name: 'Actions for host' }).tap()
    t.ok((await filter.boundingBox())!.height >= 40, 'for a thumb')
    await filter.tap()
    await page.waitForURL(url => /host="node-/.test(url.searchParams.get('query') ?? ''))
    t.same(complaints, [])
  },
)

browserTest(t, 'the surroundings of a record are shown without losing the search', async t => {
  const { open } = await site()
  const { page, complaints } = await open({ role: 'viewer', path: at('logs{log_level="error"}') })
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
  t.same(complaints, [])
})

browserTest(t, 'records are gone through, opened and filtered by keys alone', async t => {
  const { open } = await site()
  const { page, complaints } = await open({ role: 'viewer', path: '/logs' })
  await page.locator('.log-row').first().waitFor()
  const marked = () => page.locator('li:has(.log-row-marked)').getAttribute('aria-posinset')
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
  t.equal(await marked(), '2')
  await page.getByRole('region', { name: /^Records, / }).focus()
  await page.keyboard.press('ArrowDown')
  t.equal(await marked(), '3')
  await page.keyboard.press('Enter')
  await page.locator('.detail').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.detail').waitFor({ state: 'detached' })

  await page.keyboard.press('x')
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))
  await page.waitForFunction(
    () => document.activeElement?.closest('[data-field]')?.getAttribute('data-field') === 'message',
  )
  await page.keyboard.press('j')
  t.equal(await focused(), 'log_level')
  await page.keyboard.press('v')
  const top = page.getByRole('dialog', { name: 'Top values of log_level' })
  await top.getByRole('button').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await top.waitFor({ state: 'detached' })
  t.equal(await focused(), 'log_level')

  // Out of the fields at both of their ends.
  const record = await marked()
  await page.keyboard.press('k')
  t.equal(await focused(), 'message')
  await page.keyboard.press('k')
  t.equal(await marked(), record, 'above the first field is its record')
  await page.keyboard.press('k')
  t.equal(await marked(), String(Number(record) - 1))
  await page.keyboard.press('j')
  await page.keyboard.press('v')
  await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
  const count = await page.locator('.detail [data-field]').count()
  for (let i = 0; i < count; i++) await page.keyboard.press('j')
  t.equal(await focused(), undefined)
  t.equal(await marked(), String(Number(record) + 1), 'below the last field is the next record')

  await page.keyboard.press('k')
  await page.keyboard.press('f')
  await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
  await page.keyboard.press('j')
  t.equal(await focused(), 'log_level')
  const level = await page.locator('.log-row-marked [class*="level-"]').evaluate(one => {
    return [...one.classList].find(name => name.startsWith('level-'))
  })
  await page.keyboard.press('x')
  await page.waitForURL(url => /log_level!=/.test(url.searchParams.get('query') ?? ''))
  // What was marked may be gone: the keys then begin with what is in sight.
  await page.locator(`.log-row .${level}`).first().waitFor({ state: 'detached' })
  await page.keyboard.press('o')
  await page.locator('.detail').waitFor()
  t.same(complaints, [])
})

browserTest(
  t,
  'a hostile record is shown as text, visibly, and long ones when asked for',
  async t => {
    const { open, service } = await startSite(t, { isEmpty: true })
    const token = await service.makeToken('evil', 'test')
    const message = `\u202eexe.txt\u0000\u001b[31mred\u001b[0m <script>window.hacked = 1</script> ${'long '.repeat(200_000)}END`
    await service.call('POST', '/api/v1/webhook/event/log', {
      token,
      body: { message, '<img src=x onerror=hacked=1>': '<b>\u2066</b>' },
    })
    for (const size of ['desktop', 'phone'] as const) {
      const { page, complaints } = await open({ role: 'viewer', path: '/logs', size })
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
      t.same(complaints, [])
      await page.context().close()
    }
  },
)
