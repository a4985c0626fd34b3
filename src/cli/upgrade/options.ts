/** The command line of `logstrata upgrade`: its flags, its help, and how they are read. */

import { serviceSettings } from '../../config/config.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { commandHelp, readCommand, refuseArgument, switchSetting } from '../command-line.ts'

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
  refuseArgument(positionals[0])
  return values
}

export function upgradeHelp(): string {
  return commandHelp({
    usage: 'upgrade [OPTION]…',
    about: [
      'Writes the segments of older formats anew, in the format that the service writes now. It need not be: the service reads older ones for ever, and writes those anew that it merges. But it answers faster from new ones.',
      'The service must be stopped; run this as its user. One segment is written after the other, each on disk before the old one goes, so that it takes little space and may be interrupted at any time; run again, it goes on with the rest. A segment that is damaged stays as it is and is named.',
      'There is no way back: an earlier version of Logstrata cannot read what was written anew. Make a backup first if you may want to return to one.',
    ],
    settings: upgradeSettings,
    examples: [
      'logstrata backup --data-dir /var/lib/logstrata /mnt/backup/before',
      'logstrata upgrade --data-dir /var/lib/logstrata',
    ],
    exitCodes: '0 done, 1 failed or a segment stays as it is, 2 wrong usage, 130 interrupted',
  })
}
