/**
 * Commands that do several things to one kind of thing: `logstrata tokens create`, `tokens delete ID`.
 * All actions of a command share one table of flags, and each says which of them it takes: help and
 * parsing come from the same place.
 */
import { type ApiConfig, apiSettings } from '../config/config.ts'
import { describeSettings, paragraph, twoColumns } from '../config/help.ts'
import { nearMiss } from '../config/near-miss.ts'
import { ConfigError, type Settings } from '../config/settings.ts'
import { readApiCommand, requireKey } from './api.ts'
import { type Output, printTo } from './output.ts'
import type { Terminal } from './terminal.ts'

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

export interface ActionCommand<Flags extends object> {
  readonly name: string
  readonly about: string
  readonly settings: Settings<Flags>
  /** Flags that every action takes. */
  readonly common: readonly (keyof Flags)[]
  readonly actions: readonly Action<Flags>[]
  readonly examples: readonly string[]
}

/** Resolves with the exit code. Throws ConfigError and CommandError. */
export async function runAction<Flags extends object>(
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
  const unexpected = action.argument === undefined ? argument : more
  if (unexpected !== undefined) {
    throw new ConfigError('', `unexpected argument ${JSON.stringify(unexpected)}`)
  }
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

export function actionHelp<Flags extends object>(command: ActionCommand<Flags>): string {
  const actions = command.actions.map(({ name, argument, summary, flags, required }) => {
    const written = (flags ?? []).map(flag => {
      const { flag: name, kind } = command.settings[flag]
      const text = `--${name} ${kind.placeholder}`.trimEnd()
      return required?.includes(flag) ? text : `[${text}]`
    })
    const usage = [name, argument, ...written].filter(part => part !== undefined)
    return twoColumns(usage.join(' '), [`${summary}.`])
  })
  return `Usage: logstrata ${command.name} ACTION [OPTION]…

${paragraph(command.about)}

Actions:
${actions.join('\n')}

Options:
${describeSettings(command.settings)}
${describeSettings(apiSettings)}
${twoColumns('--help, -h', ['Print this text, and exit.'])}

Examples:
  export LOGSTRATA_KEY=…
${command.examples.map(example => `  ${example}`).join('\n')}

Exit codes: 0 done, 1 failed, 2 wrong usage.`
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
