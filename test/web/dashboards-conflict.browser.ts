import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, sharedSite } from './browser.ts'
import { put, stored } from './dashboards/board-pages.ts'

/** Two people who edit one dashboard, and what the service has of it. */
async function twoEditors(id: string) {
  const all = await sharedSite()
  const path = `${await put(all, id, { widgets: [] })}?edit=1`
  const [mine, theirs] = [
    await all.open({ role: 'editor', path }),
    await all.open({ role: 'editor', path }),
  ]
  for (const { page } of [mine, theirs]) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
  }
  const title = async () => (await stored(all, id))?.metadata.title
  return { all, mine: mine.page, theirs: theirs.page, title, ...mine }
}

async function saveAs(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.keyboard.press('ControlOrMeta+s')
}

const saved = (page: Page) => page.getByText('All saved').waitFor()
const told = (page: Page) => page.getByRole('alert').filter({ hasText: 'somebody else' })
const choose = (page: Page, name: string) => page.getByRole('button', { name }).click()

browserTest(t, 'who saves second is told, and can take what the other has saved', async t => {
  const { mine, theirs, title } = await twoEditors('taken')
  await saveAs(theirs, 'Theirs')
  await saved(theirs)
  await saveAs(mine, 'Mine')
  await told(mine).waitFor()
  t.equal(await title(), 'Theirs', 'nothing is written over')
  t.equal(await mine.getByRole('textbox', { name: 'Title' }).inputValue(), 'Mine')

  await choose(mine, 'Load theirs')
  await mine.getByRole('heading', { name: 'Theirs' }).waitFor()
  await saved(mine)
  await told(mine).waitFor({ state: 'detached' })
  await mine.keyboard.press('ControlOrMeta+z')
  await mine.getByRole('heading', { name: 'Mine' }).waitFor()
  await mine.keyboard.press('ControlOrMeta+s')
  await saved(mine)
  t.equal(await title(), 'Mine', 'who has seen theirs may change it')
})

browserTest(
  t,
  'who saves second can save over the other, unless that has changed again',
  async t => {
    const { all, mine, theirs, title } = await twoEditors('over')
    await saveAs(theirs, 'Theirs')
    await saved(theirs)
    await saveAs(mine, 'Mine')
    await told(mine).waitFor()
    await saveAs(theirs, 'Theirs again')
    await saved(theirs)
    const refused = mine.waitForResponse(answer => answer.status() === 412)
    await choose(mine, 'Overwrite with mine')
    await refused
    t.equal(await title(), 'Theirs again')
    await told(mine).waitFor()
    const load = mine.waitForResponse(answer => answer.url().endsWith('/dashboards/over'))
    await mine.keyboard.press('ControlOrMeta+s')
    await load
    await choose(mine, 'Overwrite with mine')
    await saved(mine)
    t.equal(await title(), 'Mine')

    await all.service.call('DELETE', '/api/v1/dashboards/over')
    await saveAs(mine, 'Mine again')
    await mine.getByText('somebody else has deleted').waitFor()
    t.equal(await mine.getByRole('button', { name: 'Load theirs' }).count(), 0)
    await choose(mine, 'Save as new')
    await saved(mine)
    t.equal(await title(), 'Mine again')
  },
)
