import t from 'tap'
import { browserTest, desktopTest, sharedSite } from './browser.ts'
import { at, noGridOnPhones, put, stat, stored, widget } from './dashboards/board-pages.ts'

browserTest(
  t,
  'what is edited and saved is there after loading again, and all else is as it was',
  async t => {
    const all = await sharedSite()
    const id = '90071992547409931234'
    const own = stat('Old', 'count(logs)', at(0, 0, 3, 2))
    const path = await put(all, 'edited', { widgets: [{ ...own, unknown: { a: [1] } }] })
    const text = JSON.stringify({ dashboard: await stored(all, 'edited') }).replace(
      '"unknown":{',
      `"unknown":{"id":${id},`,
    )
    await all.service.call('POST', '/api/v1/dashboards/update', { body: text })

    const { page } = await all.open({ role: 'editor', path })
    await widget(page, 'Old').waitFor()
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Edit Old' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('New')
    const box = page.getByRole('textbox', { name: 'Query' })
    await box.fill('count(logs{log_level=})')
    await page.keyboard.press('Escape')
    await box.press('Enter')
    await page.locator('.side-panel [role=alert]').getByText('expected a string').waitFor()
    await box.fill('count_distinct(logs | unwrap service.name)')
    await page.keyboard.press('Escape')
    await box.press('Enter')
    await page.getByRole('combobox', { name: 'Reduce to one value' }).selectOption('Largest')
    await widget(page, 'New').getByText('3', { exact: true }).waitFor()
    await page.getByText('Not saved').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('All saved').waitFor()
    await page.reload()
    await widget(page, 'New').getByText('3', { exact: true }).waitFor()

    const answer = await fetch(`${all.service.url}/api/v1/dashboards/edited`, {
      headers: { authorization: `Bearer ${all.keys.viewer}` },
    })
    const saved = await answer.text()
    t.match(saved, `"unknown":{"id":${id},"a":[1]}`, 'unknown members keep every digit')
    const [only] = JSON.parse(saved).dashboard.content.widgets
    t.equal(only.stat.expression.metoroQLQuery.query, 'count_distinct(logs | unwrap service.name)')
    t.equal(only.stat.expression.reduceAggregation, 'max')
  },
)

browserTest(
  t,
  'by keys alone a widget is added, moved, sized and saved, and steps are undone',
  async t => {
    const all = await sharedSite()
    const path = await put(all, 'keys', { widgets: [stat('First', 'count(logs)', at(0, 0, 3, 2))] })
    const { page } = await all.open({ role: 'editor', path: `${path}?edit=1` })
    const places = async () => {
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('All saved').waitFor()
      const { content } = await stored(all, 'keys')
      return content.widgets.map(({ position: { absolute } }: { position: { absolute: object } }) =>
        Object.values(absolute).join(),
      )
    }
    await page.getByRole('button', { name: 'Add widget' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.role === 'menuitem')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await widget(page, 'Records').waitFor()
    t.same(await places(), ['0,0,3,2', '3,0,3,2'])

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Move First/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowLeft')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    t.match(await focused(), 'Move First', 'the focus goes along')
    await page.getByText('column 3, row 1, 2 wide, 3 high').waitFor({ state: 'attached' })
    t.same(await places(), ['2,0,2,3', '3,3,3,2'], 'the other one made room')

    await page.keyboard.press('ControlOrMeta+z')
    t.same(await places(), ['0,0,3,2', '3,0,3,2'], 'moves that follow each other are one step')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    t.same(await places(), ['2,0,2,3', '3,3,3,2'])
  },
)

desktopTest(
  t,
  'a widget that is dragged snaps to the grid, and Escape gives up',
  noGridOnPhones,
  async t => {
    const all = await sharedSite()
    const path = await put(all, 'dragged', {
      widgets: [stat('First', 'count(logs)', at(0, 0, 3, 2))],
    })
    const { page } = await all.open({ role: 'editor', path: `${path}?edit=1` })
    const header = page.locator('.widget-header')
    const drag = async (fromX: number, fromY: number, dx: number, dy: number) => {
      await page.mouse.move(fromX, fromY)
      await page.mouse.down()
      await page.mouse.move(fromX + dx, fromY + dy, { steps: 4 })
    }
    const box = (await header.boundingBox())!
    const column = (page.viewportSize()!.width - 32 + 8) / 12
    await drag(box.x + 20, box.y + 10, column * 3.2, 70)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    t.equal((await header.boundingBox())!.x, box.x)
    await drag(box.x + 20, box.y + 10, column * 3.2, 70)
    await page.mouse.up()
    const corner = (await page.locator('.widget-corner').boundingBox())!
    await drag(corner.x + 8, corner.y + 8, column * 20, 140)
    await page.mouse.up()
    const places = async () => {
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('All saved').waitFor()
      return (await stored(all, 'dragged')).content.widgets[0].position.absolute
    }
    t.same(await places(), { x: 3, y: 1, w: 9, h: 4 })
    const grip = (await page.getByRole('button', { name: /^Move First/ }).boundingBox())!
    await drag(grip.x + 8, grip.y + 8, -column * 2, 70)
    await page.mouse.up()
    await page.keyboard.press('ArrowDown')
    t.same(await places(), { x: 1, y: 3, w: 9, h: 4 }, 'the grip drags, too; keys go on from there')
  },
)

browserTest(t, 'a finger drags a widget by its grip', async t => {
  const all = await sharedSite()
  const path = await put(all, 'touched', {
    widgets: [
      stat('Low', 'count(logs)', at(0, 4, 3, 2)),
      stat('Left', 'count(logs)', at(0, 0, 3, 2)),
      stat('Right', 'count(logs)', at(3, 0, 3, 2)),
    ],
  })
  const view = { role: 'editor', path: `${path}?edit=1`, size: 'phone' } as const
  const { page } = await all.open(view)
  const wire = await page.context().newCDPSession(page)
  const grip = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}:`) })
  const drag = async (name: string, dx: number, dy: number) => {
    const box = (await grip(name).boundingBox())!
    const touch = (type: string, part: number) => {
      const [x, y] = [box.x + box.width / 2 + dx * part, box.y + box.height / 2 + dy * part]
      return wire.send('Input.dispatchTouchEvent', {
        type: type as 'touchMove',
        touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      })
    }
    await touch('touchStart', 0)
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', part)
    await touch('touchEnd', 1)
    await page.getByText('Not saved').waitFor()
  }
  const tops = async (...names: string[]) => {
    const boxes = await Promise.all(names.map(name => widget(page, name).boundingBox()))
    return boxes.map(box => Math.round(box!.y))
  }
  const saved = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All saved').waitFor()
    const { content } = await stored(all, 'touched')
    return content.widgets.map(({ position }: { position: { absolute: object } }) =>
      Object.values(position.absolute).join(),
    )
  }
  await widget(page, 'Low').waitFor()
  const before = await tops('Left', 'Right', 'Low')
  t.same(
    before,
    before.toSorted((a, b) => a - b),
    'one below the other in reading order',
  )
  await drag('Left', 0, before[1]! - before[0]! + 20)
  const after = await tops('Right', 'Left', 'Low')
  t.same(after, before, 'it stands between the others')
  t.same(await saved(), ['0,4,3,2', '3,0,3,2', '0,0,3,2'])

  await page.setViewportSize({ width: 1_024, height: 768 })
  await widget(page, 'Right').waitFor()
  await drag('Low', 300, 0)
  const [low, ...others] = await saved()
  t.match(low, /^[34],4,3,2$/)
  t.same(others, ['3,0,3,2', '0,0,3,2'])
  const header = page.locator('.widget-header').first()
  const touchAction = await header.evaluate(one => getComputedStyle(one).touchAction)
  t.equal(touchAction, 'auto', 'a finger on the title scrolls the page')
})

browserTest(t, 'who leaves with changes is asked', async t => {
  const all = await sharedSite()
  const path = await put(all, 'leaving', { widgets: [] })
  const { page } = await all.open({ role: 'editor', path: `${path}?edit=1` })
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Changed')
  const asked: string[] = []
  const answers = [false, true]
  page.on('dialog', dialog => {
    asked.push(dialog.message())
    void (answers.shift() ? dialog.accept() : dialog.dismiss())
  })
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  t.match(page.url(), path, 'who says no stays')
  t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Changed')
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.waitForURL('**/logs**')
  t.equal(asked.length, 2)
})

browserTest(t, 'the JSON can be changed, and what is no dashboard is not applied', async t => {
  const all = await sharedSite()
  const path = await put(all, 'as-json', { widgets: [stat('One', 'count(logs)', at(0, 0, 3, 2))] })
  const { page } = await all.open({ role: 'editor', path: `${path}?edit=1` })
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  const area = page.getByRole('textbox', { name: 'JSON' })
  const text = await area.inputValue()
  const apply = page.getByRole('button', { name: 'Apply' })
  await area.fill('{"content": {"widgets": 1}}')
  t.ok(await apply.isDisabled())
  await page.getByText('"content.widgets" must be a list').waitFor()
  await area.fill(text.replace('"One"', '"Two"'))
  await apply.click()
  await widget(page, 'Two').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await widget(page, 'One').waitFor()
})

browserTest(t, 'a variable that is added offers its values, and is saved', async t => {
  const all = await sharedSite()
  const query = 'count(logs{log_level=~"$level"})'
  const path = await put(all, 'variables', { widgets: [stat('Count', query, at(0, 0, 3, 2))] })
  const { page } = await all.open({ role: 'editor', path: `${path}?edit=1` })
  await page.getByRole('button', { name: 'Variables', exact: true }).click()
  await page.getByRole('button', { name: 'Add a variable' }).click()
  const field = (name: string) => page.getByRole('textbox', { name })
  await field('Name').fill('not a name')
  await page.locator('.field-error', { hasText: 'letters, digits' }).waitFor()
  await field('Name').fill('level')
  await field('Values of the attribute').fill('log_level')
  await page.getByRole('button', { name: 'level: all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^warn/ }).click()
  await page.waitForURL('**var.level=warn')
  await widget(page, 'Count')
    .getByText(/^2\d\d$/)
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All saved').waitFor()
  t.match((await stored(all, 'variables')).content.variables, [
    { name: 'level', selectorSettings: { attribute: 'log_level' } },
  ])
})
