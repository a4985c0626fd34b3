import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, desktopTest, isDrawn, type Site, sharedSite } from './browser.ts'
import { at, group, noGridOnPhones, put, stat, stored, widget } from './dashboards/board-pages.ts'

async function openGrouped(all: Site, id: string) {
  const path = await put(all, id, {
    widgets: [
      stat('Loose', 'count(logs)', at(0, 0, 3, 2)),
      group('Inside', [stat('Kept', 'count(logs)', at(0, 0, 3, 2))], at(0, 2, 12, 4)),
    ],
  })
  const view = await all.open({ role: 'editor', path: `${path}?edit=1` })
  await widget(view.page, 'Kept').waitFor()
  /** Saves, and tells which widgets are where: those of the group in brackets. */
  const places = async () => {
    await view.page.getByRole('button', { name: 'Save', exact: true }).click()
    await view.page.getByText('All saved').waitFor()
    return placesOf((await stored(all, id)).content.widgets)
  }
  return { ...view, places }
}

// biome-ignore lint/suspicious/noExplicitAny: widgets of every type.
function placesOf(widgets: readonly any[]): unknown[] {
  return widgets.map(one => {
    if (one.type === 'group') return placesOf(one.group.widgets)
    return `${one.stat.title} ${Object.values(one.position.absolute).join()}`
  })
}

/** Presses the button on the title of a widget. Where it can be dropped is known once that is drawn. */
async function grab(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await isDrawn(page)
  await page.mouse.move(x + 20, y + 12)
  await page.mouse.down()
}

/** Drags a widget by its title so that its corner comes near a place of the grid of `to`. */
async function drag(page: Page, name: string, to: 'dashboard' | 'group', place: [number, number]) {
  const grid = page.locator(to === 'group' ? '.grid .grid' : '.board-grid > .grid')
  const [from, box] = [(await widget(page, name).boundingBox())!, (await grid.boundingBox())!]
  const x = box.x + ((box.width + 8) / 12) * place[0]
  const y = box.y + 68 * place[1]
  await grab(page, from)
  await page.mouse.move(x + 25, y + 16, { steps: 5 })
}

desktopTest(
  t,
  'a widget is dragged into a group and out of it, and that is undone',
  noGridOnPhones,
  async t => {
    const { page, places } = await openGrouped(await sharedSite(), 'dragged')
    const undo = () => page.getByRole('button', { name: 'Undo' }).click()

    await drag(page, 'Loose', 'group', [6, 0])
    const mark = page.locator('.grid .grid .grid-drop')
    await mark.waitFor()
    await page.keyboard.press('Escape')
    await mark.waitFor({ state: 'detached' })
    await page.mouse.up()
    t.ok(
      await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(),
      'Escape gives up',
    )

    await drag(page, 'Loose', 'group', [6, 0])
    await page.mouse.up()
    await page.locator('.grid .grid').getByRole('heading', { name: 'Loose' }).waitFor()
    t.same(await places(), [['Kept 0,0,3,2', 'Loose 6,0,3,2']])
    await undo()
    t.same(await places(), ['Loose 0,0,3,2', ['Kept 0,0,3,2']])

    await drag(page, 'Kept', 'dashboard', [4, 0])
    await page.mouse.up()
    await page.getByText('This group is empty').waitFor()
    t.same(await places(), ['Loose 0,0,3,2', [], 'Kept 4,0,3,2'])
    await drag(page, 'Kept', 'group', [2, 0])
    await page.mouse.up()
    t.same(await places(), ['Loose 0,0,3,2', ['Kept 2,0,3,2']], 'into an empty group too')
  },
)

desktopTest(
  t,
  'a widget goes into a closed group when dropped on its heading',
  noGridOnPhones,
  async t => {
    const { page, places } = await openGrouped(await sharedSite(), 'closed')
    await page.getByRole('button', { name: 'Close Inside' }).click()
    await widget(page, 'Kept').waitFor({ state: 'detached' })
    const isClosed = async () => {
      await page.getByRole('button', { name: 'Open Inside' }).waitFor()
      t.equal(await widget(page, 'Kept').count(), 0)
    }
    const heading = page.getByRole('heading', { name: 'Inside' })
    const dragToHeading = async () => {
      const [from, to] = [
        (await widget(page, 'Loose').boundingBox())!,
        (await heading.boundingBox())!,
      ]
      await grab(page, from)
      await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 5 })
      await page.locator('.widget-drop').getByRole('heading', { name: 'Inside' }).waitFor()
    }
    await dragToHeading()
    await page.keyboard.press('Escape')
    await page.locator('.widget-drop').waitFor({ state: 'detached' })
    await page.mouse.up()
    t.ok(await widget(page, 'Loose').isVisible(), 'Escape gives up')

    await dragToHeading()
    await page.mouse.up()
    await page.getByText('Moved “Loose” into “Inside”').waitFor()
    await widget(page, 'Loose').waitFor({ state: 'detached' })
    await isClosed()
    t.same(await places(), [['Kept 0,0,3,2', 'Loose 3,0,3,2']], 'where there is room')
    await page.getByRole('button', { name: 'Undo' }).click()
    await widget(page, 'Loose').waitFor()
    await isClosed()
    t.same(await places(), ['Loose 0,0,3,2', ['Kept 0,0,3,2']])
  },
)

browserTest(t, 'by keys alone a widget goes into a group and out of it', async t => {
  const { page, places } = await openGrouped(await sharedSite(), 'by-keys')
  await page.getByRole('button', { name: 'Edit Loose' }).focus()
  await page.keyboard.press('Enter')
  const stands = page.getByRole('combobox', { name: 'Stands' })
  await stands.focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('.grid .grid').getByRole('heading', { name: 'Loose' }).waitFor()
  await page.locator('.side-panel:focus').waitFor() // It is still about this widget.
  t.same(await places(), [['Kept 0,0,3,2', 'Loose 3,0,3,2']], 'where there is room')
  t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Loose')

  await stands.focus()
  await page.keyboard.press('ArrowUp')
  t.same(await places(), [['Kept 0,0,3,2'], 'Loose 0,0,3,2'])
  await page.keyboard.press('ControlOrMeta+z')
  t.same(await places(), [['Kept 0,0,3,2', 'Loose 3,0,3,2']])
})
