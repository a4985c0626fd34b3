/**
 * Commands that do several things to one kind of thing: `logstrata tokens create`, `tokens delete ID`.
 * All actions of a command share one table of flags, and each says which of them it takes: help and
 * parsing come from the same place.
 */
import { type ApiConfig, apiSettings } from '../../config/config.ts'
import { twoColumns } from '../../config/help.ts'
import { nearMiss } from '../../config/near-miss.ts'
import { ConfigError, type Settings } from '../../config/settings.ts'
import { readApiCommand, requireKey, strangeAnswer } from '../api.ts'
import { commandHelp, refuseArgument } from '../command-line.ts'
import type { Command } from '../commands.ts'
import { type Output, printTo } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'

export interface ActionContext<Flags> {
  readonly api: ApiConfig
  readonly flags: Flags
  /** What stands for the action's argument; empty when it takes none. */
  readonly argument: string
  /** Standard output. */
  readonly output: Output
  readonly terminal: Terminal
}

export interface Action<Flags> {
  readonly name: string
  /** How its one argument is called in the help; undefined when it takes none. */
  readonly argument?: string
  readonly summary: string
  /** Flags that it takes, beside those that every action takes. */
  readonly flags?: readonly (keyof Flags)[]
  /** Flags among them that must be given. */
  readonly required?: readonly (keyof Flags)[]
  /** Resolves with the exit code. */
  run(context: ActionContext<Flags>): Promise<number>
}

interface ActionCommand<Flags extends object> {
  readonly name: string
  readonly about: string
  readonly settings: Settings<Flags>
  /** Flags that every action takes. */
  readonly common: readonly (keyof Flags)[]
  readonly actions: readonly Action<Flags>[]
  readonly examples: readonly string[]
}

/** What the program needs of such a command. */
export function actionCommand<Flags extends object>(
  command: ActionCommand<Flags>,
): Pick<Command, 'help' | 'run'> {
  return {
    help: () => actionHelp(command),
    run: (argv, terminal) => runAction(command, argv, terminal),
  }
}

/** Resolves with the exit code. Throws ConfigError and CommandError. */
async function runAction<Flags extends object>(
  command: ActionCommand<Flags>,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { values, sources, positionals } = readApiCommand(
    command.settings,
    argv,
    terminal.environment,
  )
  const [name, argument, more] = positionals
  const action = findAction(command, name)
  const usage = `${command.name} ${action.name}`
  refuseArgument(action.argument === undefined ? argument : more)
  if (action.argument !== undefined && (argument === undefined || argument === '')) {
    throw new ConfigError('', `${usage} needs ${action.argument}`)
  }
  for (const flag of Object.keys(command.settings) as (keyof Flags)[]) {
    const { flag: written } = command.settings[flag]
    const isGiven = sources[flag] !== 'default'
    if (isGiven && !command.common.includes(flag) && action.flags?.includes(flag) !== true) {
      throw new ConfigError(`--${written}`, `${usage} does not take --${written}`)
    }
    if (!isGiven && action.required?.includes(flag)) {
      const { expected } = command.settings[flag].kind
      throw new ConfigError(`--${written}`, `${usage} needs --${written}: ${expected}`)
    }
  }
  const api = requireKey(values)
  return printTo(terminal.stdout, output =>
    action.run({ api, flags: values, argument: argument ?? '', output, terminal }),
  )
}

/**
 * Prints the text that an answer has under `member`, alone on standard output, ready for a variable: a
 * secret, an id. `about` says on standard error what it is. Resolves with 0. Throws CommandError when there
 * is no such text.
 */
export async function printMember(
  { api, flags, output, terminal }: ActionContext<{ readonly json: boolean }>,
  answer: Readonly<Record<string, unknown>>,
  member: string,
  about?: string,
): Promise<number> {
  const { [member]: text } = answer
  if (typeof text !== 'string') throw strangeAnswer(api.url)
  if (flags.json) {
    await output.write(jsonLine(answer))
  } else {
    if (about !== undefined) terminal.stderr.write(`${printable(about)}\n`)
    await output.write(`${printable(text)}\n`)
  }
  return 0
}

function actionHelp<Flags extends object>(command: ActionCommand<Flags>): string {
  const actions = command.actions.map(({ name, argument, summary, flags, required }) => {
    const written = (flags ?? []).map(flag => {
      const { flag: name, kind } = command.settings[flag]
      const text = `--${name} ${kind.placeholder}`.trimEnd()
      return required?.includes(flag) ? text : `[${text}]`
    })
    const usage = [name, argument, ...written].filter(part => part !== undefined)
    return twoColumns(usage.join(' '), [`${summary}.`])
  })
  return commandHelp({
    usage: `${command.name} ACTION [OPTION]…`,
    about: [command.about],
    more: `Actions:\n${actions.join('\n')}`,
    settings: { ...command.settings, ...apiSettings },
    examples: ['export LOGSTRATA_KEY=…', ...command.examples],
    exitCodes: '0 done, 1 failed, 2 wrong usage',
  })
}

function findAction<Flags extends object>(
  { name: command, actions }: ActionCommand<Flags>,
  name: string | undefined,
): Action<Flags> {
  const names = actions.map(({ name }) => name)
  const action = actions.find(action => action.name === name)
  if (action !== undefined) return action
  if (name === undefined) {
    throw new ConfigError('', `${command} needs an action: ${names.join(', ')}`)
  }
  const meant = nearMiss(name, names)
  const hint = meant === undefined ? `; there are ${names.join(', ')}` : `; did you mean ${meant}?`
  throw new ConfigError('', `unknown action ${JSON.stringify(name)} of ${command}${hint}`)
}
