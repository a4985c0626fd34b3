/** What the command lines of all commands have alike: how they are read, and how a help tells the flags. */
import { variables } from '../config/config.ts'
import { describeSettings, paragraph, twoColumns } from '../config/help.ts'
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

interface Help<Values extends object> {
  /** How it is called, behind `logstrata`. */
  readonly usage: string
  /** Paragraphs. */
  readonly about: readonly string[]
  /** A block that stands as it is, behind these. */
  readonly more?: string
  readonly settings: Settings<Values>
  /** Paragraphs behind the flags. */
  readonly notes?: readonly string[]
  readonly examples: readonly string[]
  readonly exitCodes: string
}

/** What `--help` prints of a command: the same parts in the same order for all of them. */
export function commandHelp<Values extends object>(help: Help<Values>): string {
  const { usage, about, more, settings, notes = [], examples, exitCodes } = help
  const ownFlags = [
    describeSettings(settings),
    twoColumns('--help, -h', ['Print this text, and exit.']),
  ]
  return [
    `Usage: logstrata ${usage}`,
    ...about.map(paragraph),
    ...(more === undefined ? [] : [more]),
    ['Options:', ...ownFlags].join('\n'),
    ...notes.map(paragraph),
    ['Examples:', ...examples.map(example => `  ${example}`)].join('\n'),
    `Exit codes: ${exitCodes}.`,
  ].join('\n\n')
}
