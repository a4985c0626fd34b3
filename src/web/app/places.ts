/** What the palette finds beside commands: dashboards, saved queries and services, each as one. */

import { pathTo } from '../../http/page-paths.ts'
import { dayMs } from '../../time-units.ts'
import { listDashboards } from '../api/dashboards.ts'
import { queryValues } from '../api/records.ts'
import { listSavedQueries } from '../api/saved-queries.ts'
import { quoted } from '../query/strings.ts'
import { go } from '../state/location.ts'
import { listParam } from '../state/param-kinds.ts'
import type { Command } from './commands.ts'
import { environment, keepingEnvironment } from './environment.tsx'

/** How far back services are looked for, ms. */
const lookBackMs = 7 * dayMs
const servicesMax = 200

/** Those that can be had: a question that fails costs its own only. */
export async function loadPlaces(signal: AbortSignal): Promise<readonly Command[]> {
  const endTime = Date.now()
  const services = {
    query: 'logs',
    startTime: endTime - lookBackMs,
    endTime,
    field: 'service.name',
    limit: servicesMax,
  }
  const found = await Promise.all([
    orNone(listDashboards(signal).then(all => all.map(dashboardPlace))),
    orNone(listSavedQueries(signal).then(all => all.map(queryPlace))),
    orNone(queryValues(services, signal).then(({ values }) => values.map(servicePlace))),
  ])
  return found.flat()
}

async function orNone(asked: Promise<readonly Command[]>): Promise<readonly Command[]> {
  try {
    return await asked
  } catch {
    return []
  }
}

function dashboardPlace({ id, title }: { id: string; title: string }): Command {
  const run = () => go(keepingEnvironment(pathTo('dashboard', id)))
  return { id: `dashboard ${id}`, group: 'Dashboard', text: title || id, run }
}

function queryPlace(saved: { name: string; query: string; columns: readonly string[] }): Command {
  const columns = listParam.print(saved.columns)
  const asked = { query: saved.query, ...(columns !== undefined && { columns }) }
  const run = () => go(logsAddress(asked))
  return { id: `query ${saved.name}`, group: 'Saved query', text: saved.name, run }
}

function servicePlace({ value }: { value: string }): Command {
  const run = () => go(logsAddress({ query: `logs{service.name=${quoted(value)}}` }))
  return { id: `service ${value}`, group: 'Service', text: value || 'no service', run }
}

function logsAddress(asked: Readonly<Record<string, string>>): string {
  const parameters = { ...asked, ...(environment.peek() !== '' && { env: environment.peek() }) }
  return `${pathTo('logs')}?${new URLSearchParams(parameters)}`
}
