/** Dashboards: what is in one is read by `dashboards/board.ts`. */

import type { DashboardSummary } from '../../catalog/dashboards.ts'
import { callForResponse, deleter, lister } from './client.ts'

export type { DashboardSummary }

const root = '/api/v1/dashboards'

export const listDashboards = lister<DashboardSummary>(root, 'dashboards')

export interface DashboardText {
  /** The answer as JSON text, with every digit that was saved. */
  readonly text: string
  /** For `saveDashboard`; undefined when something on the way took it off. */
  readonly version: string | undefined
}

export async function getDashboardText(id: string, signal?: AbortSignal): Promise<DashboardText> {
  const response = await callForResponse('GET', `${root}/${encodeURIComponent(id)}`, { signal })
  return { text: await response.text(), version: versionOf(response) }
}

export interface SavedDashboard extends Pick<DashboardText, 'version'> {
  readonly id: string
}

/**
 * Creates, or replaces the one with its `metadata.id`.
 * @param version The one that was changed: when another is there by now, or none, nothing is saved and
 *   the problem is `dashboard_changed`. Replaces any when left out.
 */
export async function saveDashboard(dashboard: unknown, version?: string): Promise<SavedDashboard> {
  const options = { body: { dashboard }, ifMatch: version }
  const response = await callForResponse('POST', `${root}/update`, options)
  const { id } = (await response.json()) as { id: string }
  return { id, version: versionOf(response) }
}

/** Proxies that compress make a tag weak; ours are none, and asked for as they were. */
function versionOf({ headers }: Response): string | undefined {
  return headers.get('ETag')?.replace(/^W\//, '')
}

export const deleteDashboard = deleter(root)
