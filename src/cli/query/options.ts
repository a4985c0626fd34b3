/** The command line of `logstrata query`: its flags, its help, and how they are read. */

import { type ApiConfig, apiSettings } from '../../config/config.ts'
import { choice, duration, integer } from '../../config/setting-kinds.ts'
import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import type { TimeRange } from '../../record.ts'
import { dayMs, hourMs } from '../../time-units.ts'
import { readApiCommand, requireKey } from '../api.ts'
import { commandHelp, switchSetting } from '../command-line.ts'
import { type RangeOptions, rangeSettings, readRange } from '../moments.ts'

const sinceMsDefault = hourMs

/** Of commands that ask one question: about the last hour, when nothing else is said. */
export const askingSettings = settingsOf({
  ...rangeSettings,
  sinceMs: { ...rangeSettings.sinceMs, fallbackText: 'default 1h' },
  timeoutMs: {
    flag: 'timeout',
    kind: duration(1, dayMs),
    fallback: undefined,
    fallbackText: 'default: the service’s --query-timeout',
    help: 'Time after which the service gives the query up',
  },
})

export function askedRange(options: RangeOptions, nowMs: number): TimeRange {
  return readRange(options, nowMs) ?? { startTime: nowMs - sinceMsDefault, endTime: nowMs }
}

const { timeoutMs, ...askingTimes } = askingSettings

const querySettings = settingsOf({
  ...askingTimes,
  limit: {
    flag: 'limit',
    kind: integer(1, 1e9),
    fallback: 100,
    help: 'Records to print at most',
  },
  all: switchSetting('all', 'Print all records, however many; for very many, export is faster'),
  order: {
    flag: 'order',
    kind: choice(['asc', 'desc']),
    fallback: 'asc',
    help: 'Earliest records first, or latest first',
  },
  histogram: switchSetting(
    'histogram',
    'Print counts by time and level instead of records; --step is then the width of a bucket',
  ),
  stepMs: {
    flag: 'step',
    kind: duration(1, 36_500 * dayMs),
    fallback: undefined,
    help: 'Print an aggregate as a series over time, one value for each step',
  },
  explain: switchSetting(
    'explain',
    'Print what the query means and what it would read, without reading it',
  ),
  timeoutMs,
  stats: switchSetting(
    'stats',
    'Print what the query looked at and how long it took, on standard error',
  ),
  json: switchSetting('json', 'Print one line of JSON for each record, group, series or bucket'),
})

/** Whom, what, and about when. */
export interface Asked {
  readonly api: ApiConfig
  readonly query: string
  readonly range: TimeRange
}

export interface QueryOptions extends ValuesOf<typeof querySettings>, Asked {
  /** Whether somebody said how many records, or how they are ordered. */
  readonly wantsRecords: boolean
}

/** What `logstrata query` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readQueryOptions(
  argv: readonly string[],
  environment: Environment,
  nowMs: number,
): QueryOptions {
  const { values, sources, positionals } = readApiCommand(querySettings, argv, environment)
  const query = onlyQuery(positionals)
  const { limit, all, histogram, explain, stepMs, stats, timeoutMs } = values
  if (all && sources.limit !== 'default') {
    throw new ConfigError('--all', 'give one of --all and --limit, not both')
  }
  const wantsRecords = all || sources.limit !== 'default' || sources.order !== 'default'
  if (wantsRecords && (histogram || stepMs !== undefined)) {
    const flag = histogram ? '--histogram' : '--step'
    throw new ConfigError(flag, `${flag} prints no records: leave --all, --limit and --order away`)
  }
  const isShaped = wantsRecords || histogram || stepMs !== undefined || stats
  if (explain && (isShaped || timeoutMs !== undefined)) {
    throw new ConfigError('--explain', '--explain reads nothing: only times and --json go with it')
  }
  return {
    ...values,
    api: requireKey(values),
    query,
    range: askedRange(values, nowMs),
    limit: all ? Number.POSITIVE_INFINITY : limit,
    wantsRecords,
  }
}

/** A query is one argument, which the shell sees to when it is quoted. */
export function onlyQuery(positionals: readonly string[]): string {
  const [query, more] = positionals
  if (query === undefined) {
    throw new ConfigError('', `name the query, such as 'logs{log_level="error"}'`)
  }
  if (more !== undefined) {
    throw new ConfigError(
      '',
      `unexpected argument ${JSON.stringify(more)}: a query with spaces or quotes goes in single quotes`,
    )
  }
  return query
}

export function queryHelp(): string {
  return commandHelp({
    usage: 'query [OPTION]… QUERY',
    about: [
      'Prints the records that match a query, or the numbers that it computes. For people: how many there are, then one line for each record; groups and series as tables. The query goes in single quotes.',
    ],
    more: `Queries:
  logs                                          all records
  logs{service.name="checkout"} |= "timed out"  of one service, with a text in the message
  logs{log_level=~"error|fatal"} !~ "retry \\d"  by regular expressions
  count by (log_level) (logs)                   numbers; also rate, sum, avg, min, max, quantile
  topk(5, count by (user) (logs))               the five largest
  avg by (path) (logs | unwrap duration_ms)     over the values of an attribute
  count(logs{log_level="error"}) / count(logs)  arithmetic`,
    settings: { ...querySettings, ...apiSettings },
    notes: [
      'Control characters in messages are shown as escapes. Colours are for terminals only, and NO_COLOR turns them off. Of an aggregate only numbers are printed, unless --limit, --order or --all asks for its records too.',
    ],
    examples: [
      'export LOGSTRATA_KEY=…',
      `logstrata query 'logs{log_level="error"}' --since 15m --order desc`,
      "logstrata query 'count by (service.name) (logs)' --since 1d",
      "logstrata query 'rate by (log_level) (logs)' --since 1h --step 5m",
      "logstrata query 'timeout -health status:500' --explain",
      `logstrata query 'logs |= "timed out"' --from 2026-11-20T09:00:00Z --to now-5m --all --json`,
    ],
    exitCodes: '0 done, 1 failed, 2 wrong usage, or a query that cannot be parsed',
  })
}
