/** What the tests of dashboards share: putting one there, reading it back, and finding its widgets. */
import type { Locator, Page } from 'playwright-core'
import type { Site } from '../browser.ts'

export const starterLogs = '/dashboards/starter-ingested-logs'

/** The dashboard as the service has it; undefined when it has none. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function stored({ service }: Site, id: string): Promise<any> {
  const answer = await service.call('GET', `/api/v1/dashboards/${id}`)
  return answer.status === 200 ? answer.body.dashboard : undefined
}

/** Saves a dashboard of the content and gives its path. */
export async function put(
  { service }: Site,
  id: string,
  content: object,
  settings: object = {},
): Promise<string> {
  const metadata = { id, title: id, folderPath: '/dashboards/tests/' }
  const dashboard = { settings, metadata, content }
  const answer = await service.call('POST', '/api/v1/dashboards/update', { body: { dashboard } })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return `/dashboards/${id}`
}

/** A place on the grid, as widgets have it. */
export function at(x: number, y: number, w: number, h: number): object {
  return { type: 'absolute', absolute: { x, y, w, h } }
}

export function stat(title: string, query: string, position: object) {
  const expression = { metoroQLQuery: { query, bucketSize: 0 }, reduceAggregation: 'sum' }
  return { type: 'stat', position, stat: { title, expression } }
}

export function chart(title: string, query: string, position: object, chartType = 'line') {
  const expression = { metoroQLQueries: [{ query, bucketSize: 0 }] }
  return { type: 'chart', position, chart: { title, chartType, expression } }
}

export function group(title: string, widgets: readonly object[], position: object) {
  return { type: 'group', position, group: { title, widgets } }
}

/** Why nothing is dragged there: `desktopTest`. */
export const noGridOnPhones =
  'narrow windows have the widgets one below the other; the panel moves them, by values and by choice'

export function widget(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}
