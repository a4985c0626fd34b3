/** The command line of `logstrata import`: its flags, its help, and how they are read. */

import { clientSettings } from '../../config/config.ts'
import { bytes, choice, text } from '../../config/setting-kinds.ts'
import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { commandHelp, readCommand, switchSetting } from '../command-line.ts'

const mib = 1024 ** 2

export const importSettings = settingsOf({
  ...clientSettings,
  timestampField: {
    flag: 'timestamp-field',
    kind: text('NAME', 'the name of a field'),
    fallback: undefined,
    help: 'Field that holds an event’s time (RFC 3339, or Unix time in s, ms, µs or ns); NDJSON only. Otherwise the time of receipt is taken',
  },
  format: {
    flag: 'format',
    kind: choice(['auto', 'ndjson', 'text']),
    fallback: 'auto',
    help: 'What a line is: a JSON event, or a message. Auto looks at the first lines of each file',
  },
  batchBytes: {
    flag: 'batch-bytes',
    kind: bytes(1024, 64 * mib),
    fallback: 4 * mib,
    help: 'Size at which a request is sent; never more than 10000 lines',
  },
  gzip: switchSetting('gzip', 'Compress the requests: for slow networks'),
  json: switchSetting('json', 'Print the summary as one line of JSON'),
  quiet: switchSetting('quiet', 'Print neither progress nor summary; errors only'),
})

export interface ImportOptions extends ValuesOf<typeof importSettings> {
  readonly token: string
  /** Paths; `-` is standard input. At least one. */
  readonly files: readonly string[]
}

/** Throws ConfigError. Without files, standard input is read unless somebody is typing there. */
export function readImportOptions(
  argv: readonly string[],
  environment: Environment,
  stdinIsTerminal: boolean,
): ImportOptions {
  const { values, positionals } = readCommand(importSettings, argv, environment)
  const files = positionals.length > 0 ? positionals : ['-']
  if (positionals.length === 0 && stdinIsTerminal) {
    throw new ConfigError('', 'name the files to import, or pipe something in')
  }
  if (files.indexOf('-') !== files.lastIndexOf('-')) {
    throw new ConfigError('', 'standard input (-) can be read only once')
  }
  if (values.format === 'text' && values.timestampField !== undefined) {
    throw new ConfigError(
      '--timestamp-field',
      '--timestamp-field names a field of JSON events; lines of --format text have none',
    )
  }
  const { token } = values
  if (token === undefined) {
    throw new ConfigError(
      '--token',
      `--token or LOGSTRATA_TOKEN needs an ingestion token. ${howToMakeToken(values.url)}`,
    )
  }
  return { ...values, token, files }
}

/** What to do for want of a token, ready to paste. */
export function howToMakeToken(url: string): string {
  return `To make one:
  curl -X POST ${url}/api/v1/settings/ingestion-tokens -H 'Authorization: Bearer ADMIN_KEY' \\
    -H 'Content-Type: application/json' -d '{"serviceName":"NAME","environment":"NAME"}'`
}

export function importHelp(): string {
  return commandHelp({
    usage: 'import [OPTION]… [FILE]…     or: npm run import -- [OPTION]… [FILE]…',
    about: [
      'Sends each line of the files as one event, in order. Without FILE, or with -, it reads standard input; what stands in a live pipe is sent when no more has come for half a second. Files compressed with gzip or zstd are decompressed on the way. Files may be of any size.',
      'A line of plain text becomes {"message": line}. A file counts as NDJSON when at least half of its first ten lines are JSON objects; its other lines are then sent as they are, and the service rejects them. Empty lines are left out, carriage returns at the end of a line too. Bytes that are not UTF-8 become U+FFFD, and the summary counts the lines. Lines of more than 64MiB are rejected.',
    ],
    settings: importSettings,
    notes: [
      'When the service is busy (429, 503), stopped or out of reach, a request is tried again for a while. If it was the answer that got lost, the lines of that request are then stored twice. An interrupt (ctrl-C) finishes the request under way and says after which line it stopped.',
    ],
    examples: [
      'export LOGSTRATA_TOKEN=…',
      'logstrata import /var/log/dpkg.log /var/log/apt/history.log.1.gz',
      'logstrata import --timestamp-field time app.ndjson',
      'journalctl --output json | logstrata import --timestamp-field __REALTIME_TIMESTAMP',
      'tail -F app.log | logstrata import --quiet',
    ],
    exitCodes:
      '0 all lines accepted, 1 something was rejected or failed, 2 wrong usage, 130 interrupted',
  })
}
