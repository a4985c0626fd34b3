/**
 * The four looks of the page, and in which of them each file of browser tests runs. An ordinary run shows
 * every part of the page in all of them, a file in one: all files in all looks would take four times as
 * long. `npm run test:looks` runs the rest; it names the look in the variable `LOGSTRATA_LOOK`.
 */
import { basename } from 'node:path'

export const looks = ['light-desktop', 'dark-desktop', 'light-phone', 'dark-phone'] as const
export type Look = (typeof looks)[number]

export interface LookParts {
  readonly theme: 'dark' | 'light'
  readonly size: 'desktop' | 'phone'
}

/** By the file's name without its ending. `all`: its tests go through all four by themselves. */
export const looksOfFiles: Readonly<Record<string, Look | 'all'>> = {
  'accessibility-desktop': 'all',
  'accessibility-phone': 'all',
  'chart-and-list': 'dark-desktop',
  'dashboards-accessibility': 'all',
  'dashboards-conflict': 'light-phone',
  'dashboards-edit': 'light-desktop',
  'dashboards-groups': 'dark-desktop',
  'dashboards-list': 'dark-phone',
  'dashboards-live': 'light-phone',
  'dashboards-view': 'dark-desktop',
  frame: 'light-desktop',
  'logs-empty': 'dark-phone',
  'logs-fields': 'light-desktop',
  'logs-filters': 'light-phone',
  'logs-live': 'dark-phone',
  'logs-rows': 'light-desktop',
  'logs-saved': 'dark-desktop',
  phone: 'dark-phone',
  'query-box': 'dark-phone',
  settings: 'light-phone',
  'settings-accessibility': 'all',
  'settings-empty': 'dark-desktop',
  'settings-keys': 'dark-phone',
  'settings-storage': 'light-desktop',
  'sign-in': 'light-phone',
}

export const browserTestEnding = '.browser.test.ts'

export function isLook(text: string): text is Look {
  return (looks as readonly string[]).includes(text)
}

export function partsOf(look: Look): LookParts {
  const [theme, size] = look.split('-')
  return { theme, size } as LookParts
}

/**
 * The look of this run of the file at `path`. `wanted` comes before the file's own; empty for none.
 * @returns `all` for a file that needs none.
 * @throws Error for a look that there is not, and for a file that is not listed above.
 */
export function lookOfRun(path: string, wanted = ''): Look | 'all' {
  const own = looksOfFiles[basename(path, browserTestEnding)]
  if (own === undefined) throw new Error(`${basename(path)} has no look in test/web/looks.ts`)
  if (wanted === '' || own === 'all') return own
  if (!isLook(wanted)) {
    throw new Error(`LOGSTRATA_LOOK must be one of ${looks.join(', ')}, was ${wanted}`)
  }
  return wanted
}
