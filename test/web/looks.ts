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

/** One process each in an ordinary run: `test/batches/dark-phone.browser.test.ts` and so on. */
export const runs = [...looks, 'accessibility'] as const
export type Run = (typeof runs)[number]

/**
 * The files of each run in the order in which it takes them, by their names without the ending. They share
 * one browser and, but for those that ask for a site of their own, one service with the same records.
 */
export const filesOfRuns: Readonly<Record<Run, readonly string[]>> = {
  // The records of the last ten minutes, which `frame` counts, become fewer.
  'light-desktop': [
    'frame',
    'dashboards-edit',
    'logs-fields',
    'logs-rows',
    'logs-time',
    'settings-storage',
    'settings-retention',
    'alerts',
    'alerts-receivers',
    'settings-alerts',
  ],
  // `dashboards-view` counts services; `chart-and-list` adds one.
  'dark-desktop': [
    'dashboards-view',
    'dashboards-groups',
    'logs-saved',
    'logs-drawings',
    'dashboards-choices',
    'chart-and-list',
    'logs-trace',
    'keyboard',
    'settings-empty',
  ],
  // `logs-filters` and `dashboards-live` count records; `settings` adds some.
  'light-phone': [
    'logs-filters',
    'logs-facets',
    'dashboards-live',
    'dashboards-conflict',
    'settings',
    'sign-in',
    'alerts-rules',
  ],
  // `phone` opens the newest error; `logs-live` sends another kind.
  'dark-phone': [
    'query-box',
    'dashboards-list',
    'phone',
    'logs-patterns',
    'logs-empty',
    'logs-live',
    'settings-keys',
    'page-sender',
  ],
  // They go through all four looks by themselves.
  accessibility: ['accessibility-frame', 'accessibility-dashboards', 'accessibility-settings'],
}

export const browserTestEnding = '.browser.ts'

export function isLook(text: string): text is Look {
  return (looks as readonly string[]).includes(text)
}

export function partsOf(look: Look): LookParts {
  const [theme, size] = look.split('-')
  return { theme, size } as LookParts
}

/** The run that a file is in by its name without the ending; undefined when it is not listed above. */
export function runOf(name: string): Run | undefined {
  return runs.find(run => filesOfRuns[run].includes(name))
}

/**
 * The look of this process, which runs the file at `path`: a file of browser tests alone, or a whole run.
 * `wanted` comes before the file's own; empty for none.
 * @returns `all` for files that go through all by themselves.
 * @throws Error for a look that there is not, and for a file that is not listed above.
 */
export function lookOfRun(path: string, wanted = ''): Look | 'all' {
  const name = basename(path).replace(/\..*$/, '')
  const own = runs.find(run => run === name) ?? runOf(name)
  if (own === undefined) throw new Error(`${basename(path)} has no look in test/web/looks.ts`)
  if (own === 'accessibility') return 'all'
  if (wanted === '') return own
  if (!isLook(wanted)) {
    throw new Error(`LOGSTRATA_LOOK must be one of ${looks.join(', ')}, was ${wanted}`)
  }
  return wanted
}
