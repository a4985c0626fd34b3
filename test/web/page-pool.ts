/**
 * Pages that tests are done with, for the next that want such one. To begin a page of a profile of its own
 * takes three times as long as to load the service's page in one that is there.
 */
import type { EventEmitter } from 'node:events'
import type { BrowserContext, Dialog, Page } from 'playwright-core'

interface Pooled {
  /** Of what a page like it is opened with. */
  readonly key: string
  readonly page: Page
  /** Without those of a test. */
  readonly listeners: number
}

/** How many listen to what tests listen to. (It is an emitter, of which its types name a part only.) */
function listenersOf(page: Page): number {
  const emitter = page as unknown as EventEmitter
  return emitter.listenerCount('dialog') + emitter.listenerCount('request')
}

const used: Pooled[] = []
const kept: Pooled[] = []

/** A page that was opened with what `key` says, as empty as a new one; undefined when there is none. */
export function takePage(key: string): Page | undefined {
  const at = kept.findIndex(one => one.key === key)
  if (at === -1) return
  const [pooled] = kept.splice(at, 1)
  used.push(pooled!)
  return pooled!.page
}

/** From now on `page` is one that `emptyPages` keeps, or closes with its profile. */
export function addPage(key: string, page: Page): void {
  used.push({ key, page, listeners: listenersOf(page) })
}

/** Keeps each page that a test has used, without what it left there; closes all others of these profiles. */
export async function emptyPages(contexts: readonly BrowserContext[]): Promise<void> {
  const over = used.splice(0)
  const emptied = await Promise.all(over.map(one => isEmptied(one).catch(() => false)))
  kept.push(...over.filter((_, i) => emptied[i]))
  const isKept = (context: BrowserContext) => kept.some(({ page }) => page.context() === context)
  await Promise.all(contexts.filter(context => !isKept(context)).map(context => context.close()))
}

/** Whether the page is as a new one of its profile now. Not so when a test has changed what stays with it. */
async function isEmptied({ page, listeners }: Pooled): Promise<boolean> {
  const context = page.context()
  if (page.isClosed() || context.pages().length > 1) return false
  if (listenersOf(page) !== listeners) return false
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.mouse.move(0, 0)
  const accept = (dialog: Dialog) => void dialog.accept() // What was not saved may be lost.
  page.on('dialog', accept)
  // An address of the service without a page: elsewhere, the browser would begin a process for each.
  await page.goto('/health')
  page.off('dialog', accept)
  await context.clearCookies()
  return page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    return /native code/.test(String(setTimeout)) // Not those of a clock of the test's own.
  })
}
