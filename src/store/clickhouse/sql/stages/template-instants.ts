/** Times in templates, as `query/stages/dates.ts` writes them: of the years 1900 to 2298, in UTC. */
import { dayNames, monthNames, piecesOf } from '../../../../query/stages/dates.ts'
import { dayMs, hourMs, minuteMs } from '../../../../time-units.ts'
import type { Definitions } from './definitions.ts'

/** Numbers in SQL; NULL where the time is unknown. */
export interface SqlInstant {
  /** Milliseconds since 1970, an Int64. */
  readonly ms: string
  /** 0…999,999 nanoseconds more. */
  readonly nanos: string
}

const earliestMs = Date.UTC(1900, 0)
/** ClickHouse's days end with 2299, whose last it takes for the day before in `toDayOfYear`. */
const latestMs = Date.UTC(2299, 0) - 1
const epochDay = "toDate32('1970-01-01')"

const digits = (number: string, width: number, fill = '0') =>
  `leftPad(toString(${number}), ${width}, '${fill}')`

/** The text of a list of ours at a place, from 1 on. */
function oneOf(texts: readonly string[], place: string): string {
  return `[${texts.map(text => `'${text}'`).join(', ')}][${place}]`
}

/** The first three letters of names. */
export const short = (names: readonly string[]) => names.map(name => name.slice(0, 3))

/** What parts of layouts show of a day and of the milliseconds since it began. */
const fields: Readonly<Record<string, (day: string, ms: string) => string>> = {
  January: day => oneOf(monthNames, `toMonth(${day})`),
  Jan: day => oneOf(short(monthNames), `toMonth(${day})`),
  '1': day => `toString(toMonth(${day}))`,
  '01': day => digits(`toMonth(${day})`, 2),
  Monday: day => oneOf(dayNames, `toDayOfWeek(${day}) % 7 + 1`),
  Mon: day => oneOf(short(dayNames), `toDayOfWeek(${day}) % 7 + 1`),
  '2': day => `toString(toDayOfMonth(${day}))`,
  _2: day => digits(`toDayOfMonth(${day})`, 2, ' '),
  '02': day => digits(`toDayOfMonth(${day})`, 2),
  __2: day => digits(`toDayOfYear(${day})`, 3, ' '),
  '002': day => digits(`toDayOfYear(${day})`, 3),
  '15': (_, ms) => digits(hourOf(ms), 2),
  '3': (_, ms) => `toString(${hour12Of(ms)})`,
  '03': (_, ms) => digits(hour12Of(ms), 2),
  '4': (_, ms) => `toString(${minuteOf(ms)})`,
  '04': (_, ms) => digits(minuteOf(ms), 2),
  '5': (_, ms) => `toString(${secondOf(ms)})`,
  '05': (_, ms) => digits(secondOf(ms), 2),
  '06': day => digits(`toYear(${day}) % 100`, 2),
  '2006': day => `toString(toYear(${day}))`,
  PM: (_, ms) => `if(${hourOf(ms)} < 12, 'AM', 'PM')`,
  pm: (_, ms) => `if(${hourOf(ms)} < 12, 'am', 'pm')`,
  MST: () => "'UTC'",
}

const hourOf = (ms: string) => `intDiv(${ms}, ${hourMs})`
const hour12Of = (ms: string) => `((${hourOf(ms)} + 11) % 12 + 1)`
const minuteOf = (ms: string) => `(intDiv(${ms}, ${minuteMs}) % 60)`
const secondOf = (ms: string) => `(intDiv(${ms}, 1000) % 60)`

/** The time as a layout writes it; NULL where it is none of these years. */
export function writtenAs(layout: string, { ms, nanos }: SqlInstant, defined: Definitions): string {
  const isKnown = defined.define(`ifNull(${ms} BETWEEN ${earliestMs} AND ${latestMs}, 0)`)
  const known = defined.define(`assumeNotNull(if(${isKnown}, ${ms}, 0))`)
  const msOfDay = defined.define(`positiveModulo(${known}, ${dayMs})`)
  const day = defined.define(`addDays(${epochDay}, intDiv(${known} - ${msOfDay}, ${dayMs}))`)
  const all = `concat(${digits(`${msOfDay} % 1000`, 3)}, ${digits(`ifNull(${nanos}, 0)`, 6)})`
  const texts = piecesOf(layout).map(piece => {
    if ('text' in piece) return defined.bound.text(piece.text)
    const { part } = piece
    if (/^[.,]/.test(part)) return fractionAs(part, all)
    if (part.startsWith('Z')) return "'Z'"
    if (part.startsWith('-')) return `'${part.replace('-07', '+00')}'`
    return fields[part]!(day, msOfDay)
  })
  const text = `concat('', ${texts.join(', ') || "''"})`
  return defined.define(`if(${isKnown} AND isNotNull(${nanos}), ${text}, NULL)`)
}

/** `all`: nine digits. */
function fractionAs(part: string, all: string): string {
  const width = part.length - 1
  const shown = `substring(rightPad(${all}, ${width}, '0'), 1, ${width})`
  if (part[1] === '0') return `concat('${part[0]}', ${shown})`
  return `replaceRegexpOne(concat('${part[0]}', ${shown}), '[.,]?0*\\\\z', '')`
}

/** As our times are texts: to the nanosecond, where there are any. */
export function writtenWhole(instant: SqlInstant, defined: Definitions): string {
  const toMs = writtenAs('2006-01-02T15:04:05.000Z', instant, defined)
  const toNanos = writtenAs('2006-01-02T15:04:05.000000000Z', instant, defined)
  return defined.define(`if(${instant.nanos} = 0, ${toMs}, ${toNanos})`)
}
