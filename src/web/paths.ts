/**
 * The paths of the page, once: the service answers each with the page itself, and the page picks what
 * to show by them. `{id}` stands for any one part. All further state is in the query string.
 */

export const pagePaths = {
  home: '/',
  signIn: '/sign-in',
  logs: '/logs',
  dashboards: '/dashboards',
  dashboard: '/dashboards/{id}',
  settings: '/settings',
  settingsSection: '/settings/{id}',
} as const

export type PageName = keyof typeof pagePaths

export interface PagePlace {
  readonly page: PageName
  /** What stands for `{id}`, decoded; empty where the path has none. */
  readonly id: string
}

/** Which page is at `path`; undefined when none is. */
export function pageAt(path: string): PagePlace | undefined {
  const parts = path.split('/')
  for (const [page, pattern] of Object.entries(pagePaths) as [PageName, string][]) {
    const id = matchParts(pattern.split('/'), parts)
    if (id !== undefined) return { page, id }
  }
  return undefined
}

/** The path of a page; `id` where it has one. */
export function pathTo(page: PageName, id = ''): string {
  return pagePaths[page].replace('{id}', encodeURIComponent(id))
}

function matchParts(pattern: readonly string[], parts: readonly string[]): string | undefined {
  if (pattern.length !== parts.length) return undefined
  let id = ''
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index]!
    if (expected === '{id}') {
      if (part === '') return undefined
      id = decoded(part) ?? ''
    } else if (expected !== part) {
      return undefined
    }
  }
  return pattern.includes('{id}') && id === '' ? undefined : id
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
