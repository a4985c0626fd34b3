/** The command line of `logstrata inspect`: its flags, its help, and how they are read. */

import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { commandHelp, readCommand, switchSetting } from '../command-line.ts'

const inspectSettings = settingsOf({
  verify: switchSetting('verify', 'Check every byte, decode every record, and print what is wrong'),
  records: switchSetting('records', 'Print the records, each as one line of JSON'),
  json: switchSetting('json', 'Print one line of JSON for each file instead of text'),
})

export interface InspectOptions extends ValuesOf<typeof inspectSettings> {
  /** Files or directories, at least one. */
  readonly paths: readonly string[]
}

/** What `logstrata inspect` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readInspectOptions(
  argv: readonly string[],
  environment: Environment,
): InspectOptions {
  const { values, positionals } = readCommand(inspectSettings, argv, environment)
  if (positionals.length === 0) {
    throw new ConfigError('', 'name a segment, a journal file, or a directory')
  }
  if (values.verify && values.records) {
    throw new ConfigError('--records', 'give one of --verify and --records, not both')
  }
  return { ...values, paths: positionals }
}

export function inspectHelp(): string {
  return commandHelp({
    usage: 'inspect [OPTION]… FILE…',
    about: [
      'Prints what is in a segment (.seg) or in a file of the journal (.log): header, blocks or frames with their times and counts, columns with their encodings and sizes, footer. Of a damaged file it prints what is left, and says what is wrong. A directory stands for all files below it, the catalog and the index as well, and is always verified; so are these two.',
    ],
    settings: inspectSettings,
    notes: [
      'Files are only read, also those of a running service; but the end of the journal file to which it is writing may then look as if it was cut.',
    ],
    examples: [
      'logstrata inspect data/segments/2026-11-20/00000042.seg',
      'logstrata inspect --verify data',
      'logstrata inspect --records data/journal/00000012.log | head',
    ],
    exitCodes: '0 all is whole, 1 something is wrong, 2 wrong usage',
  })
}
