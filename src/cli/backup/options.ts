/** The command line of `logstrata backup`: its flags, its help, and how they are read. */

import { type ApiConfig, apiSettings, serviceSettings } from '../../config/config.ts'
import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { readApiCommand } from '../api.ts'
import { commandHelp, refuseArgument, switchSetting } from '../command-line.ts'

const backupSettings = settingsOf({
  dataDir: { ...serviceSettings.dataDir, help: 'Directory to back up, the service’s own' },
  skipVerify: switchSetting(
    'skip-verify',
    'Do not read the backup again to check every byte of it',
  ),
  quiet: switchSetting('quiet', 'No progress and no summary'),
})

export interface BackupOptions extends ValuesOf<typeof backupSettings> {
  /** The key may be missing: a directory that no service has needs none. */
  readonly api: ApiConfig
  /** The directory to be made. */
  readonly target: string
}

/** What `logstrata backup` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readBackupOptions(
  argv: readonly string[],
  environment: Environment,
): BackupOptions {
  const { values, positionals } = readApiCommand(backupSettings, argv, environment)
  const [target, more] = positionals
  if (target === undefined || target === '') throw new ConfigError('', 'name the directory to make')
  refuseArgument(more)
  return { ...values, api: values, target }
}

export function backupHelp(): string {
  return commandHelp({
    usage: 'backup [OPTION]… DIR',
    about: [
      'Makes a copy of the data directory in DIR, which must not exist: every event that was acknowledged before, tokens, keys and dashboards, also while the service runs, takes events and deletes old ones. To restore is to start on DIR, or on a copy of it: logstrata serve --data-dir DIR.',
      'Run it on the machine of the service, as its user. A running service needs to be asked for a snapshot: give an admin key. Without a service the directory is locked meanwhile. Files that never change are linked where DIR is on the same file system, which takes no time and no space (and protects from no failing disk), and copied elsewhere. The copy is made in DIR.unfinished and renamed when it is whole, on disk and verified: a backup that was cut never has the name DIR.',
      'DIR holds secret.key, with which the ingestion tokens in it can be read: keep it as you keep the tokens.',
    ],
    settings: { ...backupSettings, ...apiSettings },
    examples: [
      'export LOGSTRATA_KEY=…',
      'logstrata backup --data-dir /var/lib/logstrata /mnt/backup/$(date +%F)',
      'logstrata inspect --verify /mnt/backup/2026-11-20',
    ],
    exitCodes: '0 done, 1 failed or something in it is damaged, 2 wrong usage, 130 interrupted',
  })
}
