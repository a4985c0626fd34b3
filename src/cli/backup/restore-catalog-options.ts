/** The command line of `logstrata restore-catalog`: its flags, its help, and how they are read. */

import { serviceSettings } from '../../config/config.ts'
import { text } from '../../config/setting-kinds.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { commandHelp, readCommand, refuseArgument } from '../command-line.ts'

const restoreCatalogSettings = settingsOf({
  dataDir: { ...serviceSettings.dataDir, help: 'Directory of the service whose catalog it is' },
  from: {
    flag: 'from',
    kind: text('COPY', 'the path of a file'),
    fallback: undefined,
    fallbackText: 'default: the newest in catalog-copies that is whole',
    help: 'The copy to put back; the catalog.lmdb of a backup is one too',
  },
})

export type RestoreCatalogOptions = ValuesOf<typeof restoreCatalogSettings>

/** The options of `logstrata restore-catalog`. Throws ConfigError, which names the flag. */
export function readRestoreCatalogOptions(
  argv: readonly string[],
  environment: Environment,
): RestoreCatalogOptions {
  const { values, positionals } = readCommand(restoreCatalogSettings, argv, environment)
  refuseArgument(positionals[0])
  return values
}

export function restoreCatalogHelp(): string {
  return commandHelp({
    usage: 'restore-catalog [OPTION]…',
    about: [
      'Puts a copy of the catalog (tokens, API keys, dashboards, saved queries) into the place of catalog.lmdb, when that is damaged, missing, or to be taken back. The service must be stopped. The copy is checked first; the file that was there is kept in catalog-copies as replaced-….lmdb, and records are not touched.',
      'The service makes a copy each day and keeps seven, and one before each change of the format. What was changed since the copy was made is undone: tokens and keys made since are refused, and those deleted since are valid again.',
    ],
    settings: restoreCatalogSettings,
    examples: [
      'logstrata restore-catalog --data-dir /var/lib/logstrata',
      'logstrata restore-catalog --from data/catalog-copies/catalog-20261120T030000Z.lmdb',
    ],
    exitCodes: '0 done, 1 failed, 2 wrong usage',
  })
}
