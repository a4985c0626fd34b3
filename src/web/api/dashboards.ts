/** Dashboards: what is in one is read by `dashboards/board.ts`. */

import type { DashboardSummary } from '../../catalog/dashboards.ts'
import { call, callForResponse } from './client.ts'

export type { DashboardSummary }

export async function listDashboards(signal?: AbortSignal): Promise<readonly DashboardSummary[]> {
  const answer = await call<{ dashboards: DashboardSummary[] }>('GET', '/api/v1/dashboards', {
    signal,
  })
  return answer.dashboards
}

/** The dashboard as JSON text, with every digit that was saved. */
export async function getDashboardText(id: string, signal?: AbortSignal): Promise<string> {
  return (await callForResponse('GET', at(id), { signal })).text()
}

/** Creates, or replaces the one with its `metadata.id`. Gives the id. */
export async function saveDashboard(dashboard: unknown): Promise<string> {
  const body = { dashboard }
  return (await call<{ id: string }>('POST', '/api/v1/dashboards/update', { body })).id
}

export function deleteDashboard(id: string): Promise<void> {
  return call('DELETE', at(id))
}

function at(id: string): string {
  return `/api/v1/dashboards/${encodeURIComponent(id)}`
}
