/** Dashboards as they are listed: by folder, and those that a search finds. */

import type { DashboardSummary } from '../../../catalog/dashboards.ts'
import { compareNames } from '../../natural-order.ts'

export interface Folder {
  /** Begins and ends with a slash. */
  readonly path: string
  readonly dashboards: readonly DashboardSummary[]
}

/** Every word of the search must be in the title, the folder or the id; case does not matter. */
export function found(
  dashboards: readonly DashboardSummary[],
  search: string,
): readonly DashboardSummary[] {
  const words = search.toLowerCase().split(/\s+/)
  return dashboards.filter(({ title, folderPath, id }) => {
    const text = `${title} ${folderPath} ${id}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** In order of paths; in each by title, in the order that people expect of numbers. */
export function byFolder(dashboards: readonly DashboardSummary[]): readonly Folder[] {
  const folders = new Map<string, DashboardSummary[]>()
  for (const dashboard of dashboards) {
    const inside = folders.get(dashboard.folderPath) ?? []
    folders.set(dashboard.folderPath, [...inside, dashboard])
  }
  return [...folders]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([path, inside]) => ({
      path,
      dashboards: inside.sort((a, b) => compareNames(a.title, b.title) || compareNames(a.id, b.id)),
    }))
}

/** The path in words: `dashboards › team`. */
export function folderText(path: string): string {
  return path.split('/').filter(Boolean).join(' › ') || '/'
}

/** What is wrong with a path that somebody typed; undefined when nothing is. */
export function folderFault(path: string): string | undefined {
  if (!path.startsWith('/') || !path.endsWith('/')) return 'begin and end it with a slash'
  const parts = path.slice(1, -1).split('/')
  const isWrong = path !== '/' && parts.some(part => ['', '.', '..'].includes(part))
  return isWrong ? 'give every folder on the way a name' : undefined
}
