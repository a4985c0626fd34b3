/** What the benchmarks read from their command lines and from files named there. */
import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** What `readOptions` looks for, beside `--json FILE` and `--quick`. */
interface Known<Integer extends string, Text extends string, Switch extends string> {
  /** Whole numbers from 0 up, with their defaults; `quick`: where that is given. */
  readonly integers: Readonly<Record<Integer, number | { usual: number; quick: number }>>
  readonly texts?: readonly Text[]
  readonly switches?: readonly Switch[]
  /** Whether arguments that belong to no option are taken too, and `--from FILE…`. */
  readonly takesPositionals?: true
}

type Options<Integer extends string, Text extends string, Switch extends string> = Readonly<
  Record<Integer, number> &
    Record<Text | 'json', string | undefined> &
    Record<Switch | 'quick', boolean> & { positionals: string[]; files: string[] }
>

/** The options of a benchmark by name. Throws, naming it, for one that is not known or cannot be read. */
export function readOptions<
  Integer extends string,
  Text extends string = never,
  Switch extends string = never,
>(known: Known<Integer, Text, Switch>): Options<Integer, Text, Switch> {
  const { integers, texts = [], switches = [], takesPositionals = false } = known
  const named = (names: readonly string[], type: 'string' | 'boolean') =>
    names.map(name => [name, { type }] as const)
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
    ...named([...Object.keys(integers), ...texts, 'json'], 'string'),
    ...named([...switches, 'quick'], 'boolean'),
  ])
  if (takesPositionals) options.from = { type: 'string', multiple: true }
  const { values, positionals } = parseArgs({ options, allowPositionals: takesPositionals })
  const quick = values.quick === true
  const numbers = Object.entries<number | { usual: number; quick: number }>(integers).map(
    ([name, usual]) => {
      const absent = typeof usual === 'number' ? usual : quick ? usual.quick : usual.usual
      return [name, integerOption(name, String(values[name] ?? absent))]
    },
  )
  const isGiven = switches.map(name => [name, values[name] === true])
  const files = [...[values.from ?? []].flat(), ...positionals] // Of `--from A B C` B and C stand alone.
  const given = Object.fromEntries([...numbers, ...isGiven])
  const all = { ...values, quick, ...given, positionals, files }
  return all as Options<Integer, Text, Switch>
}

/** How many records, which and how often: of benchmarks over the data of `query-data.ts`. */
export const dataOptions = {
  integers: { count: { usual: 2_000_000, quick: 100_000 }, seed: 1, runs: 7 },
  switches: ['fresh'],
} as const

/** A whole number from 0 up. Throws with the option's name otherwise. */
export function integerOption(name: string, text: string): number {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new Error(`--${name} must be a whole number, was "${text}"`)
  }
  return value
}

/** Whole numbers separated by commas. Throws with the option's name otherwise. */
export function integersOption(name: string, text: string): number[] {
  return text.split(',').map(part => integerOption(name, part))
}

/** The lines of each file, without empty ones. Throws when a file cannot be read. */
export function readLines(files: readonly string[]): string[][] {
  return files.map(file =>
    readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .filter(line => line !== ''),
  )
}
