/** The command line of `logstrata status`: its flags, its help, and how they are read. */

import { type ApiConfig, apiSettings } from '../../config/config.ts'
import { duration } from '../../config/setting-kinds.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { hourMs } from '../../time-units.ts'
import { readApiCommand } from '../api.ts'
import { commandHelp, refuseArgument, switchSetting } from '../command-line.ts'

const statusSettings = settingsOf({
  intervalMs: {
    flag: 'interval',
    kind: duration(100, hourMs),
    fallback: 1_000,
    help: 'Time over which the rates are measured',
  },
  json: switchSetting('json', 'Print one line of JSON'),
})

export interface StatusOptions extends ValuesOf<typeof statusSettings> {
  /** The key may be missing: most of what is asked is open. */
  readonly api: ApiConfig
}

/** What `logstrata status` was asked, by flags and environment. Throws ConfigError, which names the flag. */
export function readStatusOptions(
  argv: readonly string[],
  environment: Environment,
): StatusOptions {
  const { values, positionals } = readApiCommand(statusSettings, argv, environment)
  refuseArgument(positionals[0])
  return { ...values, api: values }
}

export function statusHelp(): string {
  return commandHelp({
    usage: 'status [OPTION]…',
    about: [
      'Says whether a service answers, whether it is ready, which version it is, how many records it holds, how much it takes in and how much it is asked. A key is needed only where the service does not show its metrics to everybody (--metrics-access).',
    ],
    settings: { ...statusSettings, ...apiSettings },
    examples: [
      'logstrata status',
      'logstrata status --url http://logs.internal:7007 --interval 10s',
      'logstrata status --json | jq .events.perSecond',
    ],
    exitCodes: '0 the service is ready, 1 it is not or cannot be reached, 2 wrong usage',
  })
}
