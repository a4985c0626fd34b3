import type { Page } from 'playwright-core'
import t from 'tap'
import { areAllRight, type State } from './accessibility-states.ts'
import { browserTest, type Site, sharedSite } from './browser.ts'

for (const size of ['desktop', 'phone'] as const) {
  browserTest(t, `${size}: nothing is wrong in any state of the frame`, async t => {
    const site = await sharedSite()
    await sendFew(site)
    await areAllRight(t, site, size, states(size))
  })
}

/** A few records, each of another level: rows of the same kind are looked at in one state only. */
async function sendFew({ service }: Site): Promise<void> {
  const token = await service.makeToken('few', 'prod')
  const body = ['error', 'warn', 'info', 'debug'].map(level => {
    return {
      level,
      message: `${level} of few`,
      host: 'node-1',
      order: 80_001,
      trace_id: 'few-trace',
      docs: 'https://example.org/few',
      payload: '{"lines":[{"sku":"a","count":2}],"isPaid":true}',
      error: { code: 'E1' },
    }
  })
  await service.send(token, body)
  // So many at once that they stand out of what lies around.
  const many = Array.from({ length: 80 }, () => ({ level: 'error', message: 'one of many' }))
  await service.send(await service.makeToken('many', 'prod'), many)
}

const few = `/logs?query=${encodeURIComponent('logs{service.name="few"}')}`

/** Those that no library of charts draws. */
const drawings = ['top', 'pie', 'heatmap', 'figure']

function states(size: 'desktop' | 'phone'): readonly State[] {
  const row = (page: Page) => page.locator('.log-row').first().waitFor()
  return [
    { name: 'sign-in', path: '/sign-in', role: undefined, reach: refuseEmptyKey },
    { name: 'logs', path: '/logs', reach: row },
    {
      name: 'no record',
      path: '/logs?query=logs%7Ba%3D"b"%7D',
      reach: page => page.getByText('No record').waitFor(),
    },
    { name: 'opened record', path: `${few}&columns=host`, reach: openRecord },
    {
      name: 'patterns',
      path: '/logs?tab=patterns&new=1&from=now-2h',
      reach: page => page.locator('.pattern-text').first().click(),
    },
    {
      name: 'what changed',
      path: '/logs?tab=changes&from=now-10m',
      reach: page => page.getByRole('heading', { name: 'Messages' }).waitFor(),
    },
    {
      name: 'trace',
      path: '/traces/few-trace',
      reach: page => page.locator('.log-row').first().click(),
    },
    {
      name: 'link to a tracer',
      path: '/traces/few-trace',
      reach: page => page.getByRole('button', { name: /tracer/i }).click(),
    },
    { name: 'top values', path: few, reach: topValues },
    { name: 'surroundings', path: few, reach: surroundings },
    { name: 'JSON', path: `${few}&view=json`, reach: row },
    { name: 'live', path: `${few}&live=1`, reach: page => page.getByText(/\d shown/).waitFor() },
    {
      name: 'values',
      path: '/logs?query=count%20by%20(host)%20(logs)',
      reach: page => page.getByRole('table').first().waitFor(),
    },
    ...drawings.map(draw => ({
      name: draw,
      path: `/logs?query=count%20by%20(host)%20(logs)&draw=${draw}`,
      reach: (page: Page) => page.locator('.aggregate-drawn, .aggregate-pie').waitFor(),
    })),
    {
      name: 'save as a widget',
      path: few,
      reach: async (page: Page) => {
        await press(page, 'q', '.saved')
        await page.getByRole('button', { name: 'Widget of a dashboard' }).click()
        await page.getByRole('dialog', { name: 'Save as a widget' }).waitFor()
      },
    },
    {
      name: 'fields',
      path: few,
      reach: page =>
        size === 'phone'
          ? page.getByRole('button', { name: 'Show the fields' }).click()
          : focusField(page),
    },
    {
      name: 'wrong query',
      path: '/logs?query=logs%7B',
      reach: page => page.getByRole('alert').waitFor(),
    },
    { name: 'completion', path: few, reach: complete },
    { name: 'time range', path: few, reach: page => press(page, 't', '.range-form') },
    {
      name: 'user',
      path: few,
      reach: page => page.getByRole('button', { name: 'Signed in' }).click(),
    },
    { name: 'shortcuts', path: '/dashboards', reach: page => press(page, '?', 'dialog') },
    {
      name: 'palette',
      path: '/dashboards',
      reach: page => press(page, 'ControlOrMeta+k', 'dialog'),
    },
  ]
}

async function refuseEmptyKey(page: Page): Promise<void> {
  await page.getByLabel('API key').press('Enter')
  await page.locator('.field-error').waitFor()
}

async function complete(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await page.getByRole('textbox', { name: 'Query' }).fill('')
  await page.getByRole('textbox', { name: 'Query' }).pressSequentially('logs{serv')
  await page.getByRole('option').first().waitFor()
}

async function openRecord(page: Page): Promise<void> {
  await page.locator('.log-row .log-message').nth(2).click()
  await page.locator('.detail').waitFor()
}

async function focusField(page: Page): Promise<void> {
  await page.locator('.log-row').first().waitFor()
  await press(page, 'v', '.detail')
}

async function topValues(page: Page): Promise<void> {
  await openRecord(page)
  const field = page.locator('[data-field="service.name"]').first()
  await field.hover()
  const more = field.getByRole('button', { name: 'Actions for service.name' })
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Top values of service.name' }).click()
  await page.locator('.top-values .facet-value').first().waitFor()
}

async function surroundings(page: Page): Promise<void> {
  await openRecord(page)
  await page.getByRole('button', { name: 'Surrounding records' }).click()
  await page.locator('.context-center').waitFor()
}

async function press(page: Page, key: string, shown: string): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.keyboard.press(key)
  await page.locator(shown).waitFor()
}
