/**
 * How fast is the page? `node bench/page.ts [--count 2000000] [--seed 1] [--runs 7] [--json FILE]
 * [--quick]`, over the data of `query.ts`, in Chromium without a window.
 *
 * First view: from the start of the navigation to rows on the screen, in a browser profile that has
 * nothing cached (cold) and one that has (warm), median of the runs. Weight: bytes of the page and its
 * assets as they came over the wire. Scrolling: the list is pushed down by 600 pixels a frame, more rows
 * being loaded at its end, until 100,000 were loaded; then up and down over all of them; what counts is
 * the time between frames. A trace then tells what CPU a frame costs: at a speed that people scroll at, at
 * one where half of the screen is new in every frame, and at one that replaces all of it.
 */
import { existsSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { dataOptions, readOptions } from './options.ts'
import { type CostKind, costKinds, traceFrames } from './page-trace.ts'
import { dataRange, openData } from './query-data.ts'
import { type BenchRow, writeResults } from './results.ts'
import { adminKey } from './service.ts'
import { machineLine, median, millis, percentile, printTable, whole } from './table.ts'

const { count, seed, runs, fresh: isFresh, json, quick: isQuick } = readOptions(dataOptions)
const rowsWanted = isQuick ? 20_000 : 100_000

const executablePath = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium'].find(existsSync)
if (executablePath === undefined) throw new Error('no Chromium; CHROMIUM_PATH may name one')

const data = await openData({ seed, count, isFresh, keepsMessages: false, isQuick })
const { service } = data
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath, args })
const { startTime, endTime } = dataRange(count)
const range = new URLSearchParams({
  from: new Date(startTime).toISOString(),
  to: new Date(endTime).toISOString(),
})
const path = `/logs?${range}`

/** A profile of its own, signed in. */
async function profile(): Promise<BrowserContext> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: service.baseUrl, viewport })
  const answer = await context.request.post('/api/v1/session', { data: { key: adminKey } })
  if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`)
  return context
}

interface FirstView {
  readonly rowsMs: number
  readonly bytes: number
}

async function firstView(context: BrowserContext): Promise<FirstView> {
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send('Network.enable')
  const isOurs = new Set<string>()
  let bytes = 0
  wire.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.includes('/api/')) isOurs.add(requestId)
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (isOurs.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForSelector('.log-row')
  // In the page's own clock, whose zero is the start of the navigation.
  const rowsMs = await page.evaluate(
    () => new Promise<number>(done => requestAnimationFrame(() => done(performance.now()))),
  )
  await page.close()
  return { rowsMs, bytes }
}

/** Pushes the list by so many pixels a frame for some frames; returns the times between frames, ms. */
function scroll(page: Page, pixels: number, frames: number): Promise<number[]> {
  return page.evaluate(
    ([pixels, frames]) =>
      new Promise<number[]>(done => {
        const list = document.querySelector('.virtual-list')!
        const times: number[] = []
        let last: number | undefined
        const push = (now: number) => {
          if (last !== undefined) times.push(now - last)
          last = now
          list.scrollTop += pixels!
          if (times.length < frames!) requestAnimationFrame(push)
          else done(times)
        }
        requestAnimationFrame(push)
      }),
    [pixels, frames],
  )
}

const rowsLoaded = (page: Page) =>
  page.evaluate(() => Math.round(document.querySelector('.virtual-list')!.scrollHeight / 24))

const cold: FirstView[] = []
const warm: FirstView[] = []
for (let run = 0; run < runs; run++) {
  const context = await profile()
  cold.push(await firstView(context))
  warm.push(await firstView(context))
  await context.close()
}

const context = await profile()
const page = await context.newPage()
await page.goto(path)
await page.waitForSelector('.log-row')
const whileLoading: number[] = []
while ((await rowsLoaded(page)) < rowsWanted) {
  whileLoading.push(...(await scroll(page, 600, 30)))
  if (process.stderr.isTTY) process.stderr.write(`\r${whole(await rowsLoaded(page))} rows loaded`)
}
const loaded = await rowsLoaded(page)
const overAll = [...(await scroll(page, -1_200, 600)), ...(await scroll(page, 900, 600))]

interface TracedScroll {
  readonly pixels: number
  /** Ms of CPU per frame. */
  readonly costs: Readonly<Record<CostKind, number>>
}
const traced: TracedScroll[] = []
for (const pixels of [-120, -480, -900]) {
  const { frames, costs } = await traceFrames(browser, async () => {
    await scroll(page, pixels, 300)
  })
  const ofFrame = costKinds.map(kind => [kind, costs[kind] / frames] as const)
  traced.push({ pixels, costs: Object.fromEntries(ofFrame) as Record<CostKind, number> })
}

await browser.close()
await service.stop()

console.log(`${machineLine()}; ${whole(count)} records; Chromium ${browser.version()}\n`)
/** Raster is the work of others. */
const mainThread = (costs: Readonly<Record<CostKind, number>>) =>
  costKinds.reduce((sum, kind) => sum + (kind === 'raster' ? 0 : costs[kind]), 0)
const times = (views: readonly FirstView[]) => views.map(({ rowsMs }) => rowsMs)
const views = (name: string, list: readonly FirstView[]) => [
  name,
  millis(median(times(list))),
  millis(Math.max(...times(list))),
  whole(median(list.map(({ bytes }) => bytes)) / 1024),
]
printTable('First view: | Rows after ms | Slowest ms | KiB of page', [
  views('nothing cached', cold),
  views('page cached', warm),
])
const frames = (name: string, list: readonly number[]) => [
  name,
  whole(list.length),
  millis(percentile(list, 50)),
  millis(percentile(list, 95)),
  millis(percentile(list, 99)),
]
console.log('')
printTable('Scrolling: | Frames | p50 ms | p95 ms | p99 ms', [
  frames('while rows are loaded', whileLoading),
  frames(`over ${whole(loaded)} rows`, overAll),
])
console.log('')
printTable(
  ['CPU of a frame, ms:', 'main thread', ...costKinds],
  traced.map(({ pixels, costs }) => [
    `${Math.abs(pixels)} px a frame`,
    mainThread(costs).toFixed(1),
    ...costKinds.map(kind => costs[kind].toFixed(1)),
  ]),
)
console.log(
  '\nto reach: rows after 1,000 ms, 200 KiB, 60 frames a second (16.7 ms of the main thread)',
)

const viewRow = (work: string, list: readonly FirstView[]): BenchRow => ({
  work,
  measures: { 'rows after ms': times(list), 'page KiB': list.map(({ bytes }) => bytes / 1024) },
})
const scrollRow = (work: string, list: readonly number[]): BenchRow => ({
  work,
  measures: {
    'between frames p50 ms': [percentile(list, 50)],
    'between frames p95 ms': [percentile(list, 95)],
    'between frames p99 ms': [percentile(list, 99)],
  },
})
writeResults(json, {
  bench: 'page',
  conditions: { count, seed, rowsWanted },
  rows: [
    viewRow('nothing cached', cold),
    viewRow('page cached', warm),
    scrollRow('while rows are loaded', whileLoading),
    scrollRow('over all rows', overAll),
    ...traced.map(({ pixels, costs }) => ({
      work: `${Math.abs(pixels)} px a frame`,
      measures: { 'main thread of a frame ms': [mainThread(costs)] },
    })),
  ],
})
