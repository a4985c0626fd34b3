/** The command line of `logstrata tail`: its flags, its help, and how they are read. */
import { apiSettings } from '../../config/config.ts'
import { integer } from '../../config/setting-kinds.ts'
import { type Environment, settingsOf, type ValuesOf } from '../../config/settings.ts'
import { readApiCommand, requireKey } from '../api.ts'
import { commandHelp, switchSetting } from '../command-line.ts'
import { type Asked, onlyQuery } from '../query/options.ts'

const tailSettings = settingsOf({
  last: {
    flag: 'last',
    kind: integer(0, 1000),
    fallback: 10,
    help: 'Begin with this many of the latest records that are there already',
  },
  json: switchSetting('json', 'Print one line of JSON for each record'),
})

export type TailOptions = ValuesOf<typeof tailSettings> & Omit<Asked, 'range'>

/** Throws ConfigError. Without a query, all records are followed. */
export function readTailOptions(argv: readonly string[], environment: Environment): TailOptions {
  const { values, positionals } = readApiCommand(tailSettings, argv, environment)
  const query = positionals.length === 0 ? 'logs' : onlyQuery(positionals)
  return { ...values, api: requireKey(values), query }
}

export function tailHelp(): string {
  return commandHelp({
    usage: 'tail [OPTION]… [QUERY]',
    about: [
      'Prints records that match a query as they come in, until it is interrupted (ctrl-C). Without QUERY it prints all. The query is a selector, in single quotes: logs{log_level="error"} |= "timed out".',
    ],
    settings: { ...tailSettings, ...apiSettings },
    notes: [
      'When the connection is lost it is made again, and goes on after the last record that was printed. Records that come in faster than they are taken are dropped by the service; how many is said on standard error. Control characters in messages are shown as escapes.',
    ],
    examples: [
      'export LOGSTRATA_KEY=…',
      'logstrata tail',
      `logstrata tail 'logs{service.name="checkout", log_level=~"error|fatal"}' --last 100`,
      `logstrata tail 'logs |= "order"' --json | jq .attributes.order`,
    ],
    exitCodes: '0 interrupted, or whoever read the output has gone, 1 failed, 2 wrong usage',
  })
}
