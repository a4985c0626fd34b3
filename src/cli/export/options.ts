/** The command line of `logstrata export`: its flags, its help, and how they are read. */

import { type ApiConfig, apiSettings } from '../../config/config.ts'
import { paragraph } from '../../config/help.ts'
import { choice, text } from '../../config/setting-kinds.ts'
import { ConfigError, type Environment, settingsOf } from '../../config/settings.ts'
import { readApiCommand, requireKey } from '../api.ts'
import { optionsText, switchSetting } from '../command-line.ts'
import { rangeSettings, readRange, type TimeRange } from '../moments.ts'
import { onlyQuery } from '../query/options.ts'

export interface ExportOptions {
  readonly api: ApiConfig
  readonly query: string
  readonly range: TimeRange
  readonly format: 'ndjson' | 'csv'
  /** Undefined: standard output. */
  readonly output: string | undefined
  readonly gzip: boolean
  readonly quiet: boolean
}

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
  const { format, output, gzip, quiet } = values
  return { api: requireKey(values), query, range, format, output, gzip, quiet }
}

export function exportHelp(): string {
  return `Usage: logstrata export [OPTION]… QUERY

${paragraph(
  'Writes all records that match a query, in order of time and without a limit, to a file or to standard output. The query is a selector, in single quotes: logs{service.name="checkout"}.',
)}

${optionsText({ ...exportSettings, ...apiSettings })}

${paragraph(
  'An export that breaks off ends with exit code 1; what came so far is left in FILE.partial. A reader that has seen enough, such as head, is no failure.',
)}

Examples:
  export LOGSTRATA_KEY=…
  logstrata export logs --since 1d --output day.ndjson
  logstrata export 'logs{log_level="error"}' --since 7d --format csv --gzip --output errors.csv.gz
  logstrata export logs --from 2026-11-20T09:00:00Z --to 2026-11-20T10:00:00Z | jq .message

Exit codes: 0 all written, 1 failed, 2 wrong usage, 130 interrupted.`
}
