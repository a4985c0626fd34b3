/** The command line of `logstrata patterns`: its flags, its help, and how they are read. */

import { apiSettings } from '../../config/config.ts'
import { duration, integer } from '../../config/setting-kinds.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { limits } from '../../limits.ts'
import { earlier, type TimeRange } from '../../record.ts'
import { dayMs } from '../../time-units.ts'
import { readApiCommand, requireKey } from '../api.ts'
import { commandHelp, switchSetting } from '../command-line.ts'
import { type Asked, askedRange, askingSettings, onlyQuery } from '../query/options.ts'

const { timeoutMs, ...askingTimes } = askingSettings

const patternsSettings = settingsOf({
  ...askingTimes,
  compareMs: {
    flag: 'compare',
    kind: duration(1, 36_500 * dayMs),
    fallback: undefined,
    help: 'Compare with the same range so much earlier, such as 1d, and print the most changed first',
  },
  limit: {
    flag: 'limit',
    kind: integer(1, limits.patternsListedMax),
    fallback: 20,
    help: 'Patterns to print at most',
  },
  timeoutMs,
  json: switchSetting('json', 'Print one line of JSON for each pattern'),
})

export interface PatternsOptions extends ValuesOf<typeof patternsSettings>, Asked {
  /** The range compared with; undefined: none. */
  readonly compareWith: TimeRange | undefined
}

/** What was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readPatternsOptions(
  argv: readonly string[],
  environment: Environment,
  nowMs: number,
): PatternsOptions {
  const { values, positionals } = readApiCommand(patternsSettings, argv, environment)
  const query = positionals.length === 0 ? 'logs' : onlyQuery(positionals)
  const range = askedRange(values, nowMs)
  const { compareMs } = values
  const compareWith = compareMs === undefined ? undefined : earlier(range, compareMs)
  return { ...values, api: requireKey(values), query, range, compareWith }
}

export function patternsHelp(): string {
  return commandHelp({
    usage: 'patterns [OPTION]… [QUERY]',
    about: [
      'Prints which kinds of messages there are among the records that match a query (all, without one): the share and number of each, how many over time, and what its messages have in common, with <*> for what varies. The query goes in single quotes.',
    ],
    settings: { ...patternsSettings, ...apiSettings },
    notes: [
      'With --compare each pattern is new, gone, grown, shrunk or the same; shares are compared, so that more of everything is no change. The id of a pattern, which --json prints, is the same always: logs{pattern="p1-…"} asks for its records.',
    ],
    examples: [
      'export LOGSTRATA_KEY=…',
      'logstrata patterns --since 1d',
      `logstrata patterns 'logs{log_level="error"}' --since 1h --compare 1d`,
      `logstrata patterns 'logs{service.name="checkout"}' --since 7d --json`,
    ],
    exitCodes: '0 done, 1 failed, 2 wrong usage, or a query that cannot be parsed',
  })
}
