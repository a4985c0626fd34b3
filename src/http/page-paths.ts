/**
 * The paths of the page, once: the service answers each with the page itself, and the page picks what
 * to show by them. `{id}` and `{group}` stand for any one part. All further state is in the query
 * string. A slash at the end is taken away by the service.
 */

export const pagePaths = {
  home: '/',
  signIn: '/sign-in',
  logs: '/logs',
  trace: '/traces/{id}',
  dashboards: '/dashboards',
  dashboard: '/dashboards/{id}',
  alerts: '/alerts',
  alertRule: '/alerts/{id}',
  settings: '/settings',
  settingsSection: '/settings/{id}',
  /** As people say it: Settings > Integrations > Event Ingestion. */
  settingsGroupSection: '/settings/{group}/{id}',
} as const

export type PageName = keyof typeof pagePaths

export interface PagePlace {
  readonly page: PageName
  /** What stands for `{id}`, decoded; empty where the path has none. */
  readonly id: string
  /** As `id`, of `{group}`. */
  readonly group: string
}

/** Which page is at `path`; undefined when none is. */
export function pageAt(path: string): PagePlace | undefined {
  const parts = path.split('/')
  for (const [page, pattern] of Object.entries(pagePaths) as [PageName, string][]) {
    const found = matchParts(pattern.split('/'), parts)
    if (found !== undefined) return { page, id: found.id ?? '', group: found.group ?? '' }
  }
  return undefined
}

/** The path of a page; `id` and `group` where it has them. */
export function pathTo(page: PageName, id = '', group = ''): string {
  return pagePaths[page]
    .replace('{id}', encodeURIComponent(id))
    .replace('{group}', encodeURIComponent(group))
}

/** What stands for the names of `pattern`, decoded; undefined where it does not match. */
function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== parts.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index]!
    const name = /^\{(\w+)\}$/.exec(expected)?.[1]
    if (name === undefined) {
      if (expected !== part) return undefined
    } else {
      const value = decoded(part)
      if (value === undefined || value === '') return undefined
      found[name] = value
    }
  }
  return found
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
