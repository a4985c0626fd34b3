/**
 * The kinds of values that a setting may have: how the text of a flag or an environment variable
 * becomes a value, what is said when it does not, and how a value is printed again.
 *
 * Sizes are bytes and durations milliseconds once read. `print` returns a text that `read` reads back
 * to the same value, so that what `--print-config` shows can be pasted into a command line.
 */
import { durationUnits, parseDuration } from '../language/duration.ts'
import { isNetwork } from './networks.ts'

export interface Kind<Value> {
  /** What stands for the value in `--help`; empty for a switch, which takes none. */
  readonly placeholder: string
  /** Completes "expected …". */
  readonly expected: string
  /** The value, or undefined when the text is none of this kind. */
  read(text: string): Value | undefined
  print(value: Value): string
  /** Whether a flag may be given several times, which is as if its values were one with commas. */
  readonly isList?: true
}

/** Any text that is not empty; `check` narrows it, and `expected` then says to what. */
export function text(
  placeholder = 'TEXT',
  expected = 'a text that is not empty',
  check: (text: string) => boolean = () => true,
): Kind<string> {
  return {
    placeholder,
    expected,
    read: text => (text !== '' && check(text) ? text : undefined),
    print: value => value,
  }
}

/** A whole number within both bounds. */
export function integer(min: number, max: number): Kind<number> {
  return {
    placeholder: 'N',
    expected: `a whole number from ${min} to ${max}`,
    read: text => (/^\d{1,15}$/.test(text) ? within(Number(text), min, max) : undefined),
    print: String,
  }
}

const byteUnits = new Map([
  ['TiB', 1024 ** 4],
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
])

/** Units that are read but never printed. One letter means what it means to `dd` and `ls`: 1024. */
const byteUnitsRead = new Map([
  ...[...byteUnits].map(([unit, bytes]) => [unit.toLowerCase(), bytes] as const),
  ...[...byteUnits].map(([unit, bytes]) => [unit[0]!.toLowerCase(), bytes] as const),
  ['kb', 1000] as const,
  ['mb', 1000 ** 2] as const,
  ['gb', 1000 ** 3] as const,
  ['tb', 1000 ** 4] as const,
  ['', 1] as const,
])

/** A number of bytes within both bounds, with or without a unit. */
export function bytes(min: number, max: number): Kind<number> {
  return {
    placeholder: 'SIZE',
    expected: `a size from ${printUnits(byteUnits, min)} to ${printUnits(byteUnits, max)}, such as 64MiB`,
    read: text => {
      const parts = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]*)$/i.exec(text)
      const unit = byteUnitsRead.get(parts?.[2]?.toLowerCase() ?? 'none')
      return unit === undefined ? undefined : within(Number(parts?.[1]) * unit, min, max)
    },
    print: value => printUnits(byteUnits, value),
  }
}

/** A duration within both bounds (milliseconds). Units are required: a bare 60 could be anything. */
export function duration(min: number, max: number): Kind<number> {
  return {
    placeholder: 'DURATION',
    expected: `a duration from ${printUnits(durationUnits, min)} to ${printUnits(durationUnits, max)}, such as 500ms, 60s or 1h30m`,
    read: text => {
      const ms = parseDuration(text, 'fractions')
      return ms === undefined ? undefined : within(ms, min, max)
    },
    print: value => printUnits(durationUnits, value),
  }
}

/** One word of a list. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|').length <= 24 ? words.join('|') : 'WORD',
    expected: `one of ${words.join(', ')}`,
    read: text => words.find(word => word === text),
    print: value => value,
  }
}

/** The address of a service: no query, no credentials (`fetch` refuses them), no final slash. */
export function address(): Kind<string> {
  return {
    placeholder: 'URL',
    expected: 'an address such as http://127.0.0.1:7007, without credentials or a query',
    read: text => {
      const url = webAddress(text)
      const isUsable = url?.username === '' && url.password === ''
      return isUsable ? url.href.replace(/\/+$/, '') : undefined
    },
    print: value => value,
  }
}

/** The HTTP interface of a database server, with who asks and the database, `default` when
 *  none is named: `http://user:password@host/name`. */
export function databaseAddress(): Kind<string> {
  return {
    placeholder: 'URL',
    expected: 'an address such as http://user:password@127.0.0.1:8123/logs',
    read: text => {
      const url = webAddress(text)
      return url && /^\/(?:[A-Za-z_]\w{0,63})?$/.test(url.pathname) ? url.href : undefined
    },
    print: value => value,
  }
}

/** Undefined for what is none, or has a query or a fragment. */
function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url.search === '' && url.hash === '' ? url : undefined
}

/** How servers of ClickHouse name a cluster: also by a macro of theirs, such as `{cluster}`. */
export function clusterName(): Kind<string> {
  return text('NAME', 'a name such as logs, or a macro such as {cluster}', value =>
    /^(?:[\w.-]{1,128}|\{\w{1,128}\})$/.test(value),
  )
}

/** Values of one kind, separated by commas. */
export function listOf<Value>({ read, print, ...kind }: Kind<Value>): Kind<readonly Value[]> {
  return {
    ...kind,
    read: text => {
      const all = text.split(',').map(one => read(one.trim()))
      return all.every(one => one !== undefined) ? all : undefined
    },
    print: value => value.map(print).join(','),
    isList: true,
  }
}

/** Addresses and networks. */
export function networks(): Kind<readonly string[]> {
  const expected = 'addresses or networks such as 127.0.0.1,10.0.0.0/8,fd00::/8'
  return listOf(text('NETWORK,…', expected, isNetwork))
}

/** Origins of pages, or `*`. */
export function origins(): Kind<readonly string[]> {
  const expected = 'origins such as https://shop.example,http://localhost:3000, or *'
  return listOf(text('ORIGIN,…', expected, isOrigin))
}

/** As browsers write it: no path, no slash at the end, lower case. */
function isOrigin(text: string): boolean {
  if (text === '*') return true
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const switchWords = new Map([
  ...['on', 'true', 'yes', '1'].map(word => [word, true] as const),
  ...['off', 'false', 'no', '0'].map(word => [word, false] as const),
])

/** On when the flag is given, which takes no value; a variable says which. */
export function onOff(): Kind<boolean> {
  return {
    placeholder: '',
    expected: 'on or off',
    read: text => switchWords.get(text.toLowerCase()),
    print: value => (value ? 'on' : 'off'),
  }
}

function within(value: number, min: number, max: number): number | undefined {
  return Number.isSafeInteger(value) && min <= value && value <= max ? value : undefined
}

/** In the largest unit that divides the value, so that nothing is rounded. */
function printUnits(units: ReadonlyMap<string, number>, value: number): string {
  for (const [unit, size] of units) {
    if (value !== 0 && value % size === 0) {
      return `${value / size}${unit}`
    }
  }
  return `0${[...units.keys()].at(-1)}`
}
