/** The command line of `logstrata upgrade`: its flags, its help, and how they are read. */

import { serviceSettings } from '../../config/config.ts'
import { paragraph } from '../../config/help.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { optionsText, readCommand, refuseArgument, switchSetting } from '../command-line.ts'

const upgradeSettings = settingsOf({
  dataDir: { ...serviceSettings.dataDir, help: 'Directory of the service whose segments they are' },
  json: switchSetting('json', 'Print what was done as one line of JSON'),
  quiet: switchSetting('quiet', 'No progress and no summary'),
})

export type UpgradeCommandOptions = ValuesOf<typeof upgradeSettings>

/** What `logstrata upgrade` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readUpgradeOptions(
  argv: readonly string[],
  environment: Environment,
): UpgradeCommandOptions {
  const { values, positionals } = readCommand(upgradeSettings, argv, environment)
  const [more] = positionals
  refuseArgument(more)
  return values
}

export function upgradeHelp(): string {
  return `Usage: logstrata upgrade [OPTION]…

${paragraph(
  'Writes the segments of older formats anew, in the format that the service writes now. It need not be: the service reads older ones for ever, and writes those anew that it merges. But it answers faster from new ones.',
)}

${paragraph(
  'The service must be stopped; run this as its user. One segment is written after the other, each on disk before the old one goes, so that it takes little space and may be interrupted at any time; run again, it goes on with the rest. A segment that is damaged stays as it is and is named.',
)}

${paragraph(
  'There is no way back: an earlier version of Logstrata cannot read what was written anew. Make a backup first if you may want to return to one.',
)}

${optionsText(upgradeSettings)}

Examples:
  logstrata backup --data-dir /var/lib/logstrata /mnt/backup/before
  logstrata upgrade --data-dir /var/lib/logstrata

Exit codes: 0 done, 1 failed or a segment stays as it is, 2 wrong usage, 130 interrupted.`
}
