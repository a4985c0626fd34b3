import t from 'tap'
import { browserTest, openShared, sharedSite } from './browser.ts'
import { starterLogs, stored, widget } from './dashboards/board-pages.ts'

browserTest(
  t,
  'a dashboard is made, found, copied, exported, deleted and brought back',
  async t => {
    const all = await sharedSite()
    const { page } = await all.open({ role: 'editor', path: '/dashboards' })
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.waitForURL('**edit=1&new=1')
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Night watch')
    await page.getByRole('textbox', { name: 'Folder' }).fill('/dashboards/night')
    await page.getByText('begin and end it with a slash').waitFor()
    await page.getByRole('textbox', { name: 'Folder' }).fill('/dashboards/night/')
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('All saved').waitFor()

    await page.getByRole('link', { name: 'dashboards › night' }).click()
    const listed = page.getByRole('link', { name: 'Night watch' })
    await listed.waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('watch night')
    t.same(await page.locator('main').getByRole('table').getByRole('link').allInnerTexts(), [
      'Night watch',
    ])
    const menu = page.getByRole('button', { name: 'More about Night watch' })
    await menu.click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export JSON' }).click()
    t.equal((await download).suggestedFilename(), 'Night-watch.json')
    const file = await (await download).path()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted “Night watch”').waitFor()
    t.equal(await stored(all, id), undefined)
    await listed.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Night watch” is back').waitFor()
    t.equal((await stored(all, id)).metadata.folderPath, '/dashboards/night/')
    await listed.waitFor() // The list is what tells that an id is taken.

    await page.getByLabel('A dashboard as JSON').setInputFiles(file)
    await page.getByText('the id is already in use').waitFor()
    await page.getByRole('heading', { name: 'Night watch' }).waitFor()
    t.not(new URL(page.url()).pathname.split('/').at(-1), id)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Night watch (copy)' }).waitFor()
  },
)

browserTest(t, 'a new dashboard is stored when it is saved first, and not before', async t => {
  const all = await sharedSite()
  const { page } = await all.open({ role: 'editor', path: '/dashboards' })
  const asked: string[] = []
  let answer = true
  page.on('dialog', dialog => {
    asked.push(dialog.message())
    void (answer ? dialog.accept() : dialog.dismiss())
  })
  const newButton = page.getByRole('button', { name: 'New', exact: true })
  const make = async () => {
    await newButton.click()
    await page.getByText('Not saved yet').waitFor()
    return new URL(page.url()).pathname.split('/').at(-1)!
  }
  const toList = () => page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  const untouched = await make()
  await toList()
  await newButton.waitFor()
  t.same(asked, [], 'nothing is lost')
  t.equal(await stored(all, untouched), undefined)
  t.equal(await page.getByRole('link', { name: 'New dashboard' }).count(), 0)

  const changed = await make()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Thrown away')
  answer = false
  await toList()
  await page.getByRole('button', { name: 'Discard' }).click()
  t.match(asked, [/never saved/, /never saved/])
  t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Thrown away')
  answer = true
  await page.getByRole('button', { name: 'Discard' }).click()
  await newButton.waitFor()
  t.equal(await stored(all, changed), undefined)

  const kept = await make()
  await page.reload()
  await page.getByText('Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All saved').waitFor()
  t.equal((await stored(all, kept)).metadata.title, 'New dashboard', 'as it is')
  t.notMatch(page.url(), 'new=')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Kept')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('All saved').waitFor()
  await toList()
  await page.getByRole('link', { name: 'Kept' }).waitFor()
  t.equal((await stored(all, kept)).metadata.title, 'Kept')
})

browserTest(t, 'a viewer sees nothing to edit, whatever the address says', async t => {
  const { page } = await openShared({ role: 'viewer', path: `${starterLogs}?edit=1` })
  await widget(page, 'Services').locator('.stat').waitFor()
  t.equal(await page.getByRole('toolbar').count(), 0)
  t.equal(await page.getByRole('button', { name: /^(Edit|Move|Save|Remove)/ }).count(), 0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  t.same(await page.getByRole('menuitem').allInnerTexts(), [
    'Full screen',
    'Show as JSON',
    'Export JSON',
  ])
  await page.goto('/dashboards')
  await page.getByRole('table').first().waitFor()
  t.equal(await page.getByRole('button', { name: /^(New|Import)/ }).count(), 0)
})
