/** Dashboards: whatever published clients send is kept, so all members may be absent. */

import type { DashboardSummary } from '../../catalog/dashboards.ts'
import { call } from './client.ts'

export type { DashboardSummary }

/** The parts that the law names; unknown members are kept as they are. */
export interface Dashboard {
  readonly settings?: {
    readonly hideGlobalEnvironmentSelector?: boolean
    readonly defaultTimeRange?: string
  }
  readonly metadata?: {
    readonly id?: string
    readonly title?: string
    readonly folderPath?: string
  }
  readonly content?: {
    readonly title?: string
    readonly variables?: readonly DashboardVariable[]
    readonly widgets?: readonly unknown[]
  }
}

export interface DashboardVariable {
  readonly name?: string
  readonly defaultValue?: string
  readonly overridable?: boolean
  readonly selectorSettings?: { readonly metricName?: string; readonly attribute?: string }
  readonly selector?: {
    readonly dynamic?: {
      readonly selectorQueries?: readonly unknown[]
      readonly attributeKey?: string
    }
  }
}

export async function listDashboards(signal?: AbortSignal): Promise<readonly DashboardSummary[]> {
  const answer = await call<{ dashboards: DashboardSummary[] }>('GET', '/api/v1/dashboards', {
    signal,
  })
  return answer.dashboards
}

export async function getDashboard(id: string, signal?: AbortSignal): Promise<Dashboard> {
  return (await call<{ dashboard: Dashboard }>('GET', at(id), { signal })).dashboard
}

/** Creates, or replaces the one with its `metadata.id`. Gives the id. */
export async function saveDashboard(dashboard: Dashboard): Promise<string> {
  const body = { dashboard }
  return (await call<{ id: string }>('POST', '/api/v1/dashboards/update', { body })).id
}

export function deleteDashboard(id: string): Promise<void> {
  return call('DELETE', at(id))
}

function at(id: string): string {
  return `/api/v1/dashboards/${encodeURIComponent(id)}`
}
