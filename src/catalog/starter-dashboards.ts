/**
 * The dashboards that a new directory begins with, so that the first look shows something. They are
 * made once and are then like any other: who changes or deletes them is not undone by a restart.
 */
import type { Dashboards } from './dashboards.ts'
import { type CatalogDatabase, marksName } from './database.ts'
import { ingestedLogs } from './starter/ingested-logs.ts'
import { thisService } from './starter/this-service.ts'

export const starterDashboards = [ingestedLogs, thisService]

const mark = 'starter-dashboards'

/**
 * Makes the dashboards, unless that was done before, or people have made some without them. A crash
 * in between is harmless: the mark comes last, and to make one again replaces it.
 */
export async function ensureStarterDashboards(
  database: CatalogDatabase,
  dashboards: Pick<Dashboards, 'list' | 'put'>,
): Promise<void> {
  const marks = database.collection<string>(marksName, 'string')
  if (marks.get(mark) !== undefined) return
  const starterIds = new Set(starterDashboards.map(({ metadata }) => metadata.id))
  if (dashboards.list().every(({ id }) => starterIds.has(id))) {
    for (const dashboard of starterDashboards) await dashboards.put(dashboard)
  }
  await database.write(() => {
    marks.put(mark, 'done')
  })
}
