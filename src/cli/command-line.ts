/** What the command lines of all commands have alike: how they are read, and how a help tells the flags. */
import { variables } from '../config/config.ts'
import { describeSettings, twoColumns } from '../config/help.ts'
import { onOff } from '../config/setting-kinds.ts'
import {
  ConfigError,
  type Environment,
  type ReadSettings,
  readSettings,
  type Setting,
  type Settings,
} from '../config/settings.ts'

/** Flags, environment and arguments of a command, by its table of settings. Throws ConfigError. */
export function readCommand<Values extends object>(
  table: Settings<Values>,
  argv: readonly string[],
  environment: Environment,
): ReadSettings<Values> {
  return readSettings(table, argv, environment, {
    switches: ['help', 'version'],
    takesPositionals: true,
    variables,
  })
}

/** Throws ConfigError for an argument that there should not be. */
export function refuseArgument(argument: string | undefined): void {
  if (argument === undefined) return
  throw new ConfigError('', `unexpected argument ${JSON.stringify(argument)}`)
}

/** A flag without a value: off unless it is given. */
export function switchSetting(flag: string, help: string): Setting<boolean> {
  return { flag, kind: onOff(), fallback: false, help }
}

/** The part of a help that tells the flags of a table. */
export function optionsText<Values extends object>(table: Settings<Values>): string {
  return `Options:
${describeSettings(table)}
${twoColumns('--help, -h', ['Print this text, and exit.'])}`
}
