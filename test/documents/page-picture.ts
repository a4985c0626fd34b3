/**
 * Takes the picture of the front page, `src/web/logs.png`: the page in a real browser, over the made events of
 * `--demo`. Run by hand when the page looks different: `npm run docs:picture`, with `CHROMIUM_PATH` where
 * Chromium is not at Debian's place.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { adminKey, startService } from '../service/service-process.ts'
import { projectRoot } from './markdown.ts'

const picturePath = join(projectRoot, 'src/web/logs.png')
const query = 'logs{environment="demo"}'
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'

const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-picture-'))
const service = await startService(dataDir, { flags: ['--demo'] })
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-font-subpixel-positioning', '--disable-lcd-text'],
})
try {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 1080, height: 560 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  await context.request.post('/api/v1/session', { data: { key: adminKey } })
  await untilDemoIsThere()
  const page = await context.newPage()
  await page.goto(`/logs?query=${encodeURIComponent(query)}`)
  await page.locator('.log-row').nth(10).waitFor()
  await page.locator('.log-row').nth(5).click()
  await page.locator('.detail').waitFor()
  await page.mouse.move(0, 0)
  await delay(1_000) // The histogram and the fields, which are asked for by themselves.
  fs.writeFileSync(picturePath, await page.screenshot())
  console.log(`${picturePath}: ${fs.statSync(picturePath).size} bytes`)
} finally {
  await browser.close()
  await service.end()
  fs.rmSync(dataDir, { recursive: true })
}

/** The last hours are sent at once, from the earliest on. */
async function untilDemoIsThere(): Promise<void> {
  const startTime = Date.now() - 60_000
  for (;;) {
    const { body } = await service.query(query, { startTime, limit: 1 })
    if (body.count > 0) return
    await delay(500)
  }
}
