/** The command line of `logstrata export`: its flags, its help, and how they are read. */

import { apiSettings } from '../../config/config.ts'
import { choice, text } from '../../config/setting-kinds.ts'
import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { readApiCommand, requireKey } from '../api.ts'
import { commandHelp, switchSetting } from '../command-line.ts'
import { rangeSettings, readRange } from '../moments.ts'
import { type Asked, onlyQuery } from '../query/options.ts'

const exportSettings = settingsOf({
  ...rangeSettings,
  format: {
    flag: 'format',
    kind: choice(['ndjson', 'csv']),
    fallback: 'ndjson',
    help: 'One JSON object a line, or comma-separated values',
  },
  output: {
    flag: 'output',
    kind: text('FILE', 'the path of a file'),
    fallback: undefined,
    fallbackText: 'default: standard output',
    help: 'File to write. It appears, or is replaced, when all is there; until then its name ends in .partial',
  },
  gzip: switchSetting('gzip', 'Compress what is written, already on the way from the service'),
  quiet: switchSetting('quiet', 'Print neither progress nor summary; errors only'),
})

export type ExportOptions = ValuesOf<typeof exportSettings> & Asked

/** What `logstrata export` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readExportOptions(
  argv: readonly string[],
  environment: Environment,
  nowMs: number,
): ExportOptions {
  const { values, positionals } = readApiCommand(exportSettings, argv, environment)
  const query = onlyQuery(positionals)
  const range = readRange(values, nowMs)
  if (range === undefined) {
    throw new ConfigError('--from', 'say which time: --from and --to, or --since 1h')
  }
  return { ...values, api: requireKey(values), query, range }
}

export function exportHelp(): string {
  return commandHelp({
    usage: 'export [OPTION]… QUERY',
    about: [
      'Writes all records that match a query, in order of time and without a limit, to a file or to standard output. The query is a selector, in single quotes: logs{service.name="checkout"}.',
    ],
    settings: { ...exportSettings, ...apiSettings },
    notes: [
      'An export that breaks off ends with exit code 1; what came so far is left in FILE.partial. A reader that has seen enough, such as head, is no failure.',
    ],
    examples: [
      'export LOGSTRATA_KEY=…',
      'logstrata export logs --since 1d --output day.ndjson',
      `logstrata export 'logs{log_level="error"}' --since 7d --format csv --gzip --output errors.csv.gz`,
      'logstrata export logs --from 2026-11-20T09:00:00Z --to 2026-11-20T10:00:00Z | jq .message',
    ],
    exitCodes: '0 all written, 1 failed, 2 wrong usage, 130 interrupted',
  })
}
