/**
 * The page in a real browser, against a real service with real records. Needs a Chromium on this machine;
 * without one the tests that use it say so and are left out. Pages open in the look of the run
 * (`looks.ts`), where a test does not choose itself; the titles of the tests name it.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { t as root, type Test } from 'tap'
import { buildPage } from '../../src/build/page.js'
import { directoryOfProcess } from '../directory-of-process.ts'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { type LookParts, lookOfRun, partsOf } from './looks.ts'
import { addPage, emptyPages, takePage } from './page-pool.ts'
import { sampleEvents } from './sample-events.ts'

/** The first does without the windows of a browser, which take half of its time and are seen by nobody. */
const browserPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const browserPath = [process.env.CHROMIUM_PATH ?? '', ...browserPaths].find(existsSync)

/** Why browser tests cannot run here; undefined when they can. */
export const leftOut =
  browserPath === undefined
    ? 'no Chromium on this machine (CHROMIUM_PATH names one): the browser tests are left out'
    : undefined

const runLook = lookOfRun(process.argv[1] ?? '', process.env.LOGSTRATA_LOOK)
const ownLook: LookParts = partsOf(runLook === 'all' ? 'light-desktop' : runLook)

/**
 * What should never happen on the pages of the test that runs: errors in the console (a breach of the CSP is
 * one), requests elsewhere.
 */
let complaints: string[] = []

/** A test in the browser, which fails when a page complains; left out, and said so, where there is none. */
export function browserTest(t: Test, title: string, run: (t: Test) => Promise<void>): void {
  const inLook = runLook === 'all' ? title : `${title} (${runLook})`
  t.test(inLook, leftOut === undefined ? {} : { skip: leftOut }, async t => {
    complaints = []
    try {
      await run(t)
      t.same(complaints, [], 'the pages have nothing to complain of')
    } finally {
      await leavePages()
    }
  })
}

/** Ends with the pages that a test has opened: those that nobody looks at would go on asking the service. */
export async function leavePages(): Promise<void> {
  await emptyPages((await launched)?.contexts() ?? [])
}

/**
 * A test of what there is on a desktop only, such as a drag by the mouse over the grid: in the looks of a
 * phone it is left out, and the output says why.
 */
export function desktopTest(
  t: Test,
  title: string,
  whyNotOnPhones: string,
  run: (t: Test) => Promise<void>,
): void {
  if (ownLook.size === 'desktop') browserTest(t, title, run)
  else t.test(`${title} (${runLook})`, { skip: whyNotOnPhones }, run)
}

export type TestRole = 'viewer' | 'editor' | 'admin'

export interface ViewOptions {
  /** Signed in with this role; nobody when undefined. */
  readonly role?: TestRole | undefined
  /** Of the run's look when left out. */
  readonly theme?: LookParts['theme']
  readonly size?: LookParts['size']
  readonly path?: string
  /** Where the browser is, such as `America/New_York`; where this machine is when left out. */
  readonly timezone?: string
}

export interface View {
  readonly page: Page
  readonly isPhone: boolean
}

export interface Site {
  readonly service: ServiceProcess
  readonly dataDir: string
  readonly keys: Readonly<Record<TestRole, string>>
  /** A page in a browser profile of its own. */
  open(options?: ViewOptions): Promise<View>
  /** Ends the service and starts it again at the same address; with the option `canRestart` only. */
  restart(): Promise<void>
}

const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
} as const

let shared: Promise<Site> | undefined

/**
 * The site with records that all tests of this process share, begun by the first that asks for it: a
 * service and a browser take seconds to start. A test may add to it under names of its own. What it
 * changes else, all that come after it find so: it takes a site of its own.
 */
export function sharedSite(): Promise<Site> {
  shared ??= startSite(root)
  return shared
}

/** A view of the site that all share. */
export async function openShared(...asked: Parameters<Site['open']>): Promise<View> {
  return (await sharedSite()).open(...asked)
}

/** The same by a viewer of the logs, which have their first rows. */
export async function openLogs(path = '/logs'): Promise<View> {
  const view = await openShared({ role: 'viewer', path })
  await view.page.locator('.log-row').first().waitFor()
  return view
}

/** Where a query is shown; `more` such as `&columns=host`. */
export const at = (query: string, more = '') => `/logs?query=${encodeURIComponent(query)}${more}`

/** A site for the tests of one file. */
export function siteOfFile(options: SiteOptions): () => Promise<Site> {
  let site: Promise<Site> | undefined
  return () => {
    site ??= startSite(root, options)
    return site
  }
}

interface SiteOptions {
  /** Without any record. */
  readonly isEmpty?: boolean
  /** At a port chosen beforehand: one that the system chose cannot be taken again at once. */
  readonly canRestart?: boolean
  /** Of the service. */
  readonly flags?: readonly string[]
}

/** A machine under load may take so long to show something, ms. */
const patienceMs = 60_000

let siteCount = 0

/** A service with a few thousand records of the last hour, for this test alone. It ends with it. */
export async function startSite(t: Test, options: SiteOptions = {}): Promise<Site> {
  await buildPage()
  siteCount += 1
  const dataDir = directoryOfProcess(`site-${siteCount}`)
  const port = options.canRestart ? ['--port', String(await freePort())] : []
  const start = { flags: [...port, ...(options.flags ?? [])] }
  const service = await startService(dataDir, start)
  let running = service
  t.teardown(() => running.end())
  const restart = async () => {
    await running.end()
    running = await startService(dataDir, start)
  }
  const [browser, editor, viewer] = await Promise.all([
    theBrowser(),
    service.makeKey('editor'),
    service.makeKey('viewer'),
    options.isEmpty ? undefined : fill(service),
  ])
  const keys = { admin: adminKey, editor, viewer }
  return { service, dataDir, keys, open: view => open(browser, service, keys, view), restart }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function fill(service: ServiceProcess): Promise<void> {
  const sent = sampleEvents(Date.now()).map(async ({ serviceName, environment, events }) => {
    const token = await service.makeToken(serviceName, environment)
    await service.send(token, events, 'time')
  })
  await Promise.all(sent)
}

let launched: Promise<Browser> | undefined

/** One for the whole process: pages have profiles of their own anyway. */
function theBrowser(): Promise<Browser> {
  if (launched === undefined) {
    launched = launch()
    root.teardown(async () => (await launched)?.close())
  }
  return launched
}

function launch(): Promise<Browser> {
  // As root, in containers and in CI, Chromium's own sandbox cannot start.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // To draw without a process that stands in for a graphics card takes a fifth less.
  const args = [...sandbox, '--disable-gpu']
  return chromium.launch({ executablePath: browserPath!, args, timeout: patienceMs })
}

async function open(
  browser: Browser,
  service: ServiceProcess,
  keys: Site['keys'],
  { role, path = '/', timezone, ...look }: ViewOptions = {},
): Promise<View> {
  const parts = { ...ownLook, ...look }
  const key = JSON.stringify([service.url, role, parts, timezone])
  const page = takePage(key) ?? (await newPage(key, browser, service.url, parts, timezone))
  if (role !== undefined) {
    await page.context().request.post('/api/v1/session', { data: { key: keys[role] } })
  }
  await page.setViewportSize(sizes[parts.size])
  await page.emulateMedia({ colorScheme: parts.theme })
  await page.goto(path)
  return { page, isPhone: parts.size === 'phone' }
}

async function newPage(
  key: string,
  browser: Browser,
  baseURL: string,
  { theme, size }: LookParts,
  timezoneId: string | undefined,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: size === 'phone',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(timezoneId === undefined ? {} : { timezoneId }),
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  page.on('pageerror', error => complaints.push(`error: ${error.message}`))
  page.on('console', message => {
    // The browser tells of every 4xx; those that the page expects are no complaint.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    const url = new URL(request.url())
    const isOwn = url.origin === baseURL || url.protocol === 'data:'
    if (!isOwn) complaints.push(`request elsewhere: ${request.url()}`)
  })
  addPage(key, page)
  return page
}

/** A field comes to hold a text: what a key or an address brings is drawn a moment later. */
export async function holds(t: Test, field: Locator, text: string): Promise<void> {
  const givenUpAt = performance.now() + 10_000
  while ((await field.inputValue()) !== text && performance.now() < givenUpAt) await delay(20)
  t.equal(await field.inputValue(), text)
}

/** Presses keys that follow one another at once, however slow this machine is: `g` and then `l`. */
export async function pressSequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map(key => page.keyboard.press(key)))
}

/** Waits until what has changed is drawn, and what the page does after that is done: effects of hooks. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))
}

/** Waits until the log viewer has its rows, and its histogram has their levels. */
export async function logsAreShown(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await page.getByRole('list', { name: 'Levels' }).getByRole('button').first().waitFor()
}
