/** Goes through states of the page, each of which axe looks at. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { isLong, seed } from '../long-runs.ts'
import type { Site, TestRole, View } from './browser.ts'
import { violations } from './violations.ts'

export interface State {
  readonly name: string
  readonly path: string
  /** The admin when left out, nobody when undefined. */
  readonly role?: TestRole | undefined
  /** From the page at the path to the state. */
  reach(page: Page): Promise<unknown>
}

/** The size that axe looks at today; at the other one, which has most of the page in common, tomorrow. */
const sizeOfAxe = seed % 2 === 0 ? 'desktop' : 'phone'

/**
 * In each state the window does not scroll sideways, and axe finds nothing wrong, neither light nor dark: at
 * one size in an ordinary run, another one each day, and at both in a long one.
 */
export async function areAllRight(
  t: Test,
  { open }: Site,
  size: 'desktop' | 'phone',
  states: readonly State[],
): Promise<void> {
  const views = new Map<TestRole | undefined, View>()
  for (const { name, path, reach, ...own } of states) {
    const role = 'role' in own ? own.role : 'admin'
    const view = views.get(role) ?? (await open({ role, theme: 'light', size, path }))
    const { page } = view
    if (views.has(role)) await walkTo(page, path)
    else page.on('dialog', dialog => void dialog.accept()) // It asks before changes are thrown away.
    views.set(role, view)
    await page.locator('h1').first().waitFor({ state: 'attached' })
    await reach(page)
    if (isLong || size === sizeOfAxe) t.same(await violations(page), [], `${name}, ${size}`)
    const { width } = page.viewportSize()!
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, name)
  }
}

/**
 * Goes there as a link does, which takes a third of the time that loading takes; by way of an address that
 * leads nowhere, and after Escape, so that nothing is left open of the state before.
 */
async function walkTo(page: Page, path: string): Promise<void> {
  const step = (to: string) =>
    page.evaluate(address => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, to)
  await page.keyboard.press('Escape')
  await step('/nowhere')
  await page.getByText('Page not found').waitFor()
  await step(path)
}
