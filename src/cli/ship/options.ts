/** The command line of `logstrata ship`: its flags, its help, and how they are read. */

import { serviceSettings } from '../../config/config.ts'
import { choice, databaseAddress, duration } from '../../config/setting-kinds.ts'
import { ConfigError, type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { dayMs, minuteMs } from '../../time-units.ts'
import { commandHelp, readCommand, refuseArgument, switchSetting } from '../command-line.ts'

const store = choice(['clickhouse'])

const shipSettings = settingsOf({
  to: {
    flag: 'to',
    kind: store,
    fallback: undefined,
    help: 'Move records from segments of the data directory to ClickHouse',
  },
  from: {
    flag: 'from',
    kind: store,
    fallback: undefined,
    help: 'Move records from ClickHouse into segments of the data directory',
  },
  clickhouseUrl: {
    ...serviceSettings.clickhouseUrl,
    kind: databaseAddress(),
    fallback: undefined,
    help: 'HTTP interface of ClickHouse and the database in it; tables are made there',
  },
  clickhouseCluster: serviceSettings.clickhouseCluster,
  dataDir: { ...serviceSettings.dataDir, help: 'Directory of the service' },
  keep: switchSetting(
    'keep',
    'With --to: leave the segments in the data directory. A later --to without it removes them',
  ),
  add: switchSetting(
    'add',
    'With --to: also to a database with records of others, behind which these are put',
  ),
  withoutDamaged: switchSetting(
    'without-damaged',
    'With --to: leave behind what cannot be read; its segments go to quarantine/',
  ),
  delete: switchSetting(
    'delete',
    'With --from: drop the records from ClickHouse once all of them are in segments',
  ),
  patienceMs: {
    flag: 'patience',
    kind: duration(100, 7 * dayMs),
    fallback: 10 * minuteMs,
    help: 'For how long ClickHouse may be away, full or busy before the command gives up',
  },
  json: switchSetting('json', 'Print what was done as one line of JSON'),
  quiet: switchSetting('quiet', 'No progress and no summary'),
})

export interface ShipCommandOptions
  extends Omit<ValuesOf<typeof shipSettings>, 'to' | 'from' | 'clickhouseUrl'> {
  readonly direction: 'to' | 'from'
  readonly clickhouseUrl: string
}

/** Flags that are of use in one direction. */
const ofDirection = { keep: 'to', add: 'to', withoutDamaged: 'to', delete: 'from' } as const

/** What `logstrata ship` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readShipOptions(
  argv: readonly string[],
  environment: Environment,
): ShipCommandOptions {
  const { values, positionals } = readCommand(shipSettings, argv, environment)
  refuseArgument(positionals[0])
  const { to, from, clickhouseUrl, ...options } = values
  if ((to === undefined) === (from === undefined)) {
    throw new ConfigError('--to', 'give either --to clickhouse or --from clickhouse')
  }
  if (clickhouseUrl === undefined) {
    throw new ConfigError('--clickhouse-url', 'give --clickhouse-url, the address of ClickHouse')
  }
  const direction = to === undefined ? 'from' : 'to'
  for (const [name, way] of Object.entries(ofDirection) as [keyof typeof ofDirection, string][]) {
    if (!options[name] || way === direction) continue
    const flag = `--${shipSettings[name].flag}`
    throw new ConfigError(flag, `${flag} is of use with --${way} only`)
  }
  return { ...options, direction, clickhouseUrl }
}

export function shipHelp(): string {
  return commandHelp({
    usage: `ship --to clickhouse [OPTION]…
  or:  logstrata ship --from clickhouse [OPTION]…`,
    about: [
      'Moves all records of a data directory from segments to ClickHouse, after which the service is started with --store clickhouse; or back, after which it is started with --store local.',
      'The service must be stopped; run this as its user. Records keep their times, ids and order of arrival. It may be interrupted at any time, or killed: run again, it goes on where it was, and no record is lost or there twice. Until it has ended no service starts on the directory.',
      '--to first seals what the journal holds. Segments are removed when ClickHouse has all of them, and as many records of each day as they have: the counts are printed. A block that cannot be read is named, and nothing is removed then: put a whole copy of its segment back from a backup and run it again, or leave its records behind with --without-damaged.',
      '--from fetches a slice of a day at a time, and needs room on the disk for segments alone. What was in ClickHouse stays there without --delete. Other services that send to the same tables must be stopped as well.',
    ],
    settings: shipSettings,
    examples: [
      'export LOGSTRATA_CLICKHOUSE_URL=http://user:password@clickhouse:8123/logs',
      'logstrata ship --to clickhouse --data-dir /var/lib/logstrata',
      'logstrata ship --from clickhouse --data-dir /var/lib/logstrata --delete',
    ],
    exitCodes: '0 moved, 1 failed or not all of it is moved, 2 wrong usage, 130 interrupted',
  })
}
