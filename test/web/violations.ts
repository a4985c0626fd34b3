/** Accessibility of the page as it is shown, by axe. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isDrawn } from './browser.ts'

/** The rules that a theme can break: everything else is the same in both. */
const rulesOfColors = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds wrong, in short, with a page that was opened in the light theme: as it is, and what its
 * colours do when the system changes to dark. It is light again afterwards.
 */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const light = await found(page)
  await changeTheme(page, 'dark')
  const dark = await found(page, rulesOfColors)
  await changeTheme(page, 'light')
  return [...light.map(one => `light: ${one}`), ...dark.map(one => `dark: ${one}`)]
}

async function found(page: Page, rules?: readonly string[]): Promise<string[]> {
  const all = await page.evaluate(async runOnly => {
    // biome-ignore lint/suspicious/noExplicitAny: put there before.
    const { axe } = window as any
    // All that is right is left out: to describe it takes most of the time.
    const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
    return (await axe.run(options)).violations
  }, rules)
  return all.flatMap(
    ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
}

/** Resolves when the page is drawn in the theme, and its colours have stopped moving. */
async function changeTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`:root[data-theme="${theme}"]`).waitFor()
  await isDrawn(page)
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
  )
}
