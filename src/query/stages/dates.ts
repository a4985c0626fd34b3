/**
 * Times in templates, in Go's layouts: a layout is how 2006-01-02T15:04:05-07:00 would be written (package
 * `time`, `Layout`, `Time.Format` and `Parse`). All times are shown in UTC, which is the local zone here.
 */

import { dayMs } from '../../time-units.ts'

/** A time, to the nanosecond. */
export class Instant {
  /** Whole milliseconds since 1970. */
  readonly ms: number
  /** 0…999,999 nanoseconds more. */
  readonly nanos: number

  constructor(ms: number, nanos = 0) {
    this.ms = ms
    this.nanos = nanos
  }

  toString(): string {
    const written = new Date(this.ms).toISOString()
    return this.nanos === 0 ? written : written.replace('Z', `${digits(this.nanos, 6)}Z`)
  }
}

const parts =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|__2|_2(?!006)|[2-5]|PM|pm|[-Z]07(?::?00(?::?00)?)?|[.,](?:0+|9+)(?![0-9])/g

/** Their names in layouts begin with a capital; from January on. */
export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]
/** From Sunday on. */
export const dayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]

const digits = (value: number, width: number, fill = '0') => String(value).padStart(width, fill)

/** What of a layout stands for a part of a time, and the texts between. */
export type LayoutPiece = { readonly text: string } | { readonly part: string }

export function piecesOf(layout: string): readonly LayoutPiece[] {
  const pieces: LayoutPiece[] = []
  let at = 0
  for (const { 0: part, index } of layout.matchAll(parts)) {
    if (index > at) pieces.push({ text: layout.slice(at, index) })
    pieces.push({ part })
    at = index + part.length
  }
  if (at < layout.length) pieces.push({ text: layout.slice(at) })
  return pieces
}

/** The time as the layout writes it, in UTC. */
export function formatTime(layout: string, time: Instant): string {
  const date = new Date(time.ms)
  return layout.replaceAll(parts, part => written(part, date, time))
}

function written(part: string, date: Date, time: Instant): string {
  if (/^[.,]/.test(part)) return writtenFraction(part, time)
  if (part.startsWith('Z')) return 'Z'
  if (part.startsWith('-')) return part.replace('-07', '+00')
  return fields[part]!(date)
}

const hour12 = (date: Date) => date.getUTCHours() % 12 || 12
const dayOfYear = (date: Date) =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / dayMs) + 1

const fields: Readonly<Record<string, (date: Date) => string>> = {
  January: date => monthNames[date.getUTCMonth()]!,
  Jan: date => monthNames[date.getUTCMonth()]!.slice(0, 3),
  '1': date => String(date.getUTCMonth() + 1),
  '01': date => digits(date.getUTCMonth() + 1, 2),
  Monday: date => dayNames[date.getUTCDay()]!,
  Mon: date => dayNames[date.getUTCDay()]!.slice(0, 3),
  '2': date => String(date.getUTCDate()),
  _2: date => digits(date.getUTCDate(), 2, ' '),
  '02': date => digits(date.getUTCDate(), 2),
  __2: date => digits(dayOfYear(date), 3, ' '),
  '002': date => digits(dayOfYear(date), 3),
  '15': date => digits(date.getUTCHours(), 2),
  '3': date => String(hour12(date)),
  '03': date => digits(hour12(date), 2),
  '4': date => String(date.getUTCMinutes()),
  '04': date => digits(date.getUTCMinutes(), 2),
  '5': date => String(date.getUTCSeconds()),
  '05': date => digits(date.getUTCSeconds(), 2),
  '06': date => digits(date.getUTCFullYear() % 100, 2),
  '2006': date => digits(date.getUTCFullYear(), 4),
  PM: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  pm: date => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  MST: () => 'UTC',
}

/** As many digits as there are zeros; of nines as many as are not 0 at the end. */
function writtenFraction(part: string, { ms, nanos }: Instant): string {
  const all = digits(((ms % 1000) + 1000) % 1000, 3) + digits(nanos, 6)
  const shown = all.padEnd(part.length, '0').slice(0, part.length - 1)
  if (part[1] === '0') return part[0] + shown
  const short = shown.replace(/0+$/, '')
  return short === '' ? '' : part[0] + short
}

/** What a text says of a time; what it leaves open is that of January 1st of the year 0. */
interface Said {
  year: number
  month: number
  day: number
  dayOfYear: number | undefined
  hour: number
  isAfternoon: boolean | undefined
  minute: number
  second: number
  nanos: number
  offsetMs: number | undefined
}

/**
 * The time that a text of the layout says; undefined when it is not of it. Each part takes what it can, as
 * in Go, and nothing is tried twice.
 * @param zone Of what says no offset: a name such as `Europe/Berlin`; `UTC`, `Local` or none are UTC.
 * @throws RangeError for a zone that is not known.
 */
export function parseTime(layout: string, text: string, zone = 'UTC'): Instant | undefined {
  const said: Said = {
    ...{ year: 0, month: 1, day: 1, dayOfYear: undefined, hour: 0, isAfternoon: undefined },
    ...{ minute: 0, second: 0, nanos: 0, offsetMs: undefined },
  }
  let at = 0
  let layoutAt = 0
  /** Spaces stand for one or more. */
  const skip = (literal: string) => {
    for (const [run] of literal.matchAll(/ +|[^ ]+/g)) {
      const isHere = text.startsWith(run.startsWith(' ') ? ' ' : run, at)
      if (!isHere) return false
      if (run.startsWith(' ')) while (text[at] === ' ') at++
      else at += run.length
    }
    return true
  }
  for (const { 0: part, index } of layout.matchAll(parts)) {
    if (!skip(layout.slice(layoutAt, index))) return undefined
    layoutAt = index + part.length
    const next = layout.slice(layoutAt)
    const taken = taking(part, /^[.,](?:0+|9+)(?![0-9])/.test(next))
    taken.form.lastIndex = at
    const found = taken.form.exec(text)
    if (found === null) return undefined
    at += found[0].length
    taken.take(said, found)
  }
  if (!skip(layout.slice(layoutAt)) || at !== text.length) return undefined
  return instantOf(said, zone)
}

interface Taking {
  readonly form: RegExp
  take(said: Said, found: RegExpExecArray): void
}

const inNames = (names: readonly string[]) => new RegExp(`(?:${names.join('|')})`, 'iy')
const indexIn = (names: readonly string[], found: string) =>
  names.findIndex(name => name.slice(0, 3).toLowerCase() === found.slice(0, 3).toLowerCase())
const short = (names: readonly string[]) => names.map(name => name.slice(0, 3))
const nanosOf = (fraction: string) => Number(fraction.padEnd(9, '0').slice(0, 9))

function numberOf(key: 'year' | 'month' | 'day' | 'hour' | 'minute', form: RegExp): Taking {
  return {
    form,
    take: (said, found) => {
      said[key] = Number(found[0])
    },
  }
}

function taking(part: string, isFractionNext: boolean): Taking {
  if (part === '5' || part === '05') {
    const whole = part === '5' ? '[0-9]{1,2}' : '[0-9]{2}'
    // As in Go a fraction may stand there that the layout does not have.
    return {
      form: new RegExp(isFractionNext ? `(${whole})` : `(${whole})(?:[.,]([0-9]+))?`, 'y'),
      take: (said, [, second, fraction]) => {
        said.second = Number(second)
        if (fraction !== undefined) said.nanos = nanosOf(fraction)
      },
    }
  }
  if (/^[.,]/.test(part)) {
    const isExact = part[1] === '0'
    return {
      form: isExact ? new RegExp(`[.,]([0-9]{${part.length - 1}})`, 'y') : /(?:[.,]([0-9]+))?/y,
      take: (said, [, fraction = '']) => {
        said.nanos = nanosOf(fraction)
      },
    }
  }
  if (/^[-Z]/.test(part)) return takingOffset(part)
  return takings[part]!
}

function takingOffset(part: string): Taking {
  const form = part.slice(3).replaceAll('00', '([0-9]{2})')
  return {
    form: new RegExp(`${part.startsWith('Z') ? 'Z|' : ''}([-+])([0-9]{2})${form}`, 'y'),
    take: (said, [, sign = '+', hours = '0', minutes = '0', seconds = '0']) => {
      const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
      said.offsetMs = (sign === '-' ? -size : size) * 1000
    },
  }
}

const takings: Readonly<Record<string, Taking>> = {
  January: { form: inNames(monthNames), take: (said, [name]) => takeMonth(said, name) },
  Jan: { form: inNames(short(monthNames)), take: (said, [name]) => takeMonth(said, name) },
  Monday: { form: inNames(dayNames), take: () => {} },
  Mon: { form: inNames(short(dayNames)), take: () => {} },
  '1': numberOf('month', /[0-9]{1,2}/y),
  '01': numberOf('month', /[0-9]{2}/y),
  '2': numberOf('day', /[0-9]{1,2}/y),
  _2: numberOf('day', / ?[0-9]{1,2}/y),
  '02': numberOf('day', /[0-9]{2}/y),
  __2: {
    form: / {0,2}[0-9]{1,3}/y,
    take: (said, [day]) => {
      said.dayOfYear = Number(day)
    },
  },
  '002': {
    form: /[0-9]{3}/y,
    take: (said, [day]) => {
      said.dayOfYear = Number(day)
    },
  },
  '15': numberOf('hour', /[0-9]{1,2}/y),
  '3': numberOf('hour', /[0-9]{1,2}/y),
  '03': numberOf('hour', /[0-9]{2}/y),
  '4': numberOf('minute', /[0-9]{1,2}/y),
  '04': numberOf('minute', /[0-9]{2}/y),
  '2006': numberOf('year', /[0-9]{4}/y),
  '06': {
    form: /[0-9]{2}/y,
    take: (said, [year]) => {
      said.year = Number(year) + (Number(year) >= 69 ? 1900 : 2000)
    },
  },
  PM: {
    form: /[AP]M/y,
    take: (said, [half]) => {
      said.isAfternoon = half === 'PM'
    },
  },
  pm: {
    form: /[ap]m/y,
    take: (said, [half]) => {
      said.isAfternoon = half === 'pm'
    },
  },
  // Other abbreviations mean several zones.
  MST: {
    form: /UTC|GMT/y,
    take: said => {
      said.offsetMs = 0
    },
  },
}

function takeMonth(said: Said, name: string): void {
  said.month = indexIn(monthNames, name) + 1
}

function instantOf(said: Said, zone: string): Instant | undefined {
  const { year, month, minute, second, nanos, isAfternoon } = said
  const hour = isAfternoon === undefined ? said.hour : (said.hour % 12) + (isAfternoon ? 12 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, said.day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== said.day) return undefined
  if (said.dayOfYear !== undefined) {
    date.setUTCFullYear(year, 0, said.dayOfYear)
    if (said.dayOfYear === 0 || date.getUTCFullYear() !== year) return undefined
  }
  date.setUTCHours(hour, minute, second, Math.floor(nanos / 1e6))
  const offset = said.offsetMs ?? offsetAt(zone, date.getTime())
  return new Instant(date.getTime() - offset, nanos % 1e6)
}

/** How much later the clocks of the zone are than UTC when they show `clock`, in ms. */
function offsetAt(zone: string, clock: number): number {
  if (['UTC', 'Local', ''].includes(zone)) return 0
  // Of two offsets around a change of the clocks the one that holds then.
  const first = offsetOf(zone, clock - offsetOf(zone, clock))
  return offsetOf(zone, clock - first)
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const clocksMax = 100

function offsetOf(zone: string, ms: number): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    if (clocks.size >= clocksMax) clocks.clear()
    const numeric = 'numeric'
    clock = new Intl.DateTimeFormat('en-US', {
      ...({ timeZone: zone, hourCycle: 'h23', year: numeric, month: numeric } as const),
      ...({ day: numeric, hour: numeric, minute: numeric, second: numeric } as const),
    })
    clocks.set(zone, clock)
  }
  const shown = Object.fromEntries(clock.formatToParts(ms).map(part => [part.type, part.value]))
  const at = (name: string) => Number(shown[name])
  const local = Date.UTC(
    ...([at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')] as const),
  )
  return local - Math.floor(ms / 1000) * 1000
}
