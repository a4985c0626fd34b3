/**
 * Reads settings from a command line and an environment, by a table that states each setting once.
 *
 * A flag wins over its environment variable, the variable over the default. An empty variable counts
 * as not set, which is what `VARIABLE= command` and most container tools mean by it. A secret may also
 * be given as the path of a file that holds it (`--token-file`, `LOGSTRATA_TOKEN_FILE`), so that it
 * shows neither in the list of processes nor in a container's description.
 *
 * Whatever is not understood is a ConfigError: a typing mistake must never run with a default.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nearMiss } from './near-miss.ts'
import type { Kind } from './setting-kinds.ts'

export interface Setting<Value> {
  /** Without the dashes. */
  readonly flag: string
  /** Absent for what makes sense on a command line only. */
  readonly variable?: string
  readonly kind: Kind<Value>
  readonly fallback: Value
  /** How `--help` shows a default that depends on the machine. */
  readonly fallbackText?: string
  /** Never shown, and may be read from a file. */
  readonly isSecret?: true
  /** A sentence for `--help`, without the final full stop. */
  readonly help: string
}

export type Settings<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> }

/** What a table's settings are read as; undefined where that is what holds when nothing is given. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends {
    readonly kind: Kind<infer Value>
    readonly fallback: infer Fallback
  }
    ? Value | Extract<Fallback, undefined>
    : never
}

/** `table`, of which the types of its values come; each fallback must be of its setting's kind. */
export function settingsOf<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table & Settings<ValuesOf<Table>>,
): Settings<ValuesOf<Table>> {
  return table
}

/** The same, each with a variable named after its flag: LOGSTRATA_DATA_DIR for `data-dir`. */
export function withVariables<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table & Settings<ValuesOf<Table>>,
): Settings<ValuesOf<Table>> {
  const settings = Object.entries(table) as [string, Setting<unknown>][]
  const named = settings.map(([name, setting]) => {
    const variable = `LOGSTRATA_${setting.flag.toUpperCase().replaceAll('-', '_')}`
    return [name, { ...setting, variable }] as const
  })
  return Object.fromEntries(named) as unknown as Settings<ValuesOf<Table>>
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface ReadSettings<Values> {
  readonly values: Values
  /** Where each value came from: a flag, a variable, or `default`. */
  readonly sources: Readonly<Record<keyof Values, string>>
  readonly positionals: readonly string[]
}

/** A mistake in flags or environment. Whoever runs a command answers it with exit code 2. */
export class ConfigError extends Error {
  /** The flag or variable at fault, as it was written; empty when none was. */
  readonly source: string

  constructor(source: string, text: string) {
    super(text)
    this.name = 'ConfigError'
    this.source = source
  }
}

export interface ReadOptions {
  /** Switches that are known beside the table: `help` and the like. Their meaning is the caller's. */
  readonly switches?: readonly string[]
  /** Whether arguments that belong to no flag, such as files, are allowed. */
  readonly takesPositionals?: boolean
  /** LOGSTRATA_ variables that are known beside the table's: those of other commands. */
  readonly variables?: readonly string[]
}

/** The values of `table`. Throws ConfigError, naming the setting, where it came from and what it needs. */
export function readSettings<Values extends object>(
  table: Settings<Values>,
  argv: readonly string[],
  environment: Environment,
  options: ReadOptions = {},
): ReadSettings<Values> {
  const settings = Object.entries(table) as [keyof Values, Setting<unknown>][]
  const { flags, positionals } = readFlags(settings, argv, options)
  refuseUnknownVariables(settings, environment, options)

  const values: Partial<Record<keyof Values, unknown>> = {}
  const sources: Partial<Record<keyof Values, string>> = {}
  for (const [name, setting] of settings) {
    const given = findGiven(setting, flags, environment)
    values[name] = given === undefined ? setting.fallback : readGiven(setting, given)
    sources[name] = given?.source ?? 'default'
  }
  return {
    values: values as Values,
    sources: sources as Record<keyof Values, string>,
    positionals,
  }
}

/** The variables of a table, those that hold a secret's path included. */
export function variablesOf(settings: Iterable<Setting<unknown>>): string[] {
  const variables: string[] = []
  for (const { variable, isSecret } of settings) {
    if (variable !== undefined) {
      variables.push(variable, ...(isSecret ? [`${variable}_FILE`] : []))
    }
  }
  return variables
}

/** Whether a switch stands on the command line, whatever else is wrong with it: `--help` must help. */
export function hasSwitch(argv: readonly string[], ...names: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some(argument => names.includes(argument))
}

/** A text that somebody gave for a setting. `source` is the flag or variable. */
interface Given {
  readonly source: string
  readonly text: string
}

/** By flag: the text given, or true for a switch. */
type Flags = ReadonlyMap<string, string | true>

interface KnownFlag {
  readonly type: 'string' | 'boolean'
  readonly expected: string
  /** Given twice it has both values; any other flag the last one. */
  readonly isList?: boolean
}

function readFlags(
  settings: readonly (readonly [unknown, Setting<unknown>])[],
  argv: readonly string[],
  options: ReadOptions,
): { flags: Flags; positionals: string[] } {
  const types = new Map<string, KnownFlag>()
  for (const name of options.switches ?? []) {
    types.set(name, { type: 'boolean', expected: 'no value' })
  }
  for (const [, { flag, kind, isSecret }] of settings) {
    types.set(flag, {
      type: kind.placeholder === '' ? 'boolean' : 'string',
      expected: kind.expected,
      isList: kind.isList === true,
    })
    if (isSecret) {
      types.set(`${flag}-file`, { type: 'string', expected: 'the path of a file' })
    }
  }

  // Not parseArgs' own strict mode: its messages know neither kinds nor near misses.
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  })
  const flags = new Map<string, string | true>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      positionals.push(token.value)
    } else if (token.kind === 'option') {
      const known = types.get(token.name)
      if (known === undefined || !token.rawName.startsWith('--')) {
        // As it was typed: parseArgs takes "-port" for four flags of one letter.
        const typed = argv[token.index]!.split('=')[0]!
        throw unknownName('flag', typed, flagNames(types.keys()))
      }
      const value = readFlagValue(token, known)
      const earlier = known.isList ? flags.get(token.name) : undefined
      flags.set(token.name, earlier === undefined ? value : `${earlier},${value}`)
    }
  }
  if (positionals.length > 0 && options.takesPositionals !== true) {
    throw new ConfigError('', `unexpected argument "${positionals[0]}"`)
  }
  return { flags, positionals }
}

function readFlagValue(
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  known: KnownFlag,
): string | true {
  const { rawName, value, inlineValue } = token
  if (known.type === 'boolean') {
    if (value !== undefined) {
      throw new ConfigError(rawName, `${rawName} takes no value`)
    }
    return true
  }
  // A value that looks like a flag is a forgotten value, unless it is written with "=".
  if (value === undefined || (value.startsWith('--') && inlineValue !== true)) {
    throw new ConfigError(rawName, `${rawName} needs a value: ${known.expected}`)
  }
  return value
}

function findGiven(
  { flag, variable, isSecret }: Setting<unknown>,
  flags: Flags,
  environment: Environment,
): Given | undefined {
  const ofFlag = flags.get(flag)
  const ofFlagFile = isSecret ? flags.get(`${flag}-file`) : undefined
  const ofVariable = variable === undefined ? undefined : environment[variable]
  const ofVariableFile =
    isSecret && variable !== undefined ? environment[`${variable}_FILE`] : undefined

  if (ofFlag !== undefined && ofFlagFile !== undefined) {
    throw new ConfigError(`--${flag}`, `give one of --${flag} and --${flag}-file, not both`)
  }
  if (ofFlag !== undefined) {
    // A switch that is given is `true`, which its kind reads as on.
    return { source: `--${flag}`, text: String(ofFlag) }
  }
  if (ofFlagFile !== undefined) {
    return readSecretFile(`--${flag}-file`, String(ofFlagFile))
  }
  if (ofVariable && ofVariableFile) {
    throw new ConfigError(variable!, `set one of ${variable} and ${variable}_FILE, not both`)
  }
  if (ofVariable) {
    return { source: variable!, text: ofVariable }
  }
  return ofVariableFile ? readSecretFile(`${variable}_FILE`, ofVariableFile) : undefined
}

/** The final line break that editors and `echo` add is no part of a secret. */
function readSecretFile(source: string, path: string): Given {
  try {
    return { source, text: readFileSync(path, 'utf8').trimEnd() }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(source, `${source} ${quote(path)}: cannot read the file (${reason})`)
  }
}

function readGiven(setting: Setting<unknown>, { source, text }: Given): unknown {
  const value = setting.kind.read(text)
  if (value === undefined) {
    const shown = setting.isSecret ? '' : ` ${quote(text)}`
    throw new ConfigError(source, `${source}${shown}: expected ${setting.kind.expected}`)
  }
  return value
}

function refuseUnknownVariables(
  settings: readonly (readonly [unknown, Setting<unknown>])[],
  environment: Environment,
  options: ReadOptions,
): void {
  const known = new Set([
    ...variablesOf(settings.map(([, setting]) => setting)),
    ...(options.variables ?? []),
  ])
  for (const [variable, text] of Object.entries(environment)) {
    if (variable.startsWith('LOGSTRATA_') && text && !known.has(variable)) {
      throw unknownName('environment variable', variable, known)
    }
  }
}

function unknownName(what: string, name: string, known: Iterable<string>): ConfigError {
  const meant = nearMiss(name, known)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return new ConfigError(name, `unknown ${what} ${name}${hint}`)
}

function flagNames(names: Iterable<string>): string[] {
  return [...names].map(name => `--${name}`)
}

/** Control characters and endless values would spoil the terminal that shows the message. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
