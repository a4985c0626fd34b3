/** Points and ranges of time as people type them. */

import { duration, type Kind } from '../config/setting-kinds.ts'
import { ConfigError, settingsOf, type ValuesOf } from '../config/settings.ts'
import { readTimestamp } from '../ingest/timestamp.ts'
import type { TimeRange } from '../record.ts'
import { dayMs } from '../time-units.ts'

/** Milliseconds since 1970, or milliseconds before now. */
export type Moment = { readonly atMs: number } | { readonly agoMs: number }

const span = duration(1, 36_500 * dayMs)

/** `now`, `now-15m`, `15m` (which means the same), RFC 3339, Unix time in seconds or milliseconds. */
export function moment(): Kind<Moment> {
  return {
    placeholder: 'TIME',
    expected: 'a time such as 2026-11-20T09:30:00Z, 1795167000000, now, now-15m or 15m',
    read: text => {
      if (text === 'now') return { agoMs: 0 }
      const agoMs = span.read(text.replace(/^now-/, ''))
      if (agoMs !== undefined) return { agoMs }
      const atMs = readTime(text)
      return atMs === undefined ? undefined : { atMs }
    },
    print: value =>
      'atMs' in value ? new Date(value.atMs).toISOString() : `now-${span.print(value.agoMs)}`,
  }
}

/** RFC 3339 or Unix time; undefined for all else. A short number is a duration without its unit. */
export function readTime(text: string): number | undefined {
  return /^\d{1,8}$/.test(text) && text !== '0' ? undefined : readTimestamp(text)
}

/** Flags of every command that looks at a range of time. */
export const rangeSettings = settingsOf({
  sinceMs: {
    flag: 'since',
    kind: span,
    fallback: undefined,
    help: 'Records of this long until now, such as 15m, 1h or 7d',
  },
  from: {
    flag: 'from',
    kind: moment(),
    fallback: undefined,
    help: 'Records of this time and later: RFC 3339, Unix time (s or ms), now-15m, or 15m',
  },
  to: {
    flag: 'to',
    kind: moment(),
    fallback: undefined,
    fallbackText: 'default: now',
    help: 'Records up to this time, itself included',
  },
})

export type RangeOptions = ValuesOf<typeof rangeSettings>

/** Undefined when no time was given at all. Throws ConfigError for what contradicts itself. */
export function readRange(options: RangeOptions, nowMs: number): TimeRange | undefined {
  const { sinceMs, from, to } = options
  if (sinceMs !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new ConfigError('--since', 'give either --since, or --from and --to')
    }
    return { startTime: nowMs - sinceMs, endTime: nowMs }
  }
  if (from === undefined) {
    if (to === undefined) return undefined
    throw new ConfigError('--to', '--to needs a --from')
  }
  const startTime = timeOf(from, nowMs)
  const endTime = timeOf(to ?? { agoMs: 0 }, nowMs)
  if (startTime > endTime) {
    const iso = (ms: number) => new Date(ms).toISOString()
    throw new ConfigError(
      '--from',
      `--from must not be after --to; they are ${iso(startTime)} and ${iso(endTime)}`,
    )
  }
  return { startTime, endTime }
}

function timeOf(moment: Moment, nowMs: number): number {
  return 'atMs' in moment ? moment.atMs : nowMs - moment.agoMs
}
