/** The way from an ingestion token to the records that were sent with it. */

import { pagePaths } from '../../http/page-paths.ts'
import { dayMs, hourMs } from '../../time-units.ts'
import type { IngestionTokenSummary } from '../api/settings.ts'
import { matcherText } from '../query/condition-text.ts'

type Sender = Pick<IngestionTokenSummary, 'serviceName' | 'environment' | 'lastUsedAt'>

/** Ranges as the log viewer offers them, the last for everything older. */
const ranges = [
  ['15m', 15 * 60_000],
  ['1h', hourMs],
  ['24h', dayMs],
  ['7d', 7 * dayMs],
  ['365d', Number.POSITIVE_INFINITY],
] as const

/** The log viewer, narrowed to what has the token's names, over a range in which it was last used. */
export function recordsHref({ serviceName, environment, lastUsedAt }: Sender, now: number): string {
  const matchers = [
    matcherText({ label: 'service.name', operator: '=', value: serviceName }),
    matcherText({ label: 'environment', operator: '=', value: environment }),
  ]
  const ago = now - (lastUsedAt ?? now)
  const [duration] = ranges.find(([, ms]) => ago < ms)!
  const query = `logs{${matchers.join(', ')}}`
  return `${pagePaths.logs}?${new URLSearchParams({ query, from: `now-${duration}`, to: 'now' })}`
}
